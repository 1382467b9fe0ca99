"""Stopping a run: Ctrl-C once, Ctrl-C twice, `pause` from another process; the same command goes on."""

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.machine import Command, begin, campaign, command, ledger, rows, sound, status, until
from tests.e2e.models import Models, serving
from tests.stub import Raw, Stub, in_thread

from benchwright.show.code import Code

Stop = Callable[[Command, Path], None]


def interrupt(run: Command, file: Path) -> None:
    run.signal(signal.SIGINT)


def terminate(run: Command, file: Path) -> None:
    run.signal(signal.SIGTERM)


def hang_up(run: Command, file: Path) -> None:
    run.signal(signal.SIGHUP)


def pause(run: Command, file: Path) -> None:
    assert command("pause", file).code == Code.DONE


def goes_on(file: Path, models: Models) -> None:
    """The same command ends the campaign."""
    assert command("run", file).code in {Code.DONE, Code.WAITING}
    assert {entry.state for entry in ledger(file).values()} == {"done"}
    sound(file)


def unsent(file: Path) -> int:
    """The calls whose departure was being written when the run stopped; they are kept at home and cost nothing."""
    return len(rows(file, "SELECT 1 FROM calls WHERE state = 'failed' AND error LIKE 'Unsent:%' AND cost IS NULL"))


@pytest.mark.parametrize("stop", [interrupt, terminate, hang_up, pause], ids=["Ctrl-C", "SIGTERM", "SIGHUP", "pause"])
def test_a_stop_finishes_what_runs_and_starts_nothing_more(tmp_path: Path, stop: Stop) -> None:
    with serving(1) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=3)
        run = begin("run", file)
        until(lambda: models.traces, "calls are in flight")
        stop(run, file)
        ended = run.end()
        assert ended.code == Code.PAUSED, ended
        assert "Traceback" not in ended.err
        entries = ledger(file).values()
        answered = [entry.trace for entry in entries if entry.state == "done"]
        assert sorted(answered) == sorted(models.traces)
        assert unsent(file) == len(entries) - len(answered)
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'running'") == [(0,)]
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'done'") == [(len(answered),)]
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


def wide(folder: Path, url: str, more: str = "") -> Path:
    """A campaign of 60 documents whose models may each be asked 40 things at once."""
    file = campaign(folder, url, reports=60, width=40)
    file.write_text(file.read_text("utf-8").replace("width = 40\n", f"width = 40\nadaptive = false\n{more}"), "utf-8")
    return file


RPM = 12


@pytest.mark.parametrize("stop", [interrupt, terminate, pause], ids=["Ctrl-C", "SIGTERM", "pause"])
def test_what_waits_in_line_when_a_run_stops_is_never_sent_and_leaves_no_trace(tmp_path: Path, stop: Stop) -> None:
    with serving(1) as models:
        file = wide(tmp_path / "campaign", models.url, f"rpm = {RPM}\n")
        run = begin("run", file)
        until(lambda: len(models.traces) == RPM, "a minute's requests have left")
        stop(run, file)
        ended = run.end(20)
        assert ended.code == Code.PAUSED, ended
        assert stop is pause or "finishing 12 calls in flight" in ended.out
        assert len(models.traces) == RPM
        assert [entry.state for entry in ledger(file).values()] == ["done"] * RPM
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'running' OR attempt > 0 AND state = 'ready'") == [
            (0,)
        ]
        sound(file)


def test_a_kill_books_as_perhaps_paid_what_had_left_and_not_what_waited_in_line(tmp_path: Path) -> None:
    with serving(120) as models:
        file = wide(tmp_path / "campaign", models.url, f"rpm = {RPM}\n")
        run = begin("run", file)
        until(lambda: len(models.traces) == RPM, "a minute's requests have left")
        time.sleep(0.5)
        run.kill()
        assert status(file)["uncertain"] == len(models.traces) == RPM


def test_ctrl_c_ends_a_run_whose_provider_wants_to_be_left_alone(tmp_path: Path) -> None:
    stub = Stub(lambda _: Raw(429, "slow down", {"retry-after": "590"}))
    with in_thread(stub) as server:
        file = wide(tmp_path / "campaign", server.url)
        run = begin("run", file)
        until(lambda: len(stub.seen) >= 40, "all that may be in flight was refused")
        time.sleep(0.5)
        asked = len(stub.seen)
        run.signal(signal.SIGINT)
        ended = run.end(10)
        assert ended.code == Code.PAUSED, ended
        assert len(stub.seen) == asked
