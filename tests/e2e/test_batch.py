"""Batches on the real command line: killed at every moment, stopped and begun again, each row is sent and paid once."""

import asyncio
import os
import re
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.batch_stub import BatchStub
from tests.e2e import hasty
from tests.e2e.machine import PATIENCE, Ended, begin, campaign, rows, sound, status
from tests.e2e.models import answer
from tests.stub import Raw

from benchwright.drill.child import contents
from benchwright.show.code import Code

OVER = {Code.DONE, Code.WAITING, Code.PARTIAL}
FOREVER = 10**9  # looks
PRICES = "price_in = 1000.0\nprice_out = 1000.0\n"


def batched(folder: Path, stub: BatchStub, reports: int = 1, width: int = 4) -> Path:
    """A campaign whose voters are asked by batches."""
    file = campaign(folder, stub.url, reports=reports, width=width)
    text = file.read_text("utf-8").replace("runs = 2 }", "runs = 2, batch = true }")
    file.write_text(text.replace(f"width = {width}\n", f"width = {width}\nadaptive = false\n{PRICES}"), "utf-8")
    return file


async def run(file: Path, when: str = "never", command: str = "run") -> Ended:
    return await asyncio.to_thread(begin(when, command, file, main=hasty.main).end)


async def until(true: Callable[[], object], what: str) -> None:
    for _ in range(int(PATIENCE / 0.02)):
        if true():
            return
        await asyncio.sleep(0.02)
    pytest.fail(f"still not: {what}")


async def finished(file: Path) -> None:
    """The same command ends the campaign."""
    ended = await run(file)
    assert ended.code in OVER, ended.err + ended.out
    sound(file)


def each_once(file: Path, stub: BatchStub) -> None:
    """Every call was sent once, with a batch or alone, and is paid and recorded once."""
    assert set(Counter(stub.sent).values()) == {1}
    assert rows(file, "SELECT count(*) FROM calls WHERE state <> 'done'") == [(0,)]
    assert rows(file, "SELECT count(*) FROM calls") == [(len(stub.sent) + len(stub.seen),)]
    assert rows(file, "SELECT sum(calls), sum(unpriced) FROM spending") == [(len(stub.sent) + len(stub.seen), 0)]
    assert rows(file, "SELECT DISTINCT state FROM batches WHERE state <> 'lost'") == [("collected",)]
    in_batches = "SELECT count(*) FROM batched JOIN batches ON name = batch WHERE state <> 'lost'"
    assert rows(file, in_batches) == [(len(stub.sent),)]  # one of a lost batch may have gone alone


async def exported(file: Path) -> dict[str, bytes]:
    """The exported set; card and manifest name the address of the models, which differs from server to server."""
    assert (await run(file, command="export")).code == Code.DONE
    found = contents(file.with_name("reports-set"))
    return {name: content for name, content in found.items() if name.endswith(".jsonl")}


