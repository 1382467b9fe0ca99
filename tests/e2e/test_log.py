"""The log of real command lines, one of which is killed: every line is whole, and the next run appends to them."""

import json
from collections import Counter
from pathlib import Path

from tests.e2e import die
from tests.e2e.machine import campaign, command
from tests.e2e.models import serving

from benchwright.show.code import Code


def test_a_killed_run_leaves_whole_lines_and_the_next_appends_to_them(tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    with serving(0.01) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=2, width=2, distractors=2)
        assert command("close", 6, "run", file, "--log", log, main=die.main).code == 9
        killed = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
        # The sixth kills, and takes with it those that were to be committed in the same breath.
        assert 1 <= Counter(line["event"] for line in killed)["answer"] <= 5
        assert killed[-1]["event"] != "end"
        ended = command("resume", file, "--log", log)
    assert ended.code in {Code.DONE, Code.WAITING, Code.PARTIAL}
    found = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    assert found[: len(killed)] == killed
    assert [line["event"] for line in found].count("start") == 2
    assert found[-1]["event"] == "end"
    assert {line["campaign"] for line in found} == {killed[0]["campaign"]}


def test_a_log_that_cannot_be_opened_costs_nothing(tmp_path: Path) -> None:
    with serving(0.01) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1, width=1)
        ended = command("run", file, "--log", tmp_path)
        assert (ended.code, models.traces) == (Code.USAGE, [])
    assert "the log cannot be opened: Is a directory" in ended.err
