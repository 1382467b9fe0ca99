"""The log of a run: its events, what must not stand in it, and a file that cannot be written."""

import json
from collections import Counter
from dataclasses import replace
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Any

import pytest
from tests.rig import NOW, Clock, Rig, Script, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Request
from benchwright.engine import runner as module
from benchwright.engine.log import Log, keep_silent, open_log
from benchwright.engine.outcome import Given, Pause, Record, Rest, Stop
from benchwright.engine.runner import How
from benchwright.errors import BadReply, Exhausted, Fatal, Refused, Transient, UsageError

KEY = "sk-0123456789-abcdefghij-KLMNOPQRST"
Line = dict[str, Any]


@pytest.fixture(autouse=True)
def _look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)
    monkeypatch.setenv("SOME_API_KEY", KEY)


def lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


async def log_run(path: Path, script: Script = answer, reports: int = 1) -> tuple[list[Line], Rig]:
    """One run with a log, and what it wrote."""
    async with rig(pipeline(), script, reports=reports) as one:
        async with open_log(path, one.pipeline.campaign, print) as note:
            one.tools = replace(one.tools, note=note)
            await one.run()
        return lines(path), one


def once(*errors: Exception) -> Script:
    """Models of which the first requests meet these errors."""
    left = iter(errors)
    return lambda request: next(left, None) or answer(request)


async def test_a_run_writes_each_claim_answer_and_fate_with_its_item_role_model_and_call(tmp_path: Path) -> None:
    found, one = await log_run(tmp_path / "run.log")
    events = Counter(line["event"] for line in found)
    assert events["claim"] == events["answer"] == events["fate"]
    assert (events["start"], events["admission"], found[0]["event"]) == (1, 1, "start")
    first = next(line for line in found if line["event"] == "answer")
    assert {"item", "call", "seconds", "ticket"} < set(first)
    assert (first["campaign"], first["role"], first["model"], first["attempt"]) == ("test", "choose_class", "writer", 1)
    assert {line["fate"] for line in found if line["event"] == "fate"} == {"answered"}
    calls = [line["call"] for line in found if line["event"] == "answer"]
    assert set(calls) <= {request.id for request in one.paid.history}
    assert len(set(calls)) == len(calls)


async def test_every_line_begins_with_its_time_in_utc_level_event_and_campaign(tmp_path: Path) -> None:
    found, _ = await log_run(tmp_path / "run.log")
    for line in found:
        assert list(line)[:4] == ["time", "level", "event", "campaign"]
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None
        assert line["level"] == "info"


async def test_no_line_holds_text_of_documents_prompts_or_replies(tmp_path: Path) -> None:
    quoting = once(BadReply("the reply says Sentence 3 of report", "raw"), Refused("I will not read Sentence 3"))
    await log_run(tmp_path / "run.log", quoting, reports=3)
    text = (tmp_path / "run.log").read_text("utf-8")
    assert "entence" not in text
    assert "Which" not in text


async def test_a_failure_is_logged_with_its_cause_and_the_providers_words_without_keys(tmp_path: Path) -> None:
    found, _ = await log_run(tmp_path / "run.log", once(Transient(f"cannot use {KEY}", 0.0)))
    failure, fate = (next(line for line in found if line["event"] == event) for event in ("failure", "fate"))
    assert (failure["level"], failure["cause"], failure["words"]) == ("warning", "Transient", "cannot use [key]")
    assert (fate["fate"], fate["after"]) == ("again", 0.0)
    assert KEY not in (tmp_path / "run.log").read_text("utf-8")


async def test_a_rest_and_the_pause_that_it_leads_to_are_logged(tmp_path: Path) -> None:
    def scarce(_: Request) -> Exception:
        return Exhausted(f"no more for {KEY}", 3600)

    found, _ = await log_run(tmp_path / "run.log", scarce)
    rest, pause = (next(line for line in found if line["event"] == event) for event in ("rest", "pause"))
    assert (rest["model"], rest["cause"], rest["after"], rest["words"]) == (
        "writer", "quota", 3600, "no more for [key]",
    )  # fmt: skip
    assert (pause["cause"], pause["until"]) == ("quota", "2027-01-15T09:00:00+00:00")
    assert Counter(line["event"] for line in found)["pause"] == 1


