"""The queue "graphs": what the graphs of a campaign know of a document, looked up once, then chosen by topic."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Any

from benchwright.domain.document import Document
from benchwright.domain.item import Seed
from benchwright.domain.knowledge import Record
from benchwright.engine.alone import Alone
from benchwright.errors import BenchwrightError, ConfigError
from benchwright.kg import finders, gather
from benchwright.kg.gather import Knowledge
from benchwright.kg.link import Linked
from benchwright.kg.select import choose, strange
from benchwright.kg.sources import read, stamp
from benchwright.kg.vectors import by_meaning
from benchwright.kg.vocabulary import other_names
from benchwright.pipelines.lookups import TopicAsk, TopicFacts
from benchwright.pipelines.sources import GraphSource, KnowledgeSettings
from benchwright.store import documents
from benchwright.store.database import Database
from benchwright.store.graphs import GraphFile, build, read_stamp

KEPT = 64  # documents whose facts are kept in memory
EVERY = 500_000  # records between two lines about the loading of a graph
TOLD = 12  # links, and names without one, that an answer tells of

Say = Callable[[str], None]


async def load_if_stale(source: GraphSource, folder: Path, kept: Path, say: Say) -> Path:
    """The compact file of a graph; it is made where it is missing, or older than what its source is now."""
    origin, path = folder / source.path, compact(source, kept)
    records = read(source.form, origin)  # a missing source is told before anything else
    if not await asyncio.to_thread(fresh, source, folder, kept):
        say(f"loading the graph {source.display_name} from {origin} into {path}, once")
        await load(path, source.display_name, records, stamp(source.form, origin), say)
    return path


def compact(source: GraphSource, kept: Path) -> Path:
    """Where a graph's compact file lies."""
    return kept / f"{source.display_name}.graph"


def fresh(source: GraphSource, folder: Path, kept: Path) -> bool:
    """Whether the compact file is there, made of what its source is now."""
    return read_stamp(compact(source, kept)) == stamp(source.form, folder / source.path)


async def load(path: Path, label: str, records: Iterator[Record], made_of: str, say: Say) -> None:
    """Build the file in a thread, with a line now and then; a cancellation ends it, and leaves no file."""
    loop, left = asyncio.get_running_loop(), Event()

    def count_records() -> Iterator[Record]:
        for number, record in enumerate(records, 1):
            if left.is_set():
                raise BenchwrightError("nobody waits for the graph any more")
            if number % EVERY == 0:
                loop.call_soon_threadsafe(say, f"graph {label}: {number:,} records read")
            yield record

    building = asyncio.ensure_future(asyncio.to_thread(build, path, label, count_records(), made_of, left.is_set))
    try:
        await asyncio.shield(building)
    except asyncio.CancelledError:
        say(f"graph {label}: stopping; the next run loads it anew")
        left.set()
        await asyncio.gather(building, return_exceptions=True)
        raise


class Graphs:
    """The service: candidate facts of the latest documents are kept, and each document is looked up once at a time."""

    def __init__(
        self, look: Callable[[Document], Knowledge], settings: KnowledgeSettings, database: Database, alone: Alone
    ) -> None:
        """`look` is asked about one document after the other."""
        self._look = look
        self._settings = settings
        self._database = database
        self._alone = alone
        self._known: dict[str, asyncio.Task[Knowledge]] = {}

    async def __call__(self, ask: TopicAsk, seed: Seed) -> Mapping[str, Any]:
        """The facts for the topic, what the document does not say of them, and how they were found."""
        knowledge = await self._of(seed.view.document)
        found = {one.fact.id: one for one in knowledge.candidates}
        facts = choose(knowledge.candidates, ask.topic, self._settings.most, self._settings.each)
        named = [fact.id for fact in facts if found[fact.id].named]
        foreign = dict.fromkeys(chain.from_iterable(strange(found[fact.id]) for fact in facts))
        return TopicFacts.of(facts, named, describe_finders(knowledge), foreign).model_dump(mode="json")

    async def _of(self, document: str) -> Knowledge:
        task = self._known.pop(document, None) or asyncio.create_task(self._gather(document))
        self._known[document] = task
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        try:
            return await asyncio.shield(task)
        except BenchwrightError:
            self._known.pop(document, None)  # so that the next may try again
            raise

    async def _gather(self, document: str) -> Knowledge:
        found, _ = await self._database.read(lambda connection: documents.get(connection, document))
        return await self._alone.do(partial(self._look, found))

    async def aclose(self) -> None:
        """Nobody waits any more."""
        for task in self._known.values():
            task.cancel()
        await asyncio.gather(*self._known.values(), return_exceptions=True)


def describe_finders(knowledge: Knowledge) -> tuple[str, ...]:
    """What looked, and what it took the document's names for; what may be several things is told, not guessed."""
    return (*knowledge.about, *(line for label, linked in knowledge.linked.items() for line in links(label, linked)))


def links(label: str, linked: Linked) -> Iterator[str]:
    """One line for each of the foremost entities that a graph and the document share, and for each ambiguous name."""
    for link in linked.links[:TOLD]:
        yield f"{label}: {link.mentions[0].text!r} is {link.entity.name} ({link.entity.id}, by {link.way})"
    for name in linked.ambiguous[:TOLD]:
        ids = " or ".join(entity.id for entity in name.candidates)
        yield f"{label}: {name.text!r} may be {ids}: not linked"


def sources(settings: KnowledgeSettings, folder: Path, graphs: Sequence[GraphFile]) -> gather.Sources:
    """What documents are looked up with; opening a model or embedding many names takes its time."""
    names = chain.from_iterable(graph.names(settings.labels) for graph in graphs)
    known = chain(names, finders.of_vocabularies(settings.dictionaries))
    finder = finders.finder(settings.finder, folder, known)
    nearest = by_meaning(finders.local(settings.vectors, folder), graphs, settings.labels) if settings.vectors else {}
    also = other_names(settings.dictionaries)
    return gather.Sources(finder, graphs, nearest, settings.labels, settings.threshold, also)


def demand_kinds(graph: GraphFile, labels: Sequence[str]) -> None:
    """Raise `ConfigError` for a graph without anything of the kinds that are looked for: it could tell nothing."""
    if not set(labels) & set(graph.kinds):
        wanted, known = ", ".join(map(repr, labels)), ", ".join(graph.kinds[:TOLD])
        raise ConfigError(f"the graph {graph.label} has nothing of the kind {wanted}: let labels name one of {known}")


@asynccontextmanager
async def open_graphs(
    settings: KnowledgeSettings, folder: Path, paths: Sequence[Path], database: Database, say: Say
) -> AsyncIterator[Graphs]:
    """The service on loaded graphs; `say` is told what finds names in documents."""
    with ExitStack() as files:
        graphs = [files.enter_context(GraphFile(path)) for path in paths]
        for graph in graphs:
            demand_kinds(graph, settings.labels)
        alone = Alone("graphs")
        try:
            found = await alone.do(partial(sources, settings, folder, graphs))
            for about in (found.finder.about, *(nearest.about for nearest in found.nearest.values())):
                say(f"graphs: names in documents are found by {about}")
            service = Graphs(partial(gather.gather, sources=found), settings, database, alone)
            try:
                yield service
            finally:
                await service.aclose()
        finally:
            await alone.aclose()
