"""The end of a run, drawn from values."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import time_machine
from tests.bodies import inference, option, reconstruction
from tests.cli.status import drawn, status
from tests.scripted_recall import campaign, document

from benchwright.app import Report, count_items
from benchwright.begun import Opened
from benchwright.domain.document import whole
from benchwright.domain.item import Seed, kept_ending
from benchwright.engine.intake import Intake
from benchwright.engine.runner import Ended, How
from benchwright.glance import place
from benchwright.pipelines.choice.inference import Inference
from benchwright.show.report import CODES, report
from benchwright.show.standing import draw_status
from benchwright.store import documents, items
from benchwright.store.database import Connection, Database


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


def test_a_phase_that_people_hold_back_is_named_with_the_way_to_begin_it_without_them() -> None:
    waiting = {"human": {"ready": 2}}
    one = told(How.WAITING, ended=Ended(How.WAITING, "why", phase="pairs"), status=status(queues=waiting))
    way = "before the phase pairs can begin ([items] wait_for_people = false begins it without these items)"
    assert way in one.replace("\n", " ")
    assert "benchwright review serve 'my set/plan.toml'" in one
    held = status(ended={"how": "waiting", "reason": "why", "phase": "pairs"}, queues=waiting)
    assert way in drawn(draw_status(held)).replace("\n", " ")


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


def test_the_kind_says_in_its_own_sentences_what_was_made() -> None:
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
