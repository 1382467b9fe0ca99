"""The recall pipeline under the contract of all pipelines, in good and bad worlds; and what its panel gets to see."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.pipeline import NAMES, Run, World, pipeline_contract
from tests.pipelines.said import json_options
from tests.scripted_recall import CHECKED, answer, document, pipeline

from benchwright.agents.choice import check_option
from benchwright.domain.answer import Answer
from benchwright.domain.call import Request
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.document import whole
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.item import Ending, ItemState, Progress, Seed
from benchwright.domain.opinion import Policy
from benchwright.domain.source import outline
from benchwright.domain.vote import Rule
from benchwright.errors import Refused
from benchwright.pipelines.base import Due, state_of
from benchwright.pipelines.choice.recall import Recall

pytestmark = pytest.mark.untraced  # whole items, from every cut again

DOCUMENTS = {one.id: one for one in map(document, range(6))}


def people(due: Due) -> Mapping[str, Any]:
    """People who decide by the option alone, not all alike."""
    against = "discard" if due.agent.name == "review_stem" else "reject"
    said = (
        seeded_random(due.about, due.run).choice(["keep", against, "cannot_say"])
        if due.run < len(NAMES) // 2
        else "keep"
    )
    return {"decision": said, "reason": "so it is"}


@dataclass(frozen=True)
class Temper:
    """A scripted model that refuses a share of its requests and writes a share of its options as placeholders."""

    refuses: float = 0.0
    writes_nothing: float = 0.0

    def __call__(self, request: Request) -> str | Exception:
        if seeded_random(request.id, "refuses").random() < self.refuses:
            return Refused()
        said = json.loads(answer(request))
        for number, option in enumerate(said.get("options", ())):
            option["rationale"] = f"REASON {number} of {request.id}"
            if seeded_random(request.id, number, "empty").random() < self.writes_nothing:
                option["text"] = f"Option {number}"
        return json.dumps(said)


def world(recall: Recall, temper: Temper) -> World:
    return World(recall.campaign, DOCUMENTS, temper, people)


def seeds(recall: Recall, most: int) -> list[Seed]:
    """Items that such a campaign begins with."""
    outlines = [outline(one, whole(one)) for one in DOCUMENTS.values()]
    return list(recall.admit(outlines, Progress(0, (), most)))


RULES = [
    Rule(Fraction(2, 3), Fraction(1, 3), 2),
    Rule(Fraction(4, 5), Fraction(7, 10), 4),
    Rule(Fraction(1), Fraction(0)),
]
PANELS = [Panel(("red",)), Panel(("red", "green"), 3), Panel(("red", "green", "blue"), 2)]
TEMPERS = [Temper(), Temper(refuses=0.1, writes_nothing=0.2), Temper(refuses=0.3)]


@pytest.mark.parametrize("temper", TEMPERS, ids=str)
@pytest.mark.parametrize("rule", RULES, ids=["lenient", "paper", "people"])
@pytest.mark.parametrize("panel", PANELS, ids=["one", "two", "three"])
def test_every_item_ends_the_same_way_in_any_order_and_after_any_cut(panel: Panel, rule: Rule, temper: Temper) -> None:
    recall = pipeline(panel=panel, rule=rule, quota=Quota(2), topics="balanced")

    ends = pipeline_contract(recall, seeds(recall, 2), world(recall, temper).say)

    assert {end.state for end in ends} <= {ItemState.KEPT, ItemState.DISCARDED}
    assert all(end.cause for end in ends)


@pytest.mark.parametrize("temper", TEMPERS, ids=str)
@pytest.mark.parametrize("policy", [Policy(), Policy(2, audit=Fraction(1, 3))], ids=str)
def test_an_item_whose_question_is_judged_first_ends_the_same(temper: Temper, policy: Policy) -> None:
    made = pipeline(quota=Quota(3), panel=PANELS[2], **CHECKED)
    recall = Recall.of(replace(made.campaign, review=policy), Path())

    ends = pipeline_contract(recall, seeds(recall, 3), world(recall, temper).say, orders=2)

    assert {end.state for end in ends} <= {ItemState.KEPT, ItemState.DISCARDED}


@pytest.mark.parametrize("policy", [Policy(2), Policy(3, audit=Fraction(1, 4)), Policy(1, audit=Fraction(1))], ids=str)
def test_however_many_people_are_asked_an_item_ends_the_same(policy: Policy) -> None:
    made = pipeline(rule=Rule(Fraction(9, 10), Fraction(1, 10), 4), quota=Quota(2))  # much is put to people
    recall = Recall.of(replace(made.campaign, review=policy), Path())

    ends = pipeline_contract(recall, seeds(recall, 2), world(recall, Temper()).say)

    assert any(len(option["decisions"]) > 1 for end in ends for option in json_options(end.body))


@settings(deadline=None)
@given(
    order=st.integers(0, 10**9),
    refuses=st.sampled_from([0.0, 0.1, 0.4]),
    refills=st.integers(0, 3),
    wanted=st.integers(1, 5),
    quorum=st.integers(0, 5),
)
def test_the_order_of_arrival_never_matters(order: int, refuses: float, refills: int, wanted: int, quorum: int) -> None:
    rule = Rule(Fraction(3, 4), Fraction(1, 2), quorum)
    recall = pipeline(rule=rule, refills=refills, distractors=wanted, min_options=1)
    say = world(recall, Temper(refuses, 0.2)).say
    (seed,) = seeds(recall, 1)

    usual, other = Run(recall, seed, say), Run(recall, seed, say)

    assert usual.to_the_end(Random(0)) == other.to_the_end(Random(order))
    assert Counter(usual.answers) == Counter(other.answers)


def asked_of_the_panel(
    recall: Recall, items: int = 6, temper: Temper = TEMPERS[1]
) -> dict[Seed, list[tuple[Due, Request]]]:
    """All that checkers were asked, by item."""
    asked = {}
    for seed in seeds(recall, items):
        here = world(recall, temper)
        Run(recall, seed, here.say).to_the_end(Random(1))
        asked[seed] = [(due, call) for due, call in here.asked if due.agent is check_option.agent]
    return asked


def test_no_checker_judges_an_option_twice_in_one_run_so_votes_stay_within_the_panel() -> None:
    recall = pipeline(panel=Panel(("red", "green"), 3), quota=Quota(2))
    asked = asked_of_the_panel(recall, 12)

    assert any(asked.values())
    for calls in asked.values():
        votes = Counter((option.id, due.to, due.run) for due, _ in calls for option in due.ask.options)
        assert set(votes.values()) <= {1}
        per_option = Counter(option for option, _, _ in votes)
        assert max(per_option.values(), default=0) <= 2 * 3


def test_only_options_that_are_still_open_are_put_to_a_later_run() -> None:
    asked = asked_of_the_panel(pipeline(panel=Panel(("red", "green"), 3), quota=Quota(2)), 12)
    sizes: defaultdict[int, list[int]] = defaultdict(list)
    for calls in asked.values():
        for due, _ in calls:
            sizes[due.run].append(len(due.ask.options))

    assert sum(sizes[0]) >= sum(sizes[1]) > sum(sizes[2]) > 0


def test_a_checker_sees_the_question_and_the_options_under_letters_and_nothing_else() -> None:
    recall = pipeline(quota=Quota(2))
    frames = set()
    for calls in asked_of_the_panel(recall, 12).values():
        for due, call in calls:
            shown = "\n".join(message.content for message in call.messages)
            assert "REASON" not in shown
            assert all(option.id not in shown for option in due.ask.options)
            task = call.messages[-1].content
            listed = "\n".join(f"{option.letter}. {option.text}" for option in due.ask.options)
            assert listed in task
            frames.add(task.replace(listed, "").replace(due.ask.question, ""))

    assert len(frames) == 1
    assert "[" not in frames.pop()  # no cited sentence


def made(texts: tuple[str, ...], correct: int, sentence: int) -> list[Answer]:
    """An item's answers up to the panel; one of the texts is the correct option, the others are distractors."""
    span = {"sentence": sentence, "start": 0, "end": 4, "text": "Some sentence."}
    options = [
        {"text": text, "rationale": f"since {sentence}", "evidence": [span], "confusion": "place"} for text in texts
    ]
    right, wrong = options[correct], [option for option in options if option is not options[correct]]
    steps = {
        "choose_class": {"best": 1, "suitable": [1]},
        "choose_topic": {"best": 1, "suitable": [1]},
        "write_question": {"question": "Which was it?", "evidence": [span]},
        "write_correct_options": {"options": [{k: v for k, v in right.items() if k != "confusion"}]},
    }
    said = [Answer(step, "", "writer#1", canonical(body)) for step, body in steps.items()]
    return [*said, Answer("design_distractors", "1", "writer#1", canonical({"options": wrong}))]


