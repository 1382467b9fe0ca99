"""Stopping a run: Ctrl-C once, Ctrl-C twice, `pause` from another process; the same command goes on."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.machine import Command, begin, campaign, command, ledger, rows, sound, until
from tests.e2e.models import Models, serving

from benchwright.show.code import Code

Stop = Callable[[Command, Path], None]


def interrupt(run: Command, file: Path) -> None:
    run.signal(signal.SIGINT)


def terminate(run: Command, file: Path) -> None:
    run.signal(signal.SIGTERM)


def pause(run: Command, file: Path) -> None:
    assert command("pause", file).code == Code.DONE


def goes_on(file: Path, models: Models) -> None:
    """The same command ends the campaign."""
    assert command("run", file).code in {Code.DONE, Code.WAITING}
    assert {entry.state for entry in ledger(file).values()} == {"done"}
    sound(file)


@pytest.mark.parametrize("stop", [interrupt, terminate, pause], ids=["Ctrl-C", "SIGTERM", "pause"])
def test_a_stop_finishes_what_runs_and_starts_nothing_more(tmp_path: Path, stop: Stop) -> None:
    with serving(1) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=3)
        run = begin("run", file)
        until(lambda: models.traces, "calls are in flight")
        stop(run, file)
        ended = run.end()
        assert ended.code == Code.PAUSED, ended
        assert "Traceback" not in ended.err
        entries = ledger(file)
        assert {entry.state for entry in entries.values()} == {"done"}
        assert sorted(entry.trace for entry in entries.values()) == sorted(models.traces)
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'running'") == [(0,)]
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'done'") == [(len(entries),)]
        models.answer_within(0.02)
        goes_on(file, models)
        assert len(set(models.traces)) == len(models.traces)


def test_a_second_ctrl_c_hands_back_what_runs_at_once(tmp_path: Path) -> None:
    with serving(60) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=3)
        run = begin("run", file)
        until(lambda: len(models.traces) == 3, "calls are in flight")
        run.signal(signal.SIGINT)
        time.sleep(0.5)
        assert run.process.poll() is None
        run.signal(signal.SIGINT)
        began = time.monotonic()
        ended = run.end(20)
        assert time.monotonic() - began < 5
        assert ended.code == Code.PAUSED, ended
        assert "Traceback" not in ended.err
        assert rows(file, "SELECT DISTINCT state, attempt FROM jobs") == [("ready", 0)]
        assert {entry.state for entry in ledger(file).values()} == {"intended"}
        models.answer_within(0.02)
        goes_on(file, models)
