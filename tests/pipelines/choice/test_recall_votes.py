"""How the panel of a recall item is asked: which votes are left out, and that none of them would have mattered."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.pipelines.said import (
    SEED,
    SPAN,
    ballot,
    correct,
    decision,
    distractors,
    end,
    json_of,
    name,
    owed,
    question,
    refused,
)
from tests.scripted_recall import campaign, pipeline

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Model, Panel
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState
from benchwright.domain.opinion import Policy
from benchwright.domain.quality import Probe
from benchwright.domain.vote import Route, Rule, Vote, route, tally
from benchwright.pipelines.base import HUMAN, Due, state_of
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option
from benchwright.pipelines.choice.planted import FOREIGN, RIGHT, WRONG, change_number, gold_options, gold_verdicts
from benchwright.pipelines.choice.recall import Recall

WRONG_ONES = ("basin", "cedar")
MADE = [*question(), correct("amber"), distractors(1, *WRONG_ONES)]
OPTIONS = {"amber": CORRECT} | dict.fromkeys(WRONG_ONES, DISTRACTOR)
MODELS = ("red", "green", "blue")
MODES: list[Any] = ["runs", "eager", "frugal", "calls", 2, 4]
KEPT = {CORRECT: "correct", DISTRACTOR: "wrong"}


@dataclass
class Checkers:
    """A panel with its mind made up: `says` by (option, turn), a turn that is missing fails."""

    says: Mapping[tuple[str, str], str]
    fails: frozenset[str] = frozenset()
    asked: list[Due] = field(default_factory=list)

    def answer(self, due: Due) -> Answer:
        self.asked.append(due)
        if due.by in self.fails:
            return failure_answer(due.agent.name, due.about, due.by, "refused", "it declines")
        verdicts = {option.text: self.says[option.text, due.by] for option in due.ask.options}
        return replace(ballot(due.by, verdicts), about=due.about)

    def votes_asked(self) -> Counter[tuple[str, str]]:
        """How often each turn was asked about each option."""
        return Counter((option.text, due.by) for due in self.asked for option in due.ask.options)


def polled(
    recall: Recall, checkers: Checkers, order: int, said: Sequence[Answer] = (), most: int = 1000
) -> list[Answer]:
    """The item's answers when at most so many ballots more are in; those owed at once arrive in an order of chance."""
    answers, chance = list(said or MADE), Random(order)
    for _ in range(most):
        plan = recall.plan(state_of(recall, SEED, answers))
        checks = [] if isinstance(plan, Ending) else [due for due in plan if due.to != HUMAN]
        if not checks:
            break
        answers.append(checkers.answer(chance.choice(checks)))
    return answers


def routes(recall: Recall, answers: Sequence[Answer]) -> dict[str, Route | None]:
    return {s.option.text: s.route for s in recall.standings(state_of(recall, SEED, answers))}


def recalls(rule: Rule, waves: Any, panel: Panel | None = None, **others: Any) -> Recall:
    panel = panel or Panel(MODELS, 3)
    return pipeline(rule=rule, panel=panel, **{"refills": 0, "min_options": 1, "waves": waves, **others})


thresholds = st.fractions(0, 1, max_denominator=9)
rules = st.builds(
    lambda pair, quorum: Rule(max(pair), min(pair), quorum), st.tuples(thresholds, thresholds), st.integers(0, 9)
)
# People decide on nothing but what lacks votes.
no_doubt = st.builds(lambda share, quorum: Rule(share, share, quorum), thresholds, st.integers(0, 9))
panels = st.builds(Panel, st.permutations(MODELS).map(tuple), st.integers(1, 3))
modes = st.sampled_from(MODES)


@st.composite
def minds(draw: st.DrawFn) -> Checkers:
    """Any votes, abstentions and failures of three models in three runs, leaning one way, so that some settle."""
    turns = [f"{model}#{run}" for model in MODELS for run in (1, 2, 3)]
    says: dict[tuple[str, str], str] = {}
    for text, label in OPTIONS.items():
        words = st.sampled_from([*[KEPT[label]] * draw(st.integers(0, 6)), "flawed", "cannot_say"])
        says |= {(text, turn): draw(words) for turn in turns}
    return Checkers(says, frozenset(draw(st.sets(st.sampled_from(turns), max_size=4))))


