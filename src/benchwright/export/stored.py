"""The set of a campaign, read from its store in slices, as often as a format needs to."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from benchwright import __version__
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, View, read_out
from benchwright.domain.item import ItemState
from benchwright.export.manifest import Made
from benchwright.pipelines.base import Pipeline
from benchwright.pipelines.kind import Kept, Seen, Source
from benchwright.store import campaigns, counts, documents, items
from benchwright.store.database import Connection
from benchwright.store.items import Row


@dataclass(frozen=True, slots=True)
class StoredSet:
    """See `pipelines.kind.Finished`."""

    connection: Connection
    campaign: Campaign
    pipeline: Pipeline

    def items(self, phase: str = "") -> Iterator[Kept]:  # noqa: ARG002 - items have one phase as yet
        """The kept items of a phase."""
        for row in items.pages(self.connection, ItemState.KEPT):
            yield Kept(self.seen(row), (self.source(row.seed.view),))

    def seen(self, row: Row) -> Seen:
        """A kept item, as its kind takes it."""
        body = self.pipeline.kind.read(row.body)
        read_answers = partial(items.answers, self.connection, row.seq)
        return Seen(row.id, row.seed, row.state, row.cause, row.detail, body, read_answers)

    def source(self, view: View) -> Source:
        """What the set says of a view of a document."""
        document, _ = documents.get(self.connection, view.document)
        return source(document, read_out(document, view).text)


def source(document: Document, text: str = "") -> Source:
    """What the set says of a document."""
    found = document
    return Source(found.id, found.name, found.title, found.doi, found.licence, found.language, text)


def made(connection: Connection, campaign: Campaign, pipeline: Pipeline, file: str) -> Made:
    """How the set was made."""
    admitted = [row.id for row in documents.listed(connection) if row.id]
    discarded: Counter[str] = Counter()
    for state, cause, n in items.causes(connection):
        if state == ItemState.DISCARDED:
            discarded[cause] += n
    states = counts.of(connection, "item").get("", {})
    agents = pipeline.agents
    return Made(
        campaign=campaign,
        file=file,
        prompts={agent.name: agent.prompt.id for agent in agents},
        schemas={agent.name: agent.schema_id for agent in agents},
        documents=tuple(source(documents.get(connection, name)[0]) for name in admitted),
        version=__version__,
        discarded=dict(sorted(discarded.items())),
        waiting=states.get(ItemState.WAITING, 0),
        unfinished=states.get(ItemState.OPEN, 0),
        sources=campaigns.get(connection).recipe.get("sources", {}),
    )
