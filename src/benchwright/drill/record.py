"""What a campaign's ledger says, held against the requests that a provider has seen."""

import asyncio
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchwright.config import load
from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.domain.filler import digest
from benchwright.drill.provider import Answer, Loopback
from benchwright.llm.replies.chat import body
from benchwright.store import calls
from benchwright.store.database import Connection, Database


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger: its state, how often it was sent, and the trace of what left for the provider."""

    state: str
    sent: int
    trace: str


def trace(asked: dict[str, Any]) -> str:
    """A digest of what was asked; the ledger keeps the schema's keys in another order, so that is left out."""
    return digest({key: value for key, value in asked.items() if key != "response_format"})


def request(row: dict[str, Any], model: Model) -> Request:
    """The request of a recorded call, put together again."""
    turns = tuple(Message(turn["role"], (turn["content"],)) for turn in row["messages"])
    return Request(replace(model, **row["parameters"]), turns, row["schema"], row["run"], row["seed"], row["step"])


def entry(row: dict[str, Any], model: Model) -> Entry:
    """A line of the ledger."""
    return Entry(row["state"], row["sent"], trace(body(request(row, model))))


async def ledger(file: Path) -> list[Entry]:
    """The ledger of a campaign that nobody runs; looking changes nothing."""
    if not file.with_suffix(".db").exists():
        return []
    known = load(file).models

    def operation(connection: Connection) -> list[Entry]:
        rows = filter(None, (calls.get(connection, name) for name in calls.ids(connection)))
        return [entry(row, known[row["model"]]) for row in rows]

    with TemporaryDirectory(prefix="look-", dir=file.parents[1]) as folder:
        async with await Database.open(copy_database(file, Path(folder)).with_suffix(".db")) as database:
            return await database.read(operation)


def copy_database(file: Path, folder: Path) -> Path:
    """The campaign as it lies on disk: what a kill left is looked at in a copy and not mended by looking."""
    for part in (file, file.with_suffix(".db"), file.with_suffix(".db-wal")):
        if part.exists():
            shutil.copy(part, folder)
    return folder / file.name


class Watched(Loopback):
    """A provider that remembers the trace of every request; those in `done` are not to come `again`."""

    def __init__(self, answer: Answer, latency: float) -> None:
        super().__init__(answer, latency)
        self.begin(answer)

    def begin(self, answer: Answer) -> None:
        """Begin anew, with another answer."""
        self.answer = answer
        self.traces: list[str] = []
        self.done: set[str] = set()
        self.again = 0
        self.due = 0
        self.reached = asyncio.Event()

    def note(self, body: dict[str, Any], sent: bytes) -> None:  # noqa: ARG002 - as in `Loopback`
        """A request has arrived."""
        name = trace(body)
        self.again += name in self.done
        self.traces.append(name)
        if len(self.traces) == self.due:
            self.reached.set()

    async def moment(self, requests: int, seconds: float) -> None:
        """Wait until so many more requests have arrived, and then a little."""
        self.due = len(self.traces) + requests
        self.reached.clear()
        await self.reached.wait()
        await asyncio.sleep(seconds)