def full(rule: Rule, panel: Panel, mind: Checkers) -> dict[str, Route]:
    """Each option's route with every vote there is, by the plain rule."""
    found = {}
    for text, label in OPTIONS.items():
        turns = [f"{model}#{run + 1}" for model in panel.models for run in range(panel.runs)]
        said = [mind.says[text, turn] for turn in turns if turn not in mind.fails]
        keeps = [None if word == "cannot_say" else word == KEPT[label] for word in said]
        votes = [replace(BLANK, keep=keep) for keep in keeps]
        found[text] = route(tally(votes), rule)
    return found


BLANK = Vote(name("amber", CORRECT), "red#1", keep=True)


# ----------------------------------------------------------------------------------------------- what is lossless


@pytest.mark.untraced
@settings(deadline=None)
@given(minds(), rules, panels, modes, st.integers(0, 9), st.integers(0, 9))
def test_early_stopping_changes_no_route_asks_nothing_twice_and_does_not_depend_on_who_answers_first(
    mind: Checkers, rule: Rule, panel: Panel, waves: Any, order: int, other_order: int
) -> None:
    recall = recalls(rule, waves, panel)
    again = Checkers(mind.says, mind.fails)

    answers = polled(recall, mind, order)
    others = polled(recall, again, other_order)

    assert routes(recall, answers) == full(rule, panel, mind)
    assert Counter(answers) == Counter(others)
    assert set(mind.votes_asked().values()) <= {1}
    assert len(mind.asked) <= len(panel.models) * panel.runs


@pytest.mark.untraced
@settings(deadline=None)
@given(minds(), rules, rules, panels, panels, modes, modes, st.integers(0, 9), st.integers(0, 9))
def test_after_a_change_of_rule_panel_or_waves_the_votes_that_it_needs_are_asked_for_and_no_others(  # noqa: PLR0913, PLR0917
    mind: Checkers, rule: Rule, new: Rule, panel: Panel, other: Panel, waves: Any, then: Any, cut: int, order: int
) -> None:
    begun = polled(recalls(rule, waves, panel), mind, order, most=cut)
    changed = recalls(new, then, other)

    answers = polled(changed, mind, order, begun)

    assert routes(changed, answers) == full(new, other, mind)
    assert set(mind.votes_asked().values()) <= {1}


@pytest.mark.untraced
@settings(deadline=None)
@given(minds(), no_doubt, panels, modes, st.sampled_from(["keep", "discard"]), st.integers(1, 3), st.integers(0, 9))
def test_no_item_ends_otherwise_because_it_was_asked_less(  # noqa: PLR0913, PLR0917
    mind: Checkers, rule: Rule, panel: Panel, waves: Any, no_correct: str, least: int, order: int
) -> None:
    terms: dict[str, Any] = {"panel": panel, "no_correct": no_correct, "min_options": least}
    sparing, eager = recalls(rule, waves, **terms), recalls(rule, "eager", **terms)
    alike = Checkers(mind.says, mind.fails)

    ends = [
        recall.plan(state_of(recall, SEED, polled(recall, checkers, order)))
        for recall, checkers in ((sparing, mind), (eager, alike))
    ]

    states = [one.state if isinstance(one, Ending) else {due.about for due in one} for one in ends]
    assert states[0] == states[1]
    assert len(mind.asked) <= len(alike.asked) <= len(panel.models) * panel.runs


# -------------------------------------------------------------------------------------------------- the modes

UNITED = Checkers(
    {(text, f"{m}#{r}"): KEPT[label] for text, label in OPTIONS.items() for m in MODELS for r in (1, 2, 3)}
)
TWO_THIRDS = Rule(Fraction(2, 3), Fraction(5, 9))


@pytest.mark.parametrize(
    ("waves", "expected"),
    [
        ("eager", [9]),
        ("runs", [3, 3]),
        ("frugal", [5, 1]),
        (1, [9]),
        (2, [5, 4]),
        (3, [3, 3]),
        (4, [3, 2, 2]),
        (9, [1] * 6),
    ],
)
def test_a_panel_of_one_mind_is_asked_so_many_at_once(waves: Any, expected: list[int]) -> None:
    recall, answers, sizes = recalls(TWO_THIRDS, waves), list(MADE), []
    while not isinstance(plan := recall.plan(state_of(recall, SEED, answers)), Ending):
        sizes.append(len(plan))
        answers += [UNITED.answer(due) for due in plan]

    assert sizes == expected


