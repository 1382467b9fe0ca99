"""Watching a run: the pace that is measured, the lines that are printed, the display that stays in place."""

import asyncio
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from tests.cli.status import status
from tests.rig import Rig, rig
from tests.scripted_recall import pipeline

from benchwright.begun import Opened
from benchwright.engine.status import Status
from benchwright.errors import UsageError
from benchwright.glance import Place
from benchwright.show import live, standing
from benchwright.show.code import Code
from benchwright.show.live import Meter, show_progress, watcher
from benchwright.show.screen import Screen
from benchwright.show.standing import Pace, follow


def screen(*, terminal: bool) -> tuple[Screen, StringIO]:
    """A screen, and what is printed on it."""
    printed = StringIO()
    console = Console(file=printed, force_terminal=terminal, width=100, markup=False, emoji=False, highlight=False)
    return Screen(out=console, err=console), printed


def opened(made: Rig) -> Opened:
    """The rig's campaign as the application opens one."""
    return Opened(Place(Path("test.toml")), made.pipeline.campaign, made.pipeline, made.database)


def test_the_rate_is_that_of_the_last_minute_and_the_time_left_follows_from_settled_items() -> None:
    meter = Meter()
    assert meter.pace(0.0, status(items={}, answers={})) == Pace(None, None)
    assert meter.pace(30.0, status(items={"kept": 1}, answers={"a": {"given": 10}})) == Pace(20.0, 90.0)
    assert meter.pace(90.0, status(items={"kept": 2}, answers={"a": {"given": 10}})) == Pace(0.0, 90.0)


def test_no_time_left_is_told_until_an_item_has_been_settled_in_this_run() -> None:
    meter = Meter()
    meter.pace(0.0, status(items={"kept": 3}))
    assert meter.pace(60.0, status(items={"kept": 3})).left is None
    assert meter.pace(61.0, status(items={"kept": 4})).left == 0
    assert Meter().pace(0.0, status(wanted=None)).left is None


async def test_without_a_terminal_a_line_is_printed_when_something_has_happened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "SELDOM", 0.01)
    watching, printed = screen(terminal=False)
    async with rig(pipeline()) as made, watcher(watching).watch(opened(made)):
        await asyncio.sleep(0.1)
        await made.run()
        await asyncio.sleep(0.1)
    lines = printed.getvalue().splitlines()
    assert lines[0].startswith("0 kept of 3")
    assert "0 in work, 0 queued" in lines[-1]
    assert len(lines) == len(set(lines)) > 1
    assert "\x1b" not in printed.getvalue()


async def test_on_a_terminal_the_display_stays_in_place_and_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "OFTEN", 0.01)
    watching, printed = screen(terminal=True)
    async with rig(pipeline()) as made:
        told = watcher(watching)
        async with told.watch(opened(made)):
            await asyncio.sleep(0.05)
            told.say("a message")
            await made.run()
            await asyncio.sleep(0.1)
    for part in ("time left", "a message", "check_option", "\x1b[?25l", "\x1b[?25h"):
        assert part in printed.getvalue()


async def test_with_json_even_a_terminal_gets_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    watching, printed = screen(terminal=True)
    async with (
        rig(pipeline()) as made,
        watcher(Screen(json=True, out=watching.out, err=watching.err)).watch(opened(made)),
    ):
        await asyncio.sleep(0.05)
    assert printed.getvalue().count("\n") == 1


async def test_a_display_that_fails_says_so_and_stops_nothing() -> None:
    watching, printed = screen(terminal=False)

    def broken(_: Status, __: Pace) -> None:
        raise ValueError("no\x1b[2J room")

    async with rig(pipeline()) as made, show_progress(opened(made), broken, 0.01, watching):
        await asyncio.sleep(0.05)
    assert printed.getvalue() == "progress could not be shown to the end: no\\x1b[2J room\n"


def looks(*found: Status) -> Callable[[], "asyncio.Future[Status]"]:
    """A look that finds one status after the other."""
    left = list(found)

    async def look() -> Status:
        return left.pop(0)

    return lambda: asyncio.ensure_future(look())


async def test_following_ends_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "FOLLOW", 0.0)
    watching, printed = screen(terminal=True)
    ended = status(ended={"how": "done", "reason": ""})
    assert await follow(watching, looks(status(runner="process 7"), status(runner="process 7"), ended)) is Code.DONE
    assert "running (process 7)" in printed.getvalue()
    assert ": done" in printed.getvalue()


async def test_following_ends_quietly_with_ctrl_c() -> None:
    watching, _ = screen(terminal=False)
    task = asyncio.create_task(follow(watching, looks(status())))
    await asyncio.sleep(0.05)
    task.cancel()
    assert await task is Code.DONE


async def test_following_in_json_is_refused() -> None:
    with pytest.raises(UsageError, match="leave out --watch"):
        await follow(Screen(json=True), looks(status()))
