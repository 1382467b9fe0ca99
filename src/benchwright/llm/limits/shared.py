"""The last minute of an endpoint as all processes of this user know it: a small file for each endpoint.

Each process writes down what it used itself and reads what the others did; the operating system's lock makes reading,
deciding and writing one step. A file that cannot be used is said once: the process then goes on with what it knows.
"""

import fcntl
import json
import os
import secrets
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field, FiniteFloat, TypeAdapter, ValidationError

from benchwright.domain.ids import content_id
from benchwright.llm.limits.window import KEPT, LONGEST, TICK, Window
from benchwright.llm.providers.endpoint import Endpoint

TRIES, PAUSE = 300, 0.0003  # seconds: a lock is held for less than that, unless its process stands still
LATER = 5.0  # seconds until a file that could not be used is tried again
LARGEST = 1 << 20  # bytes of a file

Count = Annotated[int, Field(ge=0)]
Used = tuple[FiniteFloat, list[tuple[Count, Count, Count]]]  # until when to be left alone, and the buckets
Say = Callable[[str], None]


def place(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path | None:
    """The user's folder for such files; None where there is no home, so that nothing is shared."""
    if own := environ.get("BENCHWRIGHT_STATE"):
        return Path(own)
    home = environ.get("HOME", "")
    match platform:
        case "win32":
            base = environ.get("LOCALAPPDATA", "")
        case "darwin":
            base = home and f"{home}/Library/Application Support"
        case _:
            base = environ.get("XDG_STATE_HOME") or (home and f"{home}/.local/state")
    return Path(base, "benchwright") if base else None


class Alone:
    """The last minute of an endpoint that only this process knows."""

    company = False  # nobody else asks the endpoint

    def __init__(self, window: Window) -> None:
        """`window` brings the limits."""
        self.window = window

    @contextmanager
    def hold(self, now: float) -> Iterator[Window]:
        """The window, for a decision."""
        self.window.turn(now)
        yield self.window

    def add(self, when: float, requests: int, tokens: int) -> None:
        """Count what this process used."""
        self.window.add(when, requests, tokens)

    def cool(self, until: float) -> None:
        """Let nobody leave until then."""
        self.window.cool(until)


class Shared:
    """The last minute of an endpoint that other processes may ask too.

    Without limits there is nothing to share but a cool-down: until one begins, the file is not touched.
    """

    def __init__(self, window: Window, file: Path, say: Say) -> None:
        """`window` brings the limits; `say` is told when the file cannot be used."""
        self.window = window
        self.file = file
        self.say = say
        self.me = secrets.token_hex(4)
        self.mine = Window()
        self.others: dict[str, Used] = {}
        self.again = 0.0  # when to try a file again that could not be used
        self.form = TypeAdapter(dict[str, Used])

    @property
    def company(self) -> bool:
        """Whether others have asked the endpoint within a minute before the last look."""
        return bool(self.others)

    @contextmanager
    def hold(self, now: float) -> Iterator[Window]:
        """The window, for a decision: no other process looks or writes meanwhile."""
        wanted = self.window.has_limit or self.window.cooling > now
        handle = self.open_locked(now) if wanted and now >= self.again else None
        self.mine.turn(now)
        self.window.turn(now)
        if handle is None:
            yield self.window
            return
        try:
            self.merge(self.read(handle), now)
            yield self.window
            self.write(handle, now)
        finally:
            os.close(handle)

    def add(self, when: float, requests: int, tokens: int) -> None:
        """Count what this process used; the others learn of it when the window is held next."""
        self.mine.add(when, requests, tokens)
        self.window.add(when, requests, tokens)

    def cool(self, until: float) -> None:
        """Let nobody leave until then; the others learn of it when the window is held next."""
        self.mine.cool(until)
        self.window.cool(until)

    def merge(self, found: dict[str, Used], now: float) -> None:
        """The window is what this process used, and what others did."""
        self.others = {name: used for name, used in found.items() if name != self.me and matters(used, now)}
        self.window = Window(self.window.rpm, self.window.tpm)
        for cooling, buckets in [self.own_use(), *self.others.values()]:
            self.window.cool(min(cooling, now + LONGEST))
            self.window.join(buckets)
        self.window.turn(now)

    def own_use(self) -> Used:
        """What this process used."""
        return self.mine.cooling, self.mine.plain_buckets()

    def open_locked(self, now: float) -> int | None:
        """The open file with its lock; None where there is none to be had."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            self.unusable(f"cannot be opened ({error.strerror})", now + LATER)
            return None
        if why := lock_file(handle):
            os.close(handle)
            self.unusable(why, now + LATER)
            return None
        return handle

    def read(self, handle: int) -> dict[str, Used]:
        """What everybody used; a broken file is begun anew."""
        try:
            text = os.pread(handle, LARGEST, 0).partition(b"\n")[0]
            return self.form.validate_json(text or b"{}")
        except (ValidationError, OSError):
            self.unusable("was broken and is begun anew")
            return {}

    def write(self, handle: int, now: float) -> None:
        """Everybody's use as one line; a longer one that was there before may follow it and is not read."""
        everybody = {
            name: used for name, used in {**self.others, self.me: self.own_use()}.items() if matters(used, now)
        }
        try:
            os.ftruncate(handle, os.pwrite(handle, json.dumps(everybody).encode() + b"\n", 0))
        except OSError as error:
            self.unusable(f"cannot be written ({error.strerror})", now + LATER)

    def unusable(self, why: str, again: float = 0.0) -> None:
        """Say it, and leave the file alone for a while."""
        self.again = again
        advice = "set BENCHWRIGHT_STATE to a folder that can be written"
        self.say(f"{self.file} {why}: campaigns that run at the same time may not see each other's calls; {advice}")


def lock_file(handle: int) -> str:
    """Lock the file; says why it could not, or nothing."""
    for _ in range(TRIES):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(PAUSE)
        except OSError as error:
            return f"cannot be locked ({error.strerror})"
        else:
            return ""
    return "is locked by a process that does not go on"


def matters(used: Used, now: float) -> bool:
    """Whether a process has asked the endpoint within a minute, or was told to leave it alone."""
    cooling, buckets = used
    return cooling > now or any(tick >= int(now / TICK) - KEPT for tick, _, _ in buckets)


Book = Alone | Shared


def book(window: Window, key: Endpoint, folder: Path | None, say: Say) -> Book:
    """Where the use of an endpoint is kept; the file is named by a hash of who is asked with which key's variable."""
    if folder is None:
        return Alone(window)
    return Shared(window, folder / "limits" / f"{content_id('endpoint', list(key))}.json", say)