def test_models_take_turns_in_the_order_in_which_the_campaign_names_them() -> None:
    strict_first = recalls(TWO_THIRDS, "frugal", Panel(("blue", "red", "green"), 2))

    assert [due.by for due in owed(strict_first, MADE)] == ["blue#1", "red#1", "green#1"]


@pytest.mark.parametrize("wrong", ["lazy", 0, 101, True, "3"])
def test_other_waves_are_refused(wrong: object) -> None:
    with pytest.raises(ValidationError, match="waves"):
        recalls(TWO_THIRDS, wrong)


def test_where_a_changed_rule_needs_a_vote_that_was_left_out_the_checker_is_asked_again_about_that_option_alone() -> (
    None
):
    half = Rule(Fraction(1, 2), Fraction(1, 2))
    panel = Panel(("red", "green"), 2)
    good = {"amber": "correct", "basin": "wrong", "cedar": "wrong"}
    stopped = [*MADE, *(ballot(f"{model}#1", good | {"basin": "cannot_say"}) for model in ("red", "green"))]
    stopped += [ballot(f"{model}#2", {"basin": "wrong"}) for model in ("red", "green")]
    strict = recalls(Rule(Fraction(4, 5), Fraction(1, 2), 3), "runs", panel)

    assert end(recalls(half, "runs", panel), stopped).state is ItemState.KEPT
    again = owed(strict, stopped)
    assert [due.key for due in again] == ["check_option/1.1/red/1", "check_option/1.1/green/1"]
    assert [{option.text for option in due.ask.options} for due in again] == [{"amber", "cedar"}] * 2

    whole = [
        *stopped,
        *(
            replace(ballot(f"{model}#2", {"amber": "correct", "cedar": "wrong"}), about="1.1")
            for model in ("red", "green")
        ),
    ]
    assert routes(strict, whole) == {"amber": Route.KEEP, "basin": Route.HUMAN, "cedar": Route.KEEP}


def test_votes_of_a_checker_that_has_left_the_panel_do_not_count() -> None:
    good = {"amber": "correct", "basin": "wrong", "cedar": "wrong"}
    said = [*MADE, ballot("red#1", good), ballot("green#1", good | {"amber": "flawed"})]
    rule = Rule(Fraction(4, 5), Fraction(1, 2))

    assert routes(recalls(rule, "runs", Panel(("red", "green"))), said)["amber"] is Route.HUMAN
    assert routes(recalls(rule, "runs", Panel(("red",))), said)["amber"] is Route.KEEP


# ------------------------------------------------------------------------- five checkers of three families (Show 1)

FIVE = {"glm-air": "glm", "glm-large": "glm", "mistral": "mistral", "qwen-large": "qwen", "qwen-small": "qwen"}
FIFTH = Rule(Fraction("0.8"), Fraction("0.2"), 3)


@pytest.mark.parametrize(
    ("votes", "expected"),
    [
        ("yyyyy", Route.KEEP),
        ("yyyyn", Route.KEEP),  # 4/5 is 0.8 exactly
        ("yyynn", Route.HUMAN),
        ("yynn-", Route.HUMAN),  # an abstention is not cast: 2 of 4
        ("yynnx", Route.HUMAN),  # nor is a failed call
        ("yyxxx", Route.HUMAN),  # two votes are fewer than the quorum
        ("nnxxx", Route.HUMAN),
        ("ynnnn", Route.HUMAN),  # 1/5 is 0.2 exactly, and not below it
        ("nnnnn", Route.REJECT),
        ("xxxxx", Route.HUMAN),
    ],
)
@pytest.mark.parametrize("waves", MODES)
def test_the_routes_that_the_readme_names(votes: str, expected: Route, waves: Any) -> None:
    models = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1") for name in (*FIVE, "writer")}
    recall = pipeline(models=models, panel=Panel(tuple(FIVE)), rule=FIFTH, refills=0, min_options=1, waves=waves)
    words = {"y": "correct", "n": "flawed", "-": "cannot_say", "x": "correct"}
    says = {(text, f"{model}#1"): words[vote] for model, vote in zip(FIVE, votes, strict=True) for text in OPTIONS}
    silent = frozenset(f"{model}#1" for model, vote in zip(FIVE, votes, strict=True) if vote == "x")

    assert routes(recall, polled(recall, Checkers(says, silent), 0))["amber"] is expected


