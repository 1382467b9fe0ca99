"""Options that are known to be right or wrong: small edits, in every pipeline, and what people decided."""

from random import Random
from typing import Any

import pytest
from tests.contracts.pipeline import Run
from tests.pipelines.said import ballot, correct, decision, distractors
from tests.scripted_choice import RIGHT as ENDING
from tests.scripted_choice import Temper, inference, reconstruction, seeds, world

from benchwright.domain.campaign import Quota
from benchwright.domain.quality import Probe
from benchwright.domain.vote import Rule
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.option import CORRECT, Option
from benchwright.pipelines.choice.planted import (
    FOREIGN,
    RIGHT,
    WRONG,
    change_place,
    edit_slightly,
    gold_options,
    gold_verdicts,
    negate,
    plant,
)

CITED = "In 2021 the fever was seen in 41 people of Vodrik."


def option(text: str) -> Option:
    return Option("o", CORRECT, text, "so", ({"sentence": 1, "start": 0, "end": 9, "text": CITED},), 0)


def edits(text: str) -> set[str | None]:
    """What the seeds make of a text."""
    return {edit_slightly(text, CITED, seed) for seed in range(60)}


@pytest.mark.parametrize(
    ("text", "edited"),
    [
        ("Cases rose with the rain", "Cases fell with the rain"),
        ("Boosters given later protect", "Boosters given earlier protect"),
        ("It lasted two weeks", "It lasted two months"),
        ("The wells were closed", "The wells were not closed"),
        ("The wells were not closed", "The wells were closed"),
        ("Nets do not help", "Nets do help"),
    ],
)
def test_one_word_makes_a_right_option_wrong(text: str, edited: str) -> None:
    assert edits(text) == {edited}


def test_the_kind_of_edit_is_drawn_among_those_that_can_be_made() -> None:
    found = edits("Cases rose in 41 people within weeks")
    assert {"Cases fell in 41 people within weeks", "Cases rose in 41 people within months"} <= found
    assert len(found) > 3  # and other numbers


def test_a_place_gives_way_to_one_that_does_not_exist_and_a_month_is_no_place() -> None:
    assert change_place("Most fell ill in Quelm", CITED, 1) in {
        f"Most fell ill in {place}" for place in ("Ulvey", "Grenmoor", "Hadderfoss", "Tavel", "Lower Tarn")
    }
    assert change_place("Most fell ill in March", CITED, 1) is None
    assert change_place("in Quelm", "Ulvey Grenmoor Hadderfoss Tavel Lower Tarn", 1) is None
    assert negate("the east") is None


def test_where_no_edit_can_be_made_the_wrong_option_is_of_no_document() -> None:
    ((name, text),) = gold_options([option("the east")], 1, stated=False)
    assert (name, text in FOREIGN) == (WRONG, True)


def test_a_cited_sentence_is_right_only_where_a_sentence_may_be_the_answer() -> None:
    assert [name for name, _ in gold_options([option("41 people")], 1)] == [RIGHT, WRONG]
    assert [name for name, _ in gold_options([option("41 people")], 1, stated=False)] == [WRONG]
    assert plant([option("41 people")], 0.0, (1, "x"), stated=True) == ()


@pytest.mark.parametrize("make", [inference, reconstruction])
def test_every_pipeline_tests_its_checkers_and_no_planted_option_is_in_its_items(make: Any) -> None:
    made = make(quota=Quota(2), planted=1.0, refine=False, rule=Rule(1, 0, 1))  # type: ignore[arg-type]
    here = world(made, Temper())
    run = Run(made, seeds(made, 1)[0], here.say)
    end = run.to_the_end(Random(0))

    shown = [{one.id: one.text for one in due.ask.options} for due, _ in here.asked if "check_" in due.agent.name]
    assert any(WRONG in one for one in shown)
    assert not any(RIGHT in one for one in shown)
    assert isinstance(end.body, Body)
    assert WRONG not in {one.id for one in end.body.options}
    probes = [*made.kind.probes(run.answers)]
    assert {probe.model for probe in probes if not probe.right} == {"red", "green", "blue"}
    assert any(text.endswith(ENDING) for one in shown for text in one.values())


def test_what_people_decided_is_known_where_nothing_right_was_planted() -> None:
    written = [correct("amber", "fjord"), distractors(1, "basin", "cedar", "delta")]
    said = {"amber": "correct", "fjord": "correct", "basin": "correct", "cedar": "wrong", "delta": "wrong"}
    votes = ballot("red#1", said, right=("amber", "fjord"))
    words = [
        decision("amber", "keep", CORRECT),
        decision("fjord", "reject", CORRECT),
        decision("basin", "keep"),
        decision("basin", "cannot_say", by="human:bob"),
        decision("cedar", "reject"),  # wrong or no option at all: nobody knows
        decision("delta", "keep"),
        decision("delta", "reject", by="human:bob"),  # they differ
    ]
    assert [*gold_verdicts([*written, votes, *words])] == [
        Probe("red", right=True, called_right=True),
        Probe("red", right=False, called_right=True),
        Probe("red", right=False, called_right=True),
    ]
