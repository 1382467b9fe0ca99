"""Work beside the event loop: what it gives, what it raises, and that nobody has to wait for it."""

import asyncio
import threading

import pytest

from benchwright.engine.alone import run_aside
from benchwright.errors import CorpusError


async def test_work_aside_gives_what_it_finds_and_raises_what_it_meets() -> None:
    assert await run_aside(lambda: 7) == 7

    def fail() -> None:
        raise CorpusError("nothing there")

    with pytest.raises(CorpusError, match="nothing there"):
        await run_aside(fail)


async def test_whoever_is_cancelled_does_not_wait_for_work_aside() -> None:
    go = threading.Event()
    waiting = asyncio.create_task(run_aside(go.wait))
    await asyncio.sleep(0.01)
    waiting.cancel()
    done, _ = await asyncio.wait([waiting], timeout=5)
    assert done
    go.set()
    await asyncio.sleep(0.05)  # what comes late finds nobody


def test_work_that_outlives_its_loop_finds_nobody() -> None:
    go, left = threading.Event(), threading.Event()

    def late() -> None:
        go.wait()
        left.set()

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(run_aside(late), 0.01)

    asyncio.run(main())
    go.set()
    assert left.wait(5)
