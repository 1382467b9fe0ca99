"""Watching a run: a display that stays in place on a terminal, a line now and then elsewhere."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from rich.live import Live

from benchwright.app import Watcher
from benchwright.begun import Opened
from benchwright.engine.status import Status
from benchwright.show.screen import Screen
from benchwright.show.standing import Pace, count_answers, line, progress

MINUTE = 60.0
OFTEN, SELDOM = 0.5, 5.0  # seconds between two looks on a terminal, and elsewhere


@dataclass
class Meter:
    """Measures the pace of a run from one look to the next."""

    looks: deque[tuple[float, int]] = field(default_factory=deque)
    first: tuple[float, int] | None = None

    def pace(self, now: float, status: Status) -> Pace:
        """The pace: answers over the last minute, time left from the share of items that are settled."""
        done = status.settled_items
        self.first = self.first or (now, done)
        self.looks.append((now, count_answers(status)))
        while now - self.looks[0][0] > MINUTE:
            self.looks.popleft()
        (then, before), began, done_before = self.looks[0], *self.first
        rate = (count_answers(status) - before) / (now - then) * MINUTE if now > then else None
        if status.wanted is None or done <= done_before:
            return Pace(rate)
        return Pace(rate, (now - began) * (status.wanted - done) / (done - done_before))


def watcher(screen: Screen, log: Path | None = None) -> Watcher:
    """Shows a run on the screen, and tells where its events are logged."""
    if screen.json or not screen.out.is_terminal:
        return Watcher(screen.say, lambda opened: show_progress(opened, lines(screen), SELDOM, screen), log)
    live = Live(console=screen.out, auto_refresh=False, transient=True)
    return Watcher(screen.say, lambda opened: show_progress(opened, live_display(live), OFTEN, screen, live), log)


Show = Callable[[Status, Pace], None]
Place = AbstractContextManager[object]


def live_display(live: Live) -> Show:
    """Draws the display anew; lines that are said meanwhile appear above it."""
    return lambda status, pace: live.update(progress(status, pace), refresh=True)


def lines(screen: Screen) -> Show:
    """Prints a line when something has happened."""
    seen: list[str] = []

    def show(status: Status, pace: Pace) -> None:
        if seen[-1:] != [told := line(status)]:
            seen[:] = [told]
            screen.say(line(status, pace))

    return show


@asynccontextmanager
async def show_progress(
    opened: Opened, show: Show, every: float, screen: Screen, place: Place | None = None
) -> AsyncIterator[None]:
    """Show how the campaign stands, again and again, while this holds."""
    with place or nullcontext():
        watching = asyncio.create_task(watch(opened, show, every))
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.wait([watching])
            if not watching.cancelled() and (error := watching.exception()):
                screen.say(f"progress could not be shown to the end: {error}")


async def watch(opened: Opened, show: Show, every: float) -> None:
    """Look and show until cancelled."""
    meter = Meter()
    while True:
        status = await opened.status()
        show(status, meter.pace(monotonic(), status))
        await asyncio.sleep(every)
