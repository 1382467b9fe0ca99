"""How a campaign stands, read from counters and small indexes: the cost does not grow with the campaign."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from benchwright.domain.answer import HUMAN
from benchwright.domain.batch import Gone
from benchwright.store import batches, calls, campaigns, counts, documents, items, jobs, phases, records
from benchwright.store.database import Connection

NAMED = 100  # refused files and lines that a status names


@dataclass(frozen=True, slots=True)
class PhaseStatus:
    """A phase that has begun: its items by state, how many of them it wants, and what it draws on.

    That is so many kept items of the phase before, whose hash is `inputs`, `without` those that waited for people; in
    the first phase it is the corpus.
    """

    name: str
    wanted: int
    items: dict[str, int]
    inputs: str | None
    drawn: int
    without: int


@dataclass(frozen=True, slots=True)
class Status:
    """A campaign at one moment. `wanted` is the number of slots, None before the corpus is in; `tries` fill each.

    `answers` counts per step how many were given and failed; `queues` per queue the unfinished tickets by state;
    `causes` the finished items by state and cause; `refused` the first files of the corpus that are no documents, and
    lines that are no records, with the reasons, of `refusals` in all; `notes` the first files of which their reader had
    something to say, such as what it left out, of `noted` in all; `phases` those that have begun;
    `runner` says who runs it, None where nobody does; `making` counts answers about items in the making; `batches` are
    those that providers work on.
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
    runner: str | None = None
    tries: int = 1
    making: int = 0
    batches: tuple[Gone, ...] = ()
    records: int = 0
    refusals: int = 0
    phases: tuple[PhaseStatus, ...] = ()
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    noted: int = 0

    @property
    def people(self) -> int:
        """How many decisions people owe."""
        return self.queues.get(HUMAN, {}).get("ready", 0)

    @property
    def cost(self) -> float | None:
        """US dollars spent; None where some call has no known price."""
        return None if any(spent.unpriced for spent in self.spending) else sum(s.cost for s in self.spending)

    @property
    def cached(self) -> float | None:
        """The share of prompt tokens that came from providers' caches; None before there are any."""
        prompt = sum(spent.prompt for spent in self.spending)
        return sum(spent.cached for spent in self.spending) / prompt if prompt else None

    @property
    def settled_items(self) -> int:
        """About how many of the wanted items models are done with: kept, with people, or given up."""
        done = self.items.get("kept", 0) + self.items.get("waiting", 0) + self.items.get("discarded", 0) // self.tries
        return min(done, self.wanted or 0)

    @property
    def projected(self) -> float | None:
        """US dollars that the whole will about come to, by what settled items cost; None where that is unknown.

        What was spent on items in the making is told apart by their share of the answers.
        """
        answers = sum(sum(states.values()) for states in self.answers.values())
        if self.cost is None or not self.wanted or not self.settled_items or not answers:
            return None
        on_settled = self.cost * (answers - self.making) / answers
        return max(self.cost, on_settled * self.wanted / self.settled_items)

    def json(self) -> dict[str, Any]:
        """The status as JSON values."""
        derived = {name: getattr(self, name) for name in ("people", "cost", "projected", "cached")}
        return asdict(self) | derived | {"spending": [spent.json() for spent in self.spending]}


def status(connection: Connection) -> Status:
    """Read the status."""
    record = campaigns.get(connection)
    states = counts.of(connection, "item")
    found = documents.count(connection), records.count(connection)
    begun = phases.every(connection)
    wants = sum(phase.wanted for phase in begun) if begun else wanted_items(record.recipe["quota"], sum(found))
    return Status(
        campaign=record.name,
        began=record.began,
        paused=record.paused,
        ended=record.ended,
        documents=found[0],
        refused=list_refusals(connection),
        wanted=wants or None,
        items=dict(sum(map(Counter, states.values()), Counter[str]())),
        answers=counts.of(connection, "answer"),
        queues=jobs.count_unfinished(connection),
        spending=calls.spending_by_model(connection),
        uncertain=calls.uncertain(connection),
        causes=tuple(items.causes(connection)),
        tries=record.recipe["quota"]["tries"],
        making=items.count_open_answers(connection),
        batches=batches.batch_progress(connection),
        records=found[1],
        refusals=documents.count_refused(connection) + records.count_refused(connection),
        phases=tuple(
            PhaseStatus(one.name, one.wanted, states.get(one.name, {}), one.inputs, one.drawn, one.without)
            for one in begun
        ),
        notes=documents.noted_files(connection, NAMED),
        noted=documents.count_noted(connection),
    )


def list_refusals(connection: Connection) -> dict[str, str]:
    """The first refused files, then lines, each with its reason."""
    files = documents.refused_files(connection, NAMED)
    return files | records.refused_lines(connection, NAMED - len(files))


def wanted_items(quota: Mapping[str, int | None], sources: int) -> int | None:
    """How many kept items the recipe asks for; None while that depends on a corpus not yet read."""
    return quota["target"] or (quota["per_document"] or 0) * sources or None


def describe_batches(connection: Connection) -> str:
    """What providers still work on when a run ends, as the end of a sentence."""
    left = [batch.total for batch in batches.batch_progress(connection)]
    return f"; requests in batches at their providers: {sum(left)}, the next run collects them" if left else ""