def owed(recall: Recall, seed: Seed, answers: list[Answer]) -> Sequence[Due]:
    """What is owed after these answers."""
    dues = recall.plan(state_of(recall, seed, answers))
    assert not isinstance(dues, Ending)
    return dues


def test_a_checker_is_shown_the_same_whatever_the_options_claim_to_be_and_cite() -> None:
    recall = pipeline()
    (seed,) = seeds(recall, 1)
    texts = ("amber", "basin", "cedar", "delta")

    def sheets(correct: int, sentence: int) -> list[tuple[str, str, list[str]]]:
        return [
            (due.key, due.ask.question, sorted(option.text for option in due.ask.options))
            for due in owed(recall, seed, made(texts, correct, sentence))
        ]

    assert len(sheets(0, 1)) == 3
    assert sheets(0, 1) == sheets(1, 1) == sheets(3, 5)


def test_the_place_of_an_option_on_the_sheet_does_not_tell_what_it_claims_to_be() -> None:
    recall = pipeline(quota=Quota(60))
    places: Counter[int] = Counter()
    for seed in seeds(recall, 300):
        places += Counter(
            [option.text for option in due.ask.options].index("amber")
            for due in owed(recall, seed, made(("amber", "basin", "cedar", "delta"), 0, 1))
        )

    assert places.total() == 900
    assert all(180 < places[place] < 270 for place in range(4))
