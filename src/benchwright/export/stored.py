"""The set of a campaign, read from its store in slices, as often as a format needs to."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from benchwright import __version__
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document
from benchwright.domain.item import ItemState
from benchwright.domain.source import Content, ItemRef, RecordRef, Ref, as_reading, each_source, view_of
from benchwright.export.judged import Judged
from benchwright.export.manifest import Made
from benchwright.export.pseudonyms import Pseudonyms, pseudonyms
from benchwright.pipelines.base import Pipeline
from benchwright.pipelines.kind import Kept, Seen, Source
from benchwright.store import calls, campaigns, counts, documents, items, records
from benchwright.store.database import Connection
from benchwright.store.items import Row
from benchwright.store.sources import content, source_name

LINES_NAMED = 1000  # refused lines of files of records that a set names; there may be millions


@dataclass(frozen=True)
class StoredSet:
    """See `pipelines.kind.Finished`. People stand in it under pseudonyms, unless it is told to give their `names`."""

    connection: Connection
    campaign: Campaign
    pipeline: Pipeline
    names: bool = False

    @cached_property
    def people(self) -> Pseudonyms:
        """What stands in place of people's names."""
        return Pseudonyms() if self.names else pseudonyms(self.connection, self.pipeline)

    def items(self, phase: str = "") -> Iterator[Kept]:
        """The kept items of all phases, or of one."""
        kept = ItemState.KEPT
        rows = items.pages_of(self.connection, phase, kept) if phase else items.pages(self.connection, kept)
        for row in rows:
            yield Kept(self.item_as_seen(row), tuple(map(self.source, each_source(row.seed.about))))

    def content(self, ref: Ref) -> Content:
        """What is seen of a source."""
        return content(self.connection, ref)

    def item_as_seen(self, row: Row) -> Seen:
        """A kept item, as its kind takes it."""
        body = self.pipeline.kind.read(self.people.hide(row.body))
        return Seen(row.id, row.seed, row.state, row.cause, row.detail, body, partial(self.answers, row.seq))

    def answers(self, seq: int) -> tuple[Answer, ...]:
        """All that was said about an item."""
        found = items.answers(self.connection, seq)
        return tuple(replace(answer, by=self.people.sign(answer.by)) for answer in found)

    def source(self, ref: Ref) -> Source:
        """What the set says of a source."""
        text = as_reading(content(self.connection, ref)).text
        if isinstance(ref, RecordRef | ItemRef):
            sort, name = ("record", ref.record) if isinstance(ref, RecordRef) else ("item", ref.item)
            return Source(name, source_name(self.connection, ref), "", "", "", "", text, sort)
        return source(documents.get(self.connection, view_of(ref).document)[0], text)


def source(document: Document, text: str = "") -> Source:
    """What the set says of a document."""
    found = document
    cited = (found.id, found.name, found.title, found.doi, found.licence, found.language)
    return Source(*cited, text, stored=found.text)


def describe_making(connection: Connection, found: StoredSet, file: str, judged: Judged | None = None) -> Made:
    """How the set was made; `file` is the campaign file's name, `judged` says how far its judgements can be trusted."""
    campaign, pipeline = found.campaign, found.pipeline
    files = documents.list_files(connection)
    discarded: Counter[str] = Counter()
    for state, cause, n in items.causes(connection):
        if state == ItemState.DISCARDED:
            discarded[cause] += n
    states = sum(map(Counter, counts.of(connection, "item").values()), Counter[str]())
    agents = pipeline.agents
    return Made(
        campaign=campaign,
        file=file,
        prompts={agent.name: agent.prompt.id for agent in agents},
        schemas={agent.name: agent.schema_id for agent in agents},
        documents=tuple(source(documents.get(connection, row.id)[0]) for row in files if row.id),
        records=records.count(connection),
        version=__version__,
        discarded=dict(sorted(discarded.items())),
        waiting=states[ItemState.WAITING],
        unfinished=states[ItemState.OPEN],
        sources=campaigns.get(connection).recipe.get("sources", {}),
        people=found.people,
        judged=judged,
        sent=describe_sent(connection),
        refused={row.name: row.reason or "" for row in files if not row.id}
        | records.refused_lines(connection, LINES_NAMED),
        refusals=documents.count_refused(connection) + records.count_refused(connection),
        notes={row.name: row.notes for row in files if row.id and row.notes},
    )


def describe_sent(connection: Connection) -> dict[str, Any]:
    """How the models were asked that have replied: in one way, or in several one after the other."""
    asked = {spent.model for spent in calls.spending_by_model(connection)}
    ways = {name: ways for name, ways in sorted(campaigns.sent(connection).items()) if name in asked}
    return {name: found[0] if len(found) == 1 else found for name, found in ways.items()}