# -------------------------------------------------------------------------------------------- what is never asked

REJECTED = {"amber": "wrong", "basin": "wrong", "cedar": "cannot_say"}
BEGUN = [*MADE, *(ballot(f"{model}#1", REJECTED) for model in ("red", "green"))]
TWICE = Panel(("red", "green"), 2)
HALF = Rule(Fraction(2, 3), Fraction(1, 2), 2)


def test_distractors_of_an_item_without_a_correct_option_left_are_not_asked_about_where_it_would_be_discarded() -> None:
    answers = [*BEGUN, *(ballot(f"{model}#2", REJECTED) for model in ("red", "green"))]
    three = {"panel": Panel(("red", "green"), 3), "rule": HALF, "refills": 0, "min_options": 1}

    verdict = end(pipeline(no_correct="discard", **three), answers)
    assert (verdict.state, verdict.cause) == (ItemState.DISCARDED, "no correct option kept")
    assert [option["lacks"] for option in json_of(verdict.body)["options"]][2] == ["red#3", "green#3"]
    asked = owed(pipeline(no_correct="keep", **three), answers)  # it becomes an item of which none is right
    assert {option.text for due in asked for option in due.ask.options} >= {"cedar"}


def test_distractors_are_not_even_written_where_no_correct_option_passed_the_gates_and_none_is_no_item() -> None:
    fallen = [*question(), correct("None")]

    assert end(pipeline(no_correct="discard"), fallen).cause == "no correct option kept"
    assert owed(pipeline(no_correct="keep"), fallen)[0].agent.name == "design_distractors"


def test_an_item_that_cannot_reach_its_least_number_of_options_ends_once_no_round_is_left() -> None:
    rule = Rule(Fraction(1), Fraction(1))
    flawed = {"amber": "cannot_say", "basin": "flawed", "cedar": "wrong"}
    answers = [*MADE, *(ballot(f"{model}#1", flawed) for model in ("red", "green"))]
    terms = {"rule": rule, "panel": TWICE, "min_options": 3}

    assert end(pipeline(refills=0, **terms), answers).detail == "2 options left, 3 needed"
    assert {due.agent.name for due in owed(pipeline(refills=1, **terms), answers)} == {"check_option"}


def test_an_item_does_not_end_in_the_midst_of_a_wave() -> None:
    rule = Rule(Fraction(1), Fraction(1))
    terms = {"rule": rule, "panel": TWICE, "min_options": 3, "refills": 0}

    assert [due.by for due in owed(pipeline(**terms), [*MADE, ballot("green#1", REJECTED | {"basin": "flawed"})])] == [
        "red#1"
    ]


def test_an_option_that_people_audit_may_yet_be_kept_so_its_item_goes_on() -> None:
    strict = pipeline(rule=HALF, panel=Panel(("red", "green")), no_correct="discard", refills=0, min_options=1)
    audited = Recall.of(replace(strict.campaign, review=Policy(audit=Fraction(1))), Path())
    answers = [*MADE, *(ballot(f"{model}#1", REJECTED | {"cedar": "wrong"}) for model in ("red", "green"))]

    assert end(strict, answers).cause == "no correct option kept"
    assert {due.to for due in owed(audited, answers)} == {HUMAN}
    people = [decision("amber", "keep", CORRECT), decision("basin", "keep"), decision("cedar", "keep")]
    assert end(audited, [*answers, *people]).state is ItemState.KEPT


# ------------------------------------------------------------------------------------------- a checker that is down

GOOD = {"amber": "correct", "basin": "wrong", "cedar": "wrong"}
ALL = Rule(Fraction(1), Fraction(1, 2))


def stood_in() -> Recall:
    models = {one: Model(one, "direct", one, "http://127.0.0.1:9/v1") for one in ("writer", "red", "green", "spare")}
    models["red"] = replace(models["red"], substitute="spare")
    return pipeline(models=models, panel=TWICE, rule=ALL, refills=0, min_options=1)


def down(about: str = "1", by: str = "red#1") -> Answer:
    return failure_answer("check_option", about, by, "unavailable", "nobody there")