@pytest.fixture(name="whole", scope="module")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign when nothing happens to it."""

    async def made() -> Path:
        async with BatchStub(answer) as stub:
            file = batched(tmp_path_factory.mktemp("whole") / "campaign", stub)
            await finished(file)
            each_once(file, stub)
        return file

    return asyncio.run(made())


def test_voters_are_asked_by_batches_at_half_the_price_and_the_others_as_ever(whole: Path) -> None:
    file = whole
    price = "sum(cost) / sum(prompt + completion)"
    by = dict(rows(file, f"SELECT step GLOB 'check_*', {price} FROM spending GROUP BY 1"))  # noqa: S608 - our own
    assert by[1] == pytest.approx(by[0] / 2)
    assert set(rows(file, "SELECT DISTINCT step FROM calls JOIN batched ON call = id")) == {
        ("check_evidence",), ("check_option",), ("check_stem",),
    }  # fmt: skip


MOMENTS = ["prepare", "submit", "progress", "collect"] if "BENCHWRIGHT_KILLS" in os.environ else ["submit", "collect"]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_death_around_any_commit_of_a_batch_sends_and_pays_nothing_twice(
    tmp_path: Path, moment: str, whole: Path
) -> None:
    async with BatchStub(answer) as stub:
        file = batched(tmp_path / "campaign", stub)
        assert (await run(file, moment)).code == 9
        sent = len(stub.taken)
        assert sent == 0 if moment == "prepare" else sent > 0
        await finished(file)
        each_once(file, stub)
    assert await exported(file) == await exported(whole)


async def test_calls_that_several_processes_died_with_are_still_found_in_their_batch(tmp_path: Path) -> None:
    async with BatchStub(answer) as stub:
        file = batched(tmp_path / "campaign", stub)
        for _ in range(3):
            assert (await run(file, "submit")).code == 9
        await finished(file)
        each_once(file, stub)


class Held(BatchStub):
    """A provider that lets all wait until `free` once a batch is out; `flying` counts those that it let wait.

    Before that it is slow with most documents, so that they are behind when the others have come to their voters.
    """

    def __init__(self) -> None:
        super().__init__(answer, looks=FOREVER)
        self.free = asyncio.Event()
        self.flying = 0

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        said = await super().work(body, sent)
        if not self.taken and re.search(r"report [3-9]\d tells", body["messages"][1]["content"]):
            await asyncio.sleep(1.5)
        if self.taken:
            self.flying += 1
            await self.free.wait()
        return said

    def has(self, flying: int) -> bool:
        """Whether a batch is out, and so many requests have come and wait."""
        return bool(self.taken) and self.flying >= flying


@pytest.mark.timeout(300)
async def test_after_many_kills_the_next_run_is_as_wide_as_ever_and_makes_the_same_set(tmp_path: Path) -> None:
    kills, width, reports = int(os.environ.get("BENCHWRIGHT_KILLS", "3")), 40, 90
    async with BatchStub(answer) as stub:
        unhurt = batched(tmp_path / "unhurt", stub, reports, width)
        await finished(unhurt)
    async with Held() as held:
        file = batched(tmp_path / "campaign", held, reports, width)
        for _ in range(kills):
            before, running = held.flying, begin("never", "run", file, main=hasty.main)
            await until(partial(held.has, before + width), "a batch is out, and as many calls as may be are in flight")
            await asyncio.to_thread(running.kill)
            told = await asyncio.to_thread(status, file)
            assert told["uncertain"] == held.flying == before + width
        held.free.set()
        held.looks = 0
        await finished(file)
    assert await exported(file) == await exported(unhurt)


async def test_a_kill_while_a_batch_is_out_sends_nothing_twice_and_the_status_tells_of_it(tmp_path: Path) -> None:
    async with BatchStub(answer, looks=FOREVER) as stub:
        file = batched(tmp_path / "campaign", stub)
        running = begin("never", "run", file, main=hasty.main)
        out = "SELECT count(*) FROM calls WHERE state = 'intended'"
        await until(
            lambda: (
                stub.taken
                and all(batch.looked for batch in stub.taken.values())
                and rows(file, out) == [(len(stub.sent),)]
            ),
            "all that is out is in batches",
        )
        await asyncio.to_thread(running.kill)
        told = await asyncio.to_thread(status, file)
        assert sum(batch["total"] for batch in told["batches"]) == len(stub.sent)
        assert told["uncertain"] == 0
        stub.looks = 0
        await finished(file)
        each_once(file, stub)


async def test_a_first_ctrl_c_leaves_batches_at_their_provider_and_the_next_run_collects_them(tmp_path: Path) -> None:
    async with BatchStub(answer, looks=FOREVER) as stub:
        file = batched(tmp_path / "campaign", stub)
        running = begin("never", "run", file, main=hasty.main)
        await until(lambda: stub.taken and all(batch.looked for batch in stub.taken.values()), "a batch is out")
        running.signal(signal.SIGINT)
        ended = await asyncio.to_thread(running.end)
        assert ended.code == Code.PAUSED, ended
        assert "requests in batches at their providers" in ended.out
        assert "Traceback" not in ended.err
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'running' OR attempt > 0 AND state = 'ready'") == [
            (0,)
        ]
        stub.looks = 0
        await finished(file)
        each_once(file, stub)


async def test_only_the_rows_that_failed_are_sent_again(tmp_path: Path) -> None:
    failed: set[str] = set()

    def now_and_then(body: dict[str, object]) -> dict[str, object] | Raw:
        """One checker's first answer is an error of the provider's."""
        key = str(body)
        if "verdicts" in key and not failed:
            failed.add(key)
            return Raw(500, '{"error": {"message": "boom"}}')
        return answer(body)

    async with BatchStub(now_and_then) as stub:
        file = batched(tmp_path / "campaign", stub)
        await finished(file)
        times = Counter(stub.sent)
    assert sorted(times.values())[-2:] == [1, 2]


async def test_an_endpoint_without_batches_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    async with BatchStub(answer) as stub:
        file = batched(tmp_path / "campaign", stub)
        stub.faults["GET /batches"] = [Raw(404, "")] * 10
        ended = await run(file)
        assert ended.code == Code.USAGE
        assert "take batch = true off the roles that this model serves" in ended.err
        assert (stub.seen, stub.taken) == ([], {})
