"""Somebody sets the clock: what takes a time or waits for one goes on as if nothing had happened (QUEUE test 10)."""

import asyncio
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from tests.rig import rig
from tests.scripted_recall import answer, pipeline

from benchwright.clock import steady
from benchwright.domain.call import Request
from benchwright.engine import runner as module
from benchwright.engine.runner import How, Runner
from benchwright.errors import Transient
from benchwright.llm.limits.limit import Limit
from benchwright.review.desk import LEASE, holds
from benchwright.store.reviews import Lease

JUMPS = [timedelta(minutes=-30), timedelta(hours=1), timedelta(days=-3650), timedelta(days=3650)]


def test_nobody_can_set_the_clock_by_which_durations_are_measured() -> None:
    before = steady()
    with time_machine.travel(datetime(2030, 1, 1, tzinfo=UTC)):
        assert 0 <= steady() - before < 60


@pytest.mark.parametrize("jump", JUMPS, ids=str)
async def test_a_run_goes_on_at_once_when_the_clock_is_set(jump: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.01)
    asked, begun = 0, asyncio.Event()

    def failing_often(request: Request) -> str | Exception:
        nonlocal asked
        asked += 1
        if asked == 10:
            begun.set()
        return Transient("try again", 0.05) if asked % 5 == 0 else answer(request)

    async with rig(pipeline(), failing_often) as one:
        models = one.pipeline.campaign.models.values()
        llm = Limit(one.tools.llm, [replace(model, rpm=6000) for model in models])
        tools = replace(one.tools, llm=llm, now=steady, date=time.time)
        run = asyncio.create_task(Runner(tools).run())
        await begun.wait()
        with time_machine.travel(datetime.now(UTC) + jump):
            ended = await asyncio.wait_for(run, 30)
        assert ended.how in {How.DONE, How.WAITING}
        assert asked > 20


@pytest.mark.parametrize("jump", JUMPS, ids=str)
def test_a_card_is_held_no_longer_than_a_lease_whatever_the_clock_says(jump: timedelta) -> None:
    lease = Lease("ada", (1, ""), 1_800_000_000.0, 1_800_000_000.0 + LEASE)
    assert holds(lease, lease.began + 1)
    assert not holds(lease, lease.began + jump.total_seconds())
