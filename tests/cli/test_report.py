"""The end of a run, drawn from values."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import time_machine
from tests.bodies import inference, option, reconstruction
from tests.cli.status import drawn, status
from tests.pipelines.said import ballot, correct, distractors, question
from tests.scripted_recall import campaign, document

from benchwright.app import Opened, Report, count_items
from benchwright.domain.campaign import Panel
from benchwright.domain.document import whole
from benchwright.domain.item import Seed, discarded_ending, kept_ending
from benchwright.domain.vote import Rule
from benchwright.engine.intake import Intake
from benchwright.engine.runner import Ended, How
from benchwright.glance import place
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.report import ChoiceReport, sentences
from benchwright.show.report import CODES, report
from benchwright.store import documents, items
from benchwright.store.database import Connection, Database

MAKEUP: dict[str, Any] = {
    "right_options": {
        "none": {"items": 2, "intended": 1},
        "one": {"items": 9, "intended": 8},
        "several": {"items": 1, "intended": 3},
    },
    "difficulty": {"items": 12, "easy_as_written": 7, "rewritten": 4, "easy": 3, "hard": 9, "unknown": 0},
    "knowledge": {"items": 12, "given": 6, "used": 1},
}


def told(how: How = How.DONE, **changes: Any) -> str:
    """What is printed at the end of such a run."""
    values: dict[str, Any] = {
        "ended": Ended(how, "why"),
        "status": status(),
        "intake": Intake(4, 0),
        "shortfalls": (),
        "example": "0123456789abcdef",
        "embedded": False,
    }
    return drawn(report(Path("my set/plan.toml"), Report(**values | changes)))


def test_every_end_has_a_code_of_its_own() -> None:
    assert set(CODES) == set(How)
    assert len(set(CODES.values())) == len(How)


def test_a_paused_run_says_first_how_to_go_on() -> None:
    lines = told(How.PAUSED).splitlines()
    assert lines[0] == "paused: why"
    assert lines[lines.index("next") + 1].endswith("benchwright run 'my set/plan.toml'")


def test_a_run_that_paused_for_a_quota_says_when_there_is_more() -> None:
    with time_machine.travel("2026-11-30T14:05:00Z", tick=False):
        ended = Ended(How.PAUSED, "model 'x' gives no more", "quota", "2026-11-30T15:04:00+00:00")
        first = told(How.PAUSED, ended=ended).splitlines()[0]
    assert first.startswith("paused (quota): model 'x' gives no more; more at 2026-1")
    assert first.endswith("(in 59 min 0 s): then run the same command")


def test_a_run_that_paused_for_a_budget_says_so() -> None:
    lines = told(How.PAUSED, ended=Ended(How.PAUSED, "0.10 of 1.00 left", "budget")).splitlines()
    assert lines[0] == "paused (budget): 0.10 of 1.00 left"


def test_an_example_is_named_with_an_id_that_can_be_typed() -> None:
    assert "benchwright explain 'my set/plan.toml' 0123456789\n" in told()
    assert "explain" not in told(example=None)


def test_only_what_makes_sense_is_offered() -> None:
    empty = told(status=status(items={}, queues={}))
    assert "review export" not in empty
    assert "benchwright export" not in empty
    assert "made: 0 kept of 4; 0 discarded\n" in empty


def test_options_are_counted_by_their_fate() -> None:
    counts = ChoiceReport(campaign(), fates=Counter({"human": 1, "keep": 3, "reject": 2}))
    assert counts.lines() == ["options: 3 kept, 2 rejected, 1 for people to decide"]
    assert ChoiceReport(campaign()).lines() == []
    assert "every pair is graded\n" in told(lines=("every pair is graded",))


def test_a_run_on_the_embedded_model_alone_says_what_that_is_worth() -> None:
    assert "a real model" not in told().casefold()
    small = " ".join(told(embedded=True).split())
    assert "shows the machinery, not a usable set. A real model, named in the campaign file, makes the set." in small


def test_files_that_came_too_late_are_told() -> None:
    assert "ignored 2 files that came after" in told(intake=Intake(4, 0, ("a.md", "b.md")))


def test_shortfalls_are_a_table_by_cause() -> None:
    text = told(How.PARTIAL, shortfalls=(("too few options", 3), ("write_question: refused", 1)))
    assert "    3  too few options\n" in text
    assert "    1  write_question: refused\n" in text


def test_what_kept_items_tell_of_right_options_stems_and_graphs_is_a_sentence_each() -> None:
    lines = list(sentences(MAKEUP))
    assert "right options: kept items 2 with none (1 meant), 9 with one (8 meant), 1 with several (3 meant)" in lines
    assert "stems: 7 of 12 were easy as written; 4 have been rewritten; 3 are still easy" in lines
    assert "knowledge: 1 of 12 kept items used what graphs know (8.3 %)" in lines


def test_stems_that_nobody_could_measure_are_told_too() -> None:
    (unknown,) = sentences({"difficulty": MAKEUP["difficulty"] | {"unknown": 2}})
    assert unknown.endswith("3 are still easy, 2 of unknown difficulty")


def test_a_run_of_recall_says_nothing_of_what_its_items_have_not() -> None:
    assert not {"right", "stems:", "knowledge:"} & set(told().split())


@pytest.mark.parametrize(("over", "where"), [(False, "human"), (True, "open")])
async def test_what_a_discarded_item_left_to_people_is_not_for_them_any_more(
    over: bool, where: str, tmp_path: Path
) -> None:
    asking = campaign(panel=Panel(("red", "green")), rule=Rule(Fraction(2, 3), Fraction(1, 2), 2))
    votes = {"amber": "correct", "basin": "wrong", "cedar": "wrong"}
    split = [ballot("red#1", votes), ballot("green#1", votes | {"cedar": "correct"})]
    answers, source = [*question(), correct("amber"), distractors(1, "basin", "cedar"), *split], document(1)

    def put(connection: Connection) -> None:
        documents.admit(connection, source, whole(source))
        seq = items.add(connection, Seed(0, 0, whole(source)))
        assert seq
        for said in answers:
            items.say(connection, seq, said, "now")
        if over:
            items.move(connection, seq, discarded_ending("too few options"))

    async with await Database.open(None, create=True) as database:
        await database.write(put)
        begun = Opened(place(tmp_path / "x.toml"), asking, Recall.of(asking, tmp_path), database)
        found = await database.read(lambda connection: count_items(connection, begun))
    assert found.summary()["options"] == {"keep": 2, where: 1}


async def test_kept_items_are_counted_by_their_final_forms(tmp_path: Path) -> None:
    asking = campaign(knowledge={"graphs": [{"form": "triples", "path": "facts.csv"}]})
    panel = asking.roles["check_option"]
    asking = replace(asking, roles=dict.fromkeys((role.name for role in Inference.roles), panel))
    bare = inference(intended="", knowledge={"given": 0, "used": []}, options=[option("a")], order=["a"])
    del bare["difficulty"]
    source = document(1)

    def put(connection: Connection) -> None:
        documents.admit(connection, source, whole(source))
        for slot, body in enumerate((inference(), reconstruction(), bare)):
            seq = items.add(connection, Seed(slot, 0, whole(source)))
            assert seq
            items.move(connection, seq, kept_ending("kept", body))
        items.add(connection, Seed(9, 0, whole(source)))

    async with await Database.open(None, create=True) as database:
        await database.write(put)
        begun = Opened(place(tmp_path / "x.toml"), asking, Inference.of(asking, tmp_path), database)
        found = (await database.read(lambda connection: count_items(connection, begun))).summary()
    assert found["options"] == {"keep": 7, "reject": 2}
    assert found["right_options"] == {
        "none": {"items": 1, "intended": 1},
        "one": {"items": 1, "intended": 1},
        "several": {"items": 0, "intended": 0},
    }
    assert found["knowledge"] == {"items": 2, "given": 1, "used": 1}
    assert (found["difficulty"]["items"], found["difficulty"]["rewritten"]) == (2, 1)
