"""The inference pipeline under the contract of all pipelines, in good and bad worlds, and who sees what graphs know."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.pipeline import Run, pipeline_contract
from tests.pipelines.said import json_of
from tests.scripted_choice import FOREIGN, KNOWN, RULE, Temper, inference, seeds, world
from tests.scripted_recall import CHECKED

from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule

pytestmark = pytest.mark.untraced  # whole items, from every cut again

QUOTA = Quota(4)
MIXED = {"several_correct": 0.5, "none_correct": 0.25}  # slots 0 to 3: one, several, several, none
ONCE = {"rounds": 1, "measures": 1}
WORLDS: dict[str, tuple[Temper, dict[str, Any]]] = {
    "good": (Temper(), {"refine": {"rounds": 2}}),
    "paper": (Temper(), {"rule": Rule(Fraction(4, 5), Fraction(7, 10), 4), "refine": ONCE, **MIXED}),
    "people": (Temper(), {"rule": Rule(Fraction(1), Fraction(0)), "panel": Panel(("red", "green")), "refine": ONCE}),
    "audited": (Temper(0.05), {"review": Policy(2, audit=Fraction(1, 2)), "panel": Panel(("red",)), "refine": ONCE}),
    "checked": (Temper(0.05), {"refine": ONCE, "review": Policy(2, audit=Fraction(1, 3)), **CHECKED}),
    "bad": (Temper(0.1, 0.2, 0.5, 0.3, foreign=True), {"min_options": 2, "refine": ONCE, **MIXED}),
    "silent": (Temper(0.3, judges=1.0), {"refine": ONCE, "no_correct": "keep", "min_options": 1}),
    "unknown": (Temper(0.05, 0.1, searches=1.0), {"refine": ONCE, "panel": Panel(("red", "green", "blue")), **MIXED}),
}


@pytest.mark.parametrize("name", WORLDS)
def test_every_item_ends_the_same_way_in_any_order_and_after_any_cut(name: str) -> None:
    temper, parts = WORLDS[name]
    made, place = inference(quota=QUOTA, **parts), 2 * [*WORLDS].index(name)

    ends = pipeline_contract(made, seeds(made, 24)[place : place + 2], world(made, temper).say, orders=2, ends_of=9)

    assert {end.state for end in ends} <= {ItemState.KEPT, ItemState.DISCARDED}
    assert all(end.cause for end in ends)


@settings(max_examples=15, deadline=None)
@given(
    order=st.integers(0, 10**9),
    slot=st.integers(0, 23),
    refuses=st.sampled_from([0.0, 0.05, 0.3]),
    refills=st.integers(0, 2),
    wanted=st.integers(1, 7),
)
def test_the_order_of_arrival_never_matters(order: int, slot: int, refuses: float, refills: int, wanted: int) -> None:
    made = inference(quota=QUOTA, refills=refills, distractors=wanted, min_options=1, refine={"rounds": 2}, **MIXED)
    say, seed = world(made, Temper(refuses, 0.2, 0.3, refuses, foreign=True)).say, seeds(made, 24)[slot]

    usual, other = Run(made, seed, say), Run(made, seed, say)

    assert usual.to_the_end(Random(0)) == other.to_the_end(Random(order))
    assert sorted(usual.answered) == sorted(other.answered)


def test_what_graphs_know_is_shown_to_the_writer_of_the_question_and_to_nobody_else() -> None:
    made = inference(quota=QUOTA, rule=Rule(Fraction(1), Fraction(0)), refine={"rounds": 1})
    here, kept = world(made, Temper()), 0
    for seed in seeds(made, 18):
        kept += Run(made, seed, here.say).to_the_end(Random(1)).state is ItemState.KEPT

    told = [known for fact in KNOWN for known in (fact.id, fact.subject.name, fact.object.name)]
    seen = {due.agent.name: f"{due.ask} {call.messages}" for due, call in here.asked}
    for due, call in here.asked:
        seen[due.agent.name] += f"{due.ask} {call.messages}"
    others = {key.partition("/")[0]: str(ask) for _, key, ask in here.said if key.split("/")[2] in {"human", "search"}}

    assert kept > 3
    assert others.keys() == {"review_option", "look_up"}
    assert all(known not in text for text in others.values() for known in told)
    knowing = {name for name, text in seen.items() if any(known in text for known in told)}
    assert knowing == {"summarise_knowledge", "write_inference"}
    assert seen.keys() >= {"infer_correct_options", "infer_distractors", "check_inference", "judge_item", "pick_entity"}


def test_no_kept_option_says_what_only_graphs_told_of() -> None:
    made = inference(quota=Quota(6), rule=RULE, refine=False, min_options=1)
    here = world(made, Temper(foreign=True))
    runs = [(seed, Run(made, seed, here.say).to_the_end(Random(1)).body) for seed in seeds(made, 24)]
    bodies = [json_of(body) for _, body in runs if body]
    options = [(body["knowledge"]["given"], option) for body in bodies for option in body["options"]]
    naming = [(given > 0, option["gate"], option["fate"]) for given, option in options if FOREIGN in option["text"]]

    assert {fallen for fallen in naming if fallen[0]} == {(True, "outside_knowledge", "reject")}
    assert (False, None, "keep") in naming
