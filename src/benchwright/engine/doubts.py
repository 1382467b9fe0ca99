"""Tickets in doubt: their model gave nothing usable, and nothing shows yet that it can do better.

A bad reply is cleared by any usable answer of its model, a rejection by one in the same role: it has the same schema.
"""

from collections import Counter
from collections.abc import Iterator

from benchwright.engine.outcome import Doubt, Record, Rejection
from benchwright.errors import Unusable
from benchwright.store import calls
from benchwright.store.database import Connection
from benchwright.store.jobs import Ticket

Doubted = tuple[Ticket, Doubt]


def record_of(doubt: Doubted) -> tuple[Ticket, Record]:
    """A ticket with what is recorded of it once it is no longer in doubt."""
    ticket, fate = doubt
    return ticket, Record(fate.cause, fate.detail)


class Doubts:
    """The tickets in doubt, and the models that have given a usable answer in this run."""

    def __init__(self) -> None:
        self._held: dict[str, list[Doubted]] = {}  # by model
        self._proven: set[str] = set()

    def add(self, ticket: Ticket, fate: Doubt) -> None:
        """A ticket is in doubt."""
        self._held.setdefault(ticket.queue, []).append((ticket, fate))

    def count(self, queue: str | None = None) -> int:
        """How many tickets are in doubt, of one model or of all."""
        return sum(len(held) for name, held in self._held.items() if queue in (None, name))

    def take(self, given: Ticket) -> list[tuple[Ticket, Record]]:
        """What an answered ticket clears, which from now on is in doubt no more."""
        self._proven.add(given.queue)
        held = self._held.pop(given.queue, ())
        if kept := [one for one in held if not clears(given, one)]:
            self._held[given.queue] = kept
        return [record_of(one) for one in held if clears(given, one)]

    def take_all(self) -> list[tuple[Ticket, Record]]:
        """All that is in doubt, which from now on is not."""
        found = [record_of(one) for held in self._held.values() for one in held]
        self._held.clear()
        return found

    def find_fault(self, connection: Connection) -> Exception | None:
        """What stops a run that has nothing else to do: a model in doubt that has never given a usable answer."""
        return next(self._faults(connection), None)

    def _faults(self, connection: Connection) -> Iterator[Exception]:
        """The fault of each such model."""
        for name, held in self._held.items():
            if name not in self._proven and not calls.is_proven(connection, name):
                rejections = [fate.fault for _, fate in held if isinstance(fate, Rejection)]
                yield rejections[0] if rejections else Unusable(describe_useless(name, held))


def clears(given: Ticket, doubt: Doubted) -> bool:
    """Whether an answer shows that the model can do better than in this ticket."""
    ticket, fate = doubt
    return not isinstance(fate, Rejection) or ticket.key.partition("/")[0] == given.key.partition("/")[0]


def describe_useless(name: str, held: list[Doubted]) -> str:
    """What is wrong with a model of which no reply could be used."""
    causes = ", ".join(f"{cause} {n}" for cause, n in Counter(fate.cause for _, fate in held).most_common())
    return (
        f"model {name!r}: no reply could be used ({causes}); the last one: {held[-1][1].detail}. Name another model, or"
        " another way of reply, in the campaign file, then run it with --accept-changes: what was asked is asked again"
    )
