"""A run's log: one JSON object a line, appended to a file, for services that run for days.

Every line has `time` (UTC), `level`, `event` and `campaign`; lines about a ticket also have `item`, `role`, `model`,
`ticket` and `attempt`. The events are `start`, `admission`, `claim`, `answer`, `failure`, `fate`, `rest`, `pause`,
`barrier` and `end`. `cause` is a class of error or a cause that the database records too; `seconds` count since the
claim; `words` are a provider's own, without keys. No line holds text of a document, a prompt or a reply.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from os import SEEK_END, environ
from pathlib import Path
from time import time
from types import NoneType
from typing import Any, Protocol

from benchwright.clock import steady
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.engine.outcome import Again, Aside, Doubt, Fate, Given, Pause, Record, Rejection, Rest, Stop
from benchwright.errors import BadReply, BenchwrightError, Refused, Rejected, UsageError
from benchwright.llm.providers.scrub import Scrub, of_environment
from benchwright.store.jobs import Ticket

WORDS_MOST = 300  # characters of what a provider said
FATES: dict[type, str] = {
    NoneType: "moot",  # no longer owed
    Given: "answered",
    Again: "again",
    Record: "recorded",
    Doubt: "doubt",
    Rejection: "doubt",
    Aside: "set_aside",
    Rest: "given_back",
    Pause: "given_back",
    Stop: "stop",
}
LEVELS = {"failure": "warning", "rest": "warning", "pause": "warning"}  # of events; all others are `info`


class Note(Protocol):
    """Takes an event of a run, its ticket where it has one, and its fields; it never fails and never waits."""

    def __call__(self, event: str, ticket: Ticket | None = None, /, **fields: Any) -> None:
        """Fields named `answer`, `fate` and `error` are described by what of them a log may hold."""
        ...


def keep_silent(event: str, ticket: Ticket | None = None, /, **fields: Any) -> None:
    """The note of a run without a log."""


class Log:
    """Writes events to a file. Where it can no longer do so it says that once, and the run goes on without a log."""

    def __init__(
        self, file: FileIO, campaign: Campaign, say: Callable[[str], object], now: Callable[[], float] = time
    ) -> None:
        """`file` is open for appending, without a buffer: so each line is whole, whenever the process dies."""
        keys = (environ.get(model.api_key_env, "").strip() for model in campaign.models.values())
        self.file = file
        self.campaign = campaign.name
        self.scrub = Scrub(*keys, *of_environment())
        self.say = say
        self.now = now
        self.claims: dict[int, float] = {}  # when each ticket that is in work was claimed

    def __call__(self, event: str, ticket: Ticket | None = None, /, **fields: Any) -> None:
        """Append one line about an event."""
        now = self.now()
        about = self.describe_ticket(event, ticket, steady()) if ticket else {}
        found = {"level": LEVELS.get(event, "info")} | about | self.describe(fields)
        head = {"time": utc_iso(now), "level": found.pop("level"), "event": event, "campaign": self.campaign}
        self.write(head | {name: value for name, value in found.items() if value not in (None, "")})

    def describe_ticket(self, event: str, ticket: Ticket, now: float) -> dict[str, Any]:
        """Which ticket it is, and how long ago it was claimed."""
        if event == "claim":
            self.claims[ticket.id] = now
        claimed = self.claims.pop(ticket.id, None) if event == "fate" else self.claims.get(ticket.id)
        since = {} if claimed is None or event == "claim" else {"seconds": round(now - claimed, 3)}
        role = ticket.key.partition("/")[0]
        named = {"item": ticket.item, "role": role, "model": ticket.queue, "ticket": ticket.id}
        return named | {"attempt": ticket.attempt} | since

    def describe(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields as JSON values, with what may be said of answers, fates and errors in their place."""
        found: dict[str, Any] = {}
        for name, value in fields.items():
            match name, value:
                case "answer", Answer():
                    found["call"] = value.call
                case "fate", _:
                    found |= describe_fate(value)
                case "error", BaseException():
                    found |= describe_error(value)
                case _:
                    found[name] = value
        if "words" in found:
            found["words"] = self.scrub(found["words"])[:WORDS_MOST]
        return found

    def write(self, line: dict[str, Any]) -> None:
        """Append a line by one write."""
        if self.file.closed:
            return
        text = json.dumps(line).encode() + b"\n"
        try:
            fault = "" if self.file.write(text) == len(text) else "the disk is full"
        except OSError as error:
            fault = str(error)
        if fault:
            self.say(f"{self.file.name}: the log cannot be written, the run goes on without it: {fault}")
            with suppress(OSError):
                self.file.close()


def describe_fate(fate: Fate | None) -> dict[str, Any]:
    """What became of a ticket, and why; a provider's words stand in the failure before it."""
    name = "set_aside" if isinstance(fate, Rest) and fate.blamed else FATES[type(fate)]
    found: dict[str, Any] = {"fate": name}
    match fate:
        case Again() | Rest():
            found["after"] = fate.after
        case Stop():
            found |= {"level": "error"} | describe_error(fate.error)
    return found | ({"cause": fate.cause} if isinstance(fate, Record | Aside | Rest | Pause) else {})


def describe_error(error: BaseException) -> dict[str, Any]:
    """Its cause; what a provider said, but not the message of an error that may quote a reply or a document."""
    if isinstance(error, BadReply | Refused):
        return {"cause": error.cause}
    cause = {"cause": error.cause if isinstance(error, Rejected) else type(error).__name__}
    return cause | {"words": str(error)} if isinstance(error, BenchwrightError) else cause


def utc_iso(seconds: float) -> str:
    """A moment, in seconds since the epoch, as UTC in ISO 8601 with milliseconds."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@asynccontextmanager
async def open_log(path: Path | None, campaign: Campaign, say: Callable[[str], object]) -> AsyncIterator[Note]:
    """The note of a run, and its line at the start; where an error ends the run, that is its last line.

    Without a path nothing is written. Raises `UsageError` where the file cannot be opened.
    """
    if path is None:
        yield keep_silent
        return
    try:
        file = open_whole(path)
    except OSError as error:
        raise UsageError(f"{path}: the log cannot be opened: {error.strerror}") from error
    with ExitStack() as stack:
        stack.enter_context(file)
        note = Log(file, campaign, say)
        stack.push(lambda _kind, error, _trace: end_with(note, error))
        note("start", models=list(campaign.serving_models))
        yield note


def end_with(note: Note, error: BaseException | None) -> None:
    """The last line of a run that an error ends."""
    if error:
        note("end", level="error", how="error", error=error)


def open_whole(path: Path) -> FileIO:
    """The file, whose last line is ended where a full disk has cut it."""
    file = FileIO(path, "a+")
    if size := file.seek(0, SEEK_END):
        file.seek(size - 1)
        if file.read(1) != b"\n":
            file.write(b"\n")
    return file