def test_a_checker_that_is_down_has_its_vote_given_by_its_substitute_and_the_option_says_so() -> None:
    before = [*MADE, ballot("green#1", GOOD), down()]

    (due,) = owed(stood_in(), before)
    assert (due.key, due.to, {option.text for option in due.ask.options}) == (
        "check_option/1/spare/0",
        "spare",
        set(GOOD),
    )
    after = [*before, ballot("spare#1", GOOD)]
    assert [due.by for due in owed(stood_in(), after)] == ["red#2", "green#2"]
    (amber, *_) = stood_in().standings(state_of(stood_in(), SEED, after))
    assert (amber.count.cast, amber.substitute_votes) == (2, ("spare#1 for red#1",))


def test_any_other_failure_makes_the_panel_smaller() -> None:
    assert [due.by for due in owed(stood_in(), [*MADE, refused("check_option", "1", "red#1")])] == ["green#1"]


def test_where_the_substitute_fails_too_the_panel_is_smaller() -> None:
    both = [*MADE, ballot("green#1", GOOD), down(), down(by="spare#1")]

    assert [due.by for due in owed(stood_in(), both)] == ["red#2", "green#2"]


def test_asked_again_the_checkers_own_vote_takes_the_substitutes_place_or_else_that_counts_as_before() -> None:
    with_spare = [*MADE, ballot("green#1", GOOD), ballot("spare#1", GOOD)]  # its failure is withdrawn

    (due,) = owed(stood_in(), with_spare)
    assert due.key == "check_option/1/red/0"
    for answer, counted in ((ballot("red#1", GOOD), "red#1"), (down(), "spare#1")):
        (amber, *_) = stood_in().standings(state_of(stood_in(), SEED, [*with_spare, answer]))
        assert [vote.by for vote in amber.votes] == ["green#1", counted]


def test_a_checker_without_a_substitute_is_asked_again_too() -> None:
    recall = recalls(ALL, "runs", TWICE)
    with_failures = [*MADE, ballot("green#1", GOOD), down(), ballot("green#2", GOOD), down(by="red#2")]

    assert end(recall, with_failures).state is ItemState.KEPT
    with_failures.remove(down())
    assert [due.key for due in owed(recall, with_failures)] == ["check_option/1/red/0"]


def test_where_the_failure_of_a_round_was_withdrawn_that_round_is_asked_for_and_later_ones_keep_their_votes() -> None:
    """A first round failed, a second was written and voted on; then the failure of the first is withdrawn."""
    recall = recalls(ALL, "eager", Panel(("red", "green")), refills=2)
    second = {"amber": "correct", "basin": "correct"}  # its distractor falls
    votes = [ballot("red#1", second, 2), ballot("green#1", second, 2)]
    state = state_of(recall, SEED, [*question(), correct("amber"), distractors(2, "basin"), *votes])

    assert {one.option.text: one.count.cast for one in recall.standings(state)} == {"amber": 2, "basin": 2}
    assert [due.key for due in recall.plan(state)] == ["design_distractors/1/writer/0"]  # type: ignore[union-attr]


def test_where_an_earlier_ballot_was_withdrawn_the_next_one_takes_no_place_that_is_taken() -> None:
    """As in databases of earlier versions, in which a checker that had been down spoke in a place of its own."""
    first, *others = GOOD
    later = replace(ballot("red#1", {first: GOOD[first]}), about="1.1")

    (due,) = owed(recalls(ALL, "runs", TWICE), [*MADE, ballot("green#1", GOOD), later])
    assert (due.key, {option.text for option in due.ask.options}) == ("check_option/1.2/red/0", set(others))


# ------------------------------------------------------------------------------------------------ planted options

CITED = SPAN | {"text": "In 2021 the fever was seen in 41 people of Vodrik."}
COUNTED = [*question(), correct("41 people", span=CITED), distractors(1, *WRONG_ONES)]


def option(text: str, cited: str = str(CITED["text"]), gate: str | None = None) -> Option:
    return Option(name(text, CORRECT), CORRECT, text, "so", ({**SPAN, "text": cited},), 0, gate=gate)


