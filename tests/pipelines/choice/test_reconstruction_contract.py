"""The reconstruction pipeline under the contract of all pipelines, in good and bad worlds."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contracts.pipeline import Run, pipeline_contract
from tests.scripted_choice import Temper, reconstruction, seeds, world
from tests.scripted_recall import CHECKED

from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import Policy
from benchwright.domain.vote import Rule

pytestmark = pytest.mark.untraced  # whole items, from every cut again

QUOTA = Quota(4)
MIXED = {"several_correct": 0.5, "none_correct": 0.25}  # slots 0 to 3: one, several, several, none
ONCE = {"rounds": 1, "measures": 1}
PEOPLE = Rule(Fraction(1), Fraction(0))
WORLDS: dict[str, tuple[Temper, dict[str, Any]]] = {
    "good": (Temper(), {"refine": {"rounds": 2}}),
    "paper": (Temper(), {"rule": Rule(Fraction(4, 5), Fraction(7, 10), 4), "refine": ONCE, **MIXED}),
    "people": (Temper(), {"rule": PEOPLE, "panel": Panel(("red", "green")), "refine": ONCE, **MIXED}),
    "audited": (Temper(0.05), {"review": Policy(2, audit=Fraction(1, 2)), "panel": Panel(("red",)), "refine": ONCE}),
    "bad": (Temper(0.1, 0.2, 0.5, 0.3), {"min_options": 2, "refine": ONCE, **MIXED}),
    "checked": (Temper(0.05), {"refine": ONCE, "review": Policy(2, audit=Fraction(1, 3)), **CHECKED, **MIXED}),
    "silent": (Temper(0.2, judges=1.0), {"refine": ONCE, "no_correct": "keep", "min_options": 1, **MIXED}),
    "frugal": (Temper(0.05, 0.1, searches=1.0), {"refine": ONCE, "waves": "frugal", **MIXED}),
}


@pytest.mark.parametrize("name", WORLDS)
def test_every_item_ends_the_same_way_in_any_order_and_after_any_cut(name: str) -> None:
    temper, parts = WORLDS[name]
    made, place = reconstruction(quota=QUOTA, **parts), 2 * [*WORLDS].index(name)

    ends = pipeline_contract(made, seeds(made, 24)[place : place + 2], world(made, temper).say, orders=2, ends_of=9)

    assert {end.state for end in ends} <= {ItemState.KEPT, ItemState.DISCARDED}
    assert all(end.cause for end in ends)


@settings(max_examples=15, deadline=None)
@given(
    order=st.integers(0, 10**9),
    slot=st.integers(0, 23),
    refuses=st.sampled_from([0.0, 0.05, 0.3]),
    refills=st.integers(0, 2),
    wanted=st.integers(1, 6),
)
def test_the_order_of_arrival_never_matters(order: int, slot: int, refuses: float, refills: int, wanted: int) -> None:
    made = reconstruction(quota=QUOTA, refills=refills, distractors=wanted, min_options=1, refine=ONCE, **MIXED)
    say, seed = world(made, Temper(refuses, 0.2, 0.3, refuses)).say, seeds(made, 24)[slot]

    usual, other = Run(made, seed, say), Run(made, seed, say)

    assert usual.to_the_end(Random(0)) == other.to_the_end(Random(order))
    assert sorted(usual.answered) == sorted(other.answered)
