"""The drill itself: the real command line in processes of its own, kills, and a verdict that can be bad."""

import signal
import subprocess
import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed

from benchwright.drill import drill as drilling
from benchwright.drill.campaign import write
from benchwright.drill.child import environment
from benchwright.drill.drill import Found, Plan, answer, export_files, run_without_faults
from benchwright.drill.provider import completion
from benchwright.drill.record import Watched, trace
from benchwright.errors import BenchwrightError
from benchwright.pipelines import play
from benchwright.show.code import Code

KEPT = Found(Plan({}, 2), 3, 2, 0, "", 50, {"429": 9}, 40, 1, 0, 0, 4, identical=True, seconds=9.0)
CALM = [word for name in ("429", "parse", "drop") for word in (f"--{name}", "0")]


def test_a_short_drill_survives_two_kills_and_says_so_in_json(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    ran = typed("drill", "--items", 2, "--kill", 2, "--keep", folder, "--json")
    found = ran.json
    assert (ran.code, found["broken"]) == (Code.DONE, []), ran.err
    assert (found["kills"], found["again"], found["unrecorded"], found["identical"]) == (2, 0, 0, True)
    assert found["runs"] >= 3
    assert found["items"] > 0
    assert found["requests"] >= found["replies"] + found["faults"]["429"]
    assert found["plan"] == {
        "chances": {
            "429": 0.3,
            "parse": 0.1,
            "cut": 0.0,
            "think": 0.0,
            "refuse": 0.0,
            "drop": 0.05,
            "error": 0.0,
            "hang": 0.0,
        },
        "kills": 2,
        "items": 2,
        "seed": 0,
    }
    assert "run 1: killed after" in ran.err
    assert found["folder"] == str(folder)
    assert (folder / "whole/drill-set/items.jsonl").read_bytes() == (folder / "cut/drill-set/items.jsonl").read_bytes()


def test_a_provider_that_says_something_else_each_time_breaks_the_promise_and_the_drill_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = count()
    monkeypatch.setattr(drilling, "answer", lambda body: answer(body | {"asked": next(times)}))
    ran = typed("drill", "--items", 1, "--kill", 0, *CALM)
    assert ran.code == Code.FAILED
    assert "broken promises" in ran.out
    assert "the set is not the one of the run without faults" in ran.out


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"ended": 1, "error": "error: no key"}, "the last run ended with exit code 1: error: no key"),
        ({"kills": 1}, "only 1 of 2 kills met a run at work: ask for more items"),
        ({"again": 3}, "3 requests came again after their reply was on record"),
        ({"unrecorded": 2}, "2 requests left without a line in the ledger"),
        ({"items": 0}, "the set holds no item, so there was nothing to compare"),
        ({"identical": False}, "the set is not the one of the run without faults"),
    ],
)
def test_each_promise_that_is_broken_is_told(changed: dict[str, Any], told: str) -> None:
    assert KEPT.broken_promises == []
    assert replace(KEPT, **changed).broken_promises == [told]


async def test_a_request_that_comes_again_after_its_reply_was_recorded_is_counted() -> None:
    provider = Watched(answer, 0)
    body = {"model": "stub", "messages": []}
    provider.note(body, b"")
    provider.done = {trace(body)}
    provider.note(body, b"")
    provider.note(body | {"seed": 2}, b"")
    assert (provider.again, len(provider.traces)) == (1, 3)


async def test_without_a_sound_run_to_compare_with_there_is_no_drill(tmp_path: Path) -> None:
    async with Watched(lambda body: completion(body, "{}"), 0) as provider:
        file = write(tmp_path / "whole", provider.url, 1, 0, play())
        file.write_text("name = 7", "utf-8")
        with pytest.raises(
            BenchwrightError, match=r"ended with exit code 2, so there is nothing to compare: error: .*drill.toml"
        ):
            await run_without_faults(file, provider)
        with pytest.raises(BenchwrightError, match=r"the export ended with exit code 2: .*has not begun"):
            await export_files(file)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--429", "0.9", "--parse", "0.2"), "the chances of all faults together are 1.15: make them 1 at most"),
        (("--drop", "1.5"), "--drop"),
        (("--kill", "-1"), "--kill"),
        (("--keep", "."), "name a folder that is not there yet"),
    ],
)
def test_what_cannot_be_drilled_is_refused_before_anything_runs(words: tuple[str, ...], told: str) -> None:
    ran = typed("drill", *words)
    assert ran.code == Code.USAGE
    assert told in ran.err


def test_ctrl_c_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "benchwright", "drill", "--items", "4"]
    room = environment(tmp_path) | {"TMPDIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(line, env=room, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline().startswith("a run without faults took")
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
    assert (process.returncode, told) == (Code.INTERRUPTED, "")
    assert list(tmp_path.iterdir()) == []
    running = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert str(tmp_path) not in running