def test_a_checker_is_tested_in_its_first_question_with_a_right_and_a_wrong_option_among_the_items_own() -> None:
    tested = pipeline(planted=1.0, panel=TWICE, rule=HALF, refills=0)
    dues = owed(tested, COUNTED)
    shown = [{option.id: option.text for option in due.ask.options} for due in dues]

    assert [due.by for due in dues] == ["red#1", "green#1"]
    assert all(len(one) == 5 and one[RIGHT] == CITED["text"] for one in shown)
    assert shown[0][WRONG] == shown[1][WRONG] == gold_options([option("41 people")], SEED.id)[1][1]
    assert [option.letter for option in dues[0].ask.options] == list("ABCDE")


def test_planted_options_cost_no_call_have_no_route_and_are_not_in_the_item() -> None:
    tested = pipeline(planted=1.0, panel=TWICE, rule=Rule(Fraction(1, 2), Fraction(1, 2), 2), refills=0)
    body = {"reason": "seen", "verdict": "correct"}
    good = {name("41 people", CORRECT): body, RIGHT: body, WRONG: body}
    good |= {name(text): body | {"verdict": "wrong"} for text in WRONG_ONES}
    ballots = [replace(ballot(f"{m}#1", {}), body=canonical({"verdicts": good})) for m in ("red", "green")]

    verdict = end(tested, [*COUNTED, *ballots])

    assert verdict.state is ItemState.KEPT
    assert [option["text"] for option in json_of(verdict.body)["options"]] == ["41 people", *WRONG_ONES]
    assert [*gold_verdicts(ballots)] == [
        Probe(model, right, called_right=True) for model in ("red", "green") for right in (True, False)
    ]
    assert list(gold_verdicts([*COUNTED, refused("check_option", "1", "red#1")])) == []


@pytest.mark.untraced
def test_only_a_seeded_share_of_the_items_is_tested_and_only_in_the_first_run() -> None:
    def tests(share: float, answers: Sequence[Answer] = COUNTED) -> list[bool]:
        recall = pipeline(planted=share, panel=TWICE, rule=HALF, refills=0)
        first = [owed(recall, answers, replace(SEED, slot=slot))[0] for slot in range(200)]
        return [any(option.id == RIGHT for option in due.ask.options) for due in first]

    divided = {"41 people": "cannot_say", "basin": "wrong", "cedar": "wrong"}
    first_run = [*COUNTED, *(ballot(f"{m}#1", divided, right=("41 people",)) for m in ("red", "green"))]
    assert 20 < sum(tests(0.2)) < 60
    assert tests(0.2) == tests(0.2)
    assert sum(tests(0.0)) == sum(tests(1.0, first_run)) == 0


def test_a_later_sheet_is_not_tested_again() -> None:
    tested = pipeline(planted=1.0, panel=Panel(("red",)), rule=TWO_THIRDS, refills=1, distractors=2)
    words = {"41 people": "correct", "basin": "flawed", "cedar": "wrong"}
    later = [*COUNTED, ballot("red#1", words, right=("41 people",)), distractors(2, "delta")]

    assert {option.text for option in owed(tested, later)[0].ask.options} == {"delta"}


def test_a_known_wrong_option_has_another_number_that_the_evidence_does_not_hold() -> None:
    for seed in range(50):
        (_, right), (_, wrong) = gold_options([option("41 people")], seed)
        assert right == CITED["text"]
        assert wrong.endswith(" people")
        assert wrong.split()[0] not in {"41", "2021"}
        assert 43 <= int(wrong.split()[0]) <= 70


@pytest.mark.parametrize("text", ["the east", "H5N1", "COVID-19", "12.5 per cent", "1,234 cases", "8th of May"])
def test_without_a_plain_number_the_wrong_option_is_of_no_document(text: str) -> None:
    assert gold_options([option(text)], 1)[1][1] in FOREIGN


def test_where_all_near_numbers_are_cited_the_wrong_option_is_of_no_document() -> None:
    cited = " ".join(str(41 + shift) for shift in range(40))

    assert change_number("41 people", cited, 1) is None


def test_nothing_is_planted_where_no_correct_option_passed_the_gates() -> None:
    assert gold_options([], 1) == gold_options([option("None", gate="placeholder")], 1) == ()


def test_campaigns_are_made_of_their_own_settings() -> None:
    with pytest.raises(ValidationError, match="planted"):
        Recall.of(campaign(planted=1.5), Path())
