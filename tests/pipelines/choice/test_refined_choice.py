"""How many options of an item are right on purpose, and what the refinement of its stem changes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tests.contracts.pipeline import Run
from tests.pipelines.choice.test_inference import GOOD, THREE, checks
from tests.pipelines.said import SEED, decision, end, json_of, name, owed, said
from tests.scripted_choice import Choice, Temper, inference, reconstruction, seeds, world

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState
from benchwright.domain.vote import Rule
from benchwright.pipelines.base import Due, state_of
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.shares import NONE, ONE, SEVERAL

ONLY_ONE = {"several_correct": 0, "none_correct": 0}
TWO = Panel(("red", "green"))


def intended(made: Choice, slots: int) -> list[str]:
    return [made.settings.intended_share(replace(SEED, slot=slot)) for slot in range(slots)]


# ------------------------------------------------------------------------------------------------ how many are right


@pytest.mark.parametrize(
    ("several", "none", "counts"),
    [(0.25, 0.1, (5, 2)), (0, 0, (0, 0)), (1, 0, (20, 0)), (0, 1, (0, 20)), (0.5, 0.5, (10, 10)), (0.3, 0.7, (6, 14))],
)
def test_the_shares_come_out_exactly_over_twenty_slots(several: float, none: float, counts: tuple[int, int]) -> None:
    for made in (inference, reconstruction):
        kinds = Counter(intended(made(several_correct=several, none_correct=none), 20))
        assert (kinds[SEVERAL], kinds[NONE], kinds[ONE]) == (*counts, 20 - sum(counts))


@given(several=st.integers(0, 100), none=st.integers(0, 100), slots=st.integers(0, 60))
def test_after_any_number_of_slots_each_share_is_as_near_as_whole_items_can_be(
    several: int, none: int, slots: int
) -> None:
    several = min(several, 100 - none)
    made = inference(several_correct=several / 100, none_correct=none / 100)
    kinds = Counter(intended(made, slots))

    assert kinds[NONE] == floor(slots * Fraction(none, 100))
    assert kinds[SEVERAL] == (floor((slots - kinds[NONE]) * Fraction(several, 100 - none)) if several else 0)
    assert -1 < kinds[SEVERAL] - slots * Fraction(several, 100) <= 1


def test_a_next_try_at_a_slot_means_as_many() -> None:
    made = inference(several_correct=0.5, none_correct=0.25)
    assert intended(made, 8) == [made.settings.intended_share(replace(SEED, slot=slot, attempt=3)) for slot in range(8)]
    assert intended(made, 4) == [ONE, SEVERAL, SEVERAL, NONE]


def test_shares_of_more_than_all_items_are_refused() -> None:
    with pytest.raises(ValidationError, match="more than 1 together"):
        inference(several_correct=0.6, none_correct=0.41)
    assert set(intended(inference(several_correct=0.1, none_correct=0.9), 50)) == {SEVERAL, NONE}


def test_withheld_correct_options_are_written_and_checked_and_then_not_among_those_shown() -> None:
    made = inference(panel=TWO, refine=False, none_correct=1, several_correct=0)
    verdict = end(made, [*THREE, *checks(GOOD)])

    assert (verdict.state, verdict.cause) == (ItemState.KEPT, "kept without a correct option")
    assert sorted(json_of(verdict.body)["order"]) == sorted(map(name, ("basin", "cedar", "delta")))
    fates = {option["text"]: (option["fate"], option["ratio"]) for option in json_of(verdict.body)["options"]}
    assert (fates["amber"], json_of(verdict.body)["intended"]) == (("keep", "2/2"), NONE)


def test_where_the_correct_option_to_be_withheld_is_none_the_item_is_no_item() -> None:
    made = inference(panel=TWO, refine=False, none_correct=1, several_correct=0)
    assert end(made, [*THREE, *checks(GOOD | {"amber": "wrong"})]).cause == "no correct option kept"


def test_the_fewest_options_are_counted_among_those_shown() -> None:
    flawed = [*THREE, *checks(GOOD | {"delta": "flawed"})]
    parts: dict[str, Any] = {"panel": TWO, "refine": False, "refills": 0, "several_correct": 0}

    assert end(inference(**parts, none_correct=0), flawed).cause == "kept"
    short = end(inference(**parts, none_correct=1), flawed)
    assert (short.cause, short.detail) == ("too few options", "2 options left, 3 needed")


# ------------------------------------------------------------------------------------------------ refinement

PHRASE = "the wet hut"


def refined(**parts: Any) -> Choice:
    """Two judges, two checkers, everything measured once."""
    settings = {"refine": {"measures": 1, "margin": 0, "rounds": 1, "replace": 0}, **ONLY_ONE, "panel": TWO, **parts}
    return inference(rule=Rule(Fraction(1), Fraction(1, 2), 1), topics="model", **settings)


STEM = "What follows from the ferry?"
VOTED = [
    *(a if a.step != "write_inference" else said(a.step, {**a.value, "question": STEM}) for a in THREE),
    *checks(GOOD),
]


def judged(due: Due, *right: str) -> Answer:
    body = {"answers": {one.id: {"reason": "so", "right": one.text in right} for one in due.ask.options}}
    return Answer(due.agent.name, due.about, due.by, canonical(body))


def told(due: Due) -> Answer:
    """One good answer to each thing that a refinement owes; an item is easy as long as it names the ferry."""
    bodies: dict[str, Any] = {
        "pick_entity": {"rationale": "so", "kind": "method", "entity": "ferry"},
        "look_up": {"snippets": [{"text": "t", "url": "https://a.example", "title": ""}], "by": "glossary"},
        "describe_entity": {
            "rationale": "so", "sources": [1], "phrase": PHRASE, "question": STEM.replace("the ferry", PHRASE)
        },
        "compare_stems": {"reason": "so", "verdict": "same"},
    }  # fmt: skip
    if due.agent.name == "judge_item":
        return judged(due, *(("amber",) if due.ask.question == STEM else ("cedar",)))
    return Answer(due.agent.name, due.about, due.by, canonical(bodies[due.agent.name]))


def finished(made: Choice, answers: Sequence[Answer], until: str = "") -> list[Answer]:
    """All answers until something of this step is owed, or to the end."""
    answers = list(answers)
    while not isinstance(dues := made.plan(state_of(made, SEED, answers)), Ending) and dues[0].agent.name != until:
        answers += map(told, dues)
    return answers


def test_a_refined_stem_replaces_the_questions_and_every_version_is_stored() -> None:
    made = refined()
    body = json_of(end(made, finished(made, VOTED)).body)

    assert body["question"]["question"] == "What follows from the wet hut?"
    assert len(body["question"]["evidence"]) == 2
    assert [version["stem"] for version in body["difficulty"]["versions"]] == [STEM, "What follows from the wet hut?"]
    assert (body["difficulty"]["best"], body["difficulty"]["level"]) == (1, "hard")
    assert len(body["order"]) == 4


def test_where_the_search_fails_the_item_is_kept_with_its_own_stem_and_says_so() -> None:
    made = refined()
    answers = finished(made, VOTED, "look_up")
    (look,) = owed(made, answers)
    body = json_of(end(made, [*answers, failure_answer("look_up", look.about, look.by, "crashed", "202")]).body)

    assert body["question"]["question"] == STEM
    assert body["difficulty"]["rounds"][0]["end"] == "nothing was found; crashed: 202"


def test_judges_get_the_options_that_will_be_shown_and_are_measured_by_the_right_ones_among_them() -> None:
    withheld = refined(none_correct=1)
    dues = owed(withheld, VOTED)

    assert {tuple(sorted(one.text for one in due.ask.options)) for due in dues} == {("basin", "cedar", "delta")}
    verdict = end(withheld, [*VOTED, *(judged(due, "basin") for due in dues)])
    assert json_of(verdict.body)["difficulty"]["level"] == "hard"
    easy = VOTED
    while (dues := owed(withheld, easy))[0].agent.name == "judge_item":
        easy = [*easy, *map(judged, dues)]  # nothing is right, and they say so
    assert dues[0].agent.name == "pick_entity"


def test_without_refinement_no_judge_is_asked() -> None:
    verdict = end(refined(refine=False), VOTED)
    assert (json_of(verdict.body)["question"]["question"], "difficulty" in json_of(verdict.body)) == (STEM, False)


def test_an_item_that_will_be_discarded_is_not_judged() -> None:
    assert end(refined(min_options=5), VOTED).cause == "too few options"


def test_when_people_change_their_minds_after_refinement_began_the_options_that_are_left_are_judged_anew() -> None:
    made = refined(refills=0, roles={"check_inference": TWO})
    divided = [*VOTED[: len(THREE)], checks(GOOD)[0], checks(GOOD | {"delta": "flawed"})[1]]
    assert [due.about for due in owed(made, divided)] == [name("delta")]
    keeps = [*divided, decision("delta", "keep")]
    began = finished(made, keeps, "look_up")
    rejects = [*began, decision("delta", "reject", by="human:ada#2")]

    anew = owed(made, rejects)
    assert {due.agent.name for due in anew} == {"judge_item"}
    assert {len(due.ask.options) for due in anew} == {3}
    assert {due.key for due in anew}.isdisjoint(f"{a.step}/{a.about}/{a.by[:-2]}/0" for a in began)
    body = json_of(end(made, finished(made, rejects)).body)
    assert (len(body["order"]), len(body["difficulty"]["versions"])) == (3, 2)

    back = [*rejects, decision("delta", "keep", by="human:ada#3")]
    assert [due.agent.name for due in owed(made, back)] == ["look_up"]  # as if nothing had happened


@pytest.mark.untraced
@pytest.mark.parametrize("made", [inference, reconstruction])
def test_in_a_whole_world_easy_items_are_refined_and_hard_ones_left_alone(made: Any) -> None:
    pipeline = made(quota=Quota(4))
    here = world(pipeline, Temper())
    ends = [Run(pipeline, seed, here.say).to_the_end(Random(0)) for seed in seeds(pipeline, 16)]
    kept = [json_of(one.body) for one in ends if one.state is ItemState.KEPT and one.body]

    versions = Counter(len(body["difficulty"]["versions"]) for body in kept)
    assert versions[1]
    assert versions.total() > versions[1]
    for body in kept:
        best = body["difficulty"]["versions"][body["difficulty"]["best"]]
        assert body["question"]["question"] == best["stem"]
        right = [option["id"] for option in body["options"] if option["label"] == CORRECT]
        assert bool(set(right) & set(body["order"])) == (body["intended"] != NONE)


@pytest.mark.parametrize(
    "wrong", [{"several_correct": 1.1}, {"none_correct": -0.1}, {"most_correct": 1}, {"refine": {"rounds": 11}}]
)
def test_settings_outside_their_bounds_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match=next(iter(wrong))):
        inference(**wrong)
