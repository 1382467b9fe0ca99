"""How a campaign stands, read from its counters: the cost does not grow with the campaign."""

from dataclasses import asdict, dataclass
from typing import Any

from benchwright.pipelines.base import HUMAN
from benchwright.store import calls, campaigns, counts, documents, items
from benchwright.store.database import Connection


@dataclass(frozen=True, slots=True)
class Status:
    """A campaign at one moment. `wanted` is the number of slots, None before the corpus is in.

    `answers` counts per step how many were given and how many failed; `queues` per queue the tickets by state;
    `causes` the finished items by state and cause; `refused` the files of the corpus that are no documents, and why.
    """

    campaign: str
    began: str
    paused: bool
    ended: dict[str, Any] | None
    documents: int
    refused: dict[str, str]
    wanted: int | None
    items: dict[str, int]
    answers: dict[str, dict[str, int]]
    queues: dict[str, dict[str, int]]
    spending: tuple[calls.Spent, ...]
    uncertain: int
    causes: tuple[tuple[str, str, int], ...]

    @property
    def people(self) -> int:
        """How many options wait for people."""
        return self.queues.get(HUMAN, {}).get("ready", 0)

    @property
    def cost(self) -> float | None:
        """US dollars spent; None where some call has no known price."""
        return None if any(spent.unpriced for spent in self.spending) else sum(s.cost for s in self.spending)

    def json(self) -> dict[str, Any]:
        """The status as JSON values."""
        return asdict(self) | {"people": self.people, "cost": self.cost}


def status(connection: Connection, wanted: int | None) -> Status:
    """Read the status; `wanted` is the number of items that the campaign asks for."""
    record = campaigns.get(connection)
    files = documents.listed(connection)
    return Status(
        campaign=record.name,
        began=record.began,
        paused=record.paused,
        ended=record.ended,
        documents=sum(row.id is not None for row in files),
        refused={row.name: row.reason for row in files if row.reason},
        wanted=wanted,
        items=counts.of(connection, "item").get("", {}),
        answers=counts.of(connection, "answer"),
        queues=counts.of(connection, "job"),
        spending=calls.spending(connection),
        uncertain=calls.uncertain(connection),
        causes=tuple(items.causes(connection)),
    )