async def test_an_error_that_stops_the_run_is_its_last_line(tmp_path: Path) -> None:
    with pytest.raises(Fatal):
        await log_run(tmp_path / "run.log", once(Fatal("no such model")))
    found = lines(tmp_path / "run.log")
    assert [line["fate"] for line in found if line["event"] == "fate"] == ["stop"]
    assert next(line for line in found if line["event"] == "pause")["cause"] == "Fatal"
    last = found[-1]
    assert (last["event"], last["level"], last["how"], last["cause"]) == ("end", "error", "error", "Fatal")


@pytest.mark.parametrize(
    ("fate", "told"),
    [
        (None, {"fate": "moot"}),
        (Given(), {"fate": "answered"}),
        (Record("schema", "the reply"), {"fate": "recorded", "cause": "schema"}),
        (Rest(5.0, "endpoint", "down"), {"fate": "given_back", "cause": "endpoint", "after": 5.0}),
        (Rest(None, "endpoint", "down", blamed=True), {"fate": "set_aside", "cause": "endpoint"}),
        (Pause("budget", "no money"), {"fate": "given_back", "cause": "budget"}),
        (Stop(KeyError("a text")), {"fate": "stop", "cause": "KeyError"}),
    ],
)
def test_a_fate_is_logged_by_name_and_cause(tmp_path: Path, fate: Any, told: Line) -> None:
    with FileIO(tmp_path / "run.log", "a") as file:
        Log(file, pipeline().campaign, print, Clock())("fate", fate=fate)
    (line,) = lines(tmp_path / "run.log")
    assert {name: line[name] for name in line if name in {"fate", "cause", "after", "words"}} == told
    assert line["time"] == "2027-01-15T08:00:00.000Z"
    assert datetime.fromisoformat(line["time"]).timestamp() == NOW


class Full(FileIO):
    """A file whose disk is full after some lines: it takes a part of the next, or raises as the system does."""

    def __init__(self, path: Path, lines: int, fault: Exception | None) -> None:
        super().__init__(path, "a")
        self.left = lines
        self.fault = fault

    def write(self, text: Any, /) -> int:
        self.left -= 1
        if self.left < 0 and self.fault:
            raise self.fault
        return super().write(text if self.left >= 0 else text[:9])


@pytest.mark.parametrize(
    ("fault", "reason"), [(None, "the disk is full"), (OSError(28, "No space left"), "[Errno 28] No space left")]
)
async def test_a_log_that_can_no_longer_be_written_is_said_once_and_the_run_goes_on(
    tmp_path: Path, fault: Exception | None, reason: str
) -> None:
    path, said = tmp_path / "run.log", list[str]()
    async with rig(pipeline(), reports=1) as one:
        file = Full(path, 3, fault)
        one.tools = replace(one.tools, note=Log(file, one.pipeline.campaign, said.append))
        assert (await one.run()).how is not How.PAUSED
        assert file.closed
    assert said == [f"{path}: the log cannot be written, the run goes on without it: {reason}"]
    async with open_log(path, pipeline().campaign, print) as note:
        note("admission", items=1)
    whole = [line for line in path.read_text("utf-8").splitlines() if line.endswith("}")]
    assert [json.loads(line)["event"] for line in whole] == ["admission", "claim", "answer", "start", "admission"]


async def test_without_a_file_nothing_is_written() -> None:
    async with open_log(None, pipeline().campaign, print) as note:
        assert note is keep_silent
        note("claim", None, items=1)


async def test_a_log_is_appended_to_and_one_that_cannot_be_opened_is_a_mistake_of_usage(tmp_path: Path) -> None:
    for _ in range(2):
        async with open_log(tmp_path / "run.log", pipeline().campaign, print):
            pass
    assert [line["event"] for line in lines(tmp_path / "run.log")] == ["start", "start"]
    with pytest.raises(UsageError, match="the log cannot be opened: Is a directory"):
        async with open_log(tmp_path, pipeline().campaign, print):
            pass
