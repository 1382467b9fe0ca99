"""The queue "search": what is said of an entity, by the first search that knows it, and what else it is called."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from time import time
from typing import Any

from benchwright.clock import utc_iso
from benchwright.domain.item import Seed
from benchwright.domain.knowledge import Entity, Fact, form
from benchwright.domain.snippet import Snippet
from benchwright.domain.text import abbreviates, plain
from benchwright.engine.alone import Alone
from benchwright.kg.dictionary import GENERIC, SHORTEST
from benchwright.kg.graph import Graph
from benchwright.pipelines.lookups import EntityAsk, EntityFound
from benchwright.pipelines.sources import SearchSettings
from benchwright.search import glossary
from benchwright.search.base import Search
from benchwright.search.duckduckgo import DuckDuckGo
from benchwright.search.glossary import Glossary, runs
from benchwright.search.searxng import SearXNG
from benchwright.search.wrappers import NOTHING, Cached, Fallback
from benchwright.store import searches
from benchwright.store.database import Database

NAMES = 40  # other names of an entity that are told
EACH = 2  # facts by one relation: several relations tell more of a thing than one

Say = Callable[[str], None]


class StoreCache:
    """Where `search.wrappers.Cached` keeps what came over the network; `save` returns when its commit is on disk."""

    def __init__(self, database: Database, now: Callable[[], float] = time) -> None:
        self._database = database
        self._now = now

    async def find(self, key: str) -> tuple[Snippet, ...] | None:
        """The snippets of a query that was answered."""
        return await self._database.read(lambda connection: searches.find(connection, key))

    async def save(self, key: str, search: str, query: str, snippets: tuple[Snippet, ...]) -> None:
        """Keep what a search found."""
        save = partial(searches.save, key=key, search=search, query=query, snippets=snippets, now=utc_iso(self._now()))
        await self._database.write(save)


class Worded:
    """A search of the web, asked about an entity in the words that bring descriptions of it."""

    def __init__(self, inner: Search, words: str) -> None:
        """`words` stand behind what is asked about."""
        self._inner = inner
        self._words = words

    @property
    def name(self) -> str:
        """The inner one's."""
        return self._inner.name

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """What the inner one finds."""
        return await self._inner.find(f"{query} {self._words}".strip(), most)


class GraphSearch:
    """What a graph states of a thing: a line for each fact, with its source; nothing leaves the house."""

    def __init__(self, graph: Graph, alone: Alone) -> None:
        """The graph is asked in that thread."""
        self._graph = graph
        self._alone = alone

    @property
    def name(self) -> str:
        """With the graph's label."""
        return f"graph {self._graph.label}"

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """The facts of all that bear the longest name in the query; several relations before several facts of one."""
        return await self._alone.do(partial(self._find, query, most))

    async def other_names(self, name: str) -> tuple[str, ...]:
        """What else the bearers of a name are called."""
        bearers = await self._alone.do(partial(entities_by_name, self._graph, name))
        return tuple(dict.fromkeys(other for entity in bearers for other in (entity.name, *entity.synonyms)))

    def _find(self, query: str, most: int) -> tuple[Snippet, ...]:
        named = (entities_by_name(self._graph, run) for run in runs(plain(query).split()))
        entities = next(filter(None, named), ())
        stated = [(entity, self._graph.facts(entity.id, EACH)) for entity in entities]
        lines = [line(entity, fact) for entity, facts in stated for fact in in_turns(facts)]
        return tuple(lines[:most])


def entities_by_name(graph: Graph, name: str) -> tuple[Entity, ...]:
    """The entities whose own name it is; where it is nobody's own, those that are also called so."""
    found = graph.find_by_name(form(name))
    own = [one.entity for one in found if not one.synonym]
    return tuple(dict.fromkeys(own or [one.entity for one in found]))


def in_turns(facts: Iterable[Fact]) -> list[Fact]:
    """The first fact of each relation, then the second of each."""
    seen: dict[str, int] = {}
    turns = []
    for place, fact in enumerate(facts):
        seen[fact.relation] = seen.get(fact.relation, 0) + 1
        turns.append((seen[fact.relation], place, fact))
    return [fact for *_, fact in sorted(turns, key=lambda turn: turn[:2])]


def line(entity: Entity, fact: Fact) -> Snippet:
    """A fact as what is said of an entity."""
    stated = f"{fact.subject.name} {fact.relation} {fact.object.name}"
    return Snippet(
        f"{stated} ({fact.details})" if fact.details else stated, fact.source, f"{entity.name}, {entity.kind}"
    )


class Searches:
    """The service: searches in the order of trust; those before the one that found anything are told of once a run."""

    def __init__(self, asked: Sequence[Search], known: Sequence[Glossary | GraphSearch], say: Say) -> None:
        """`known` are those of whom other names are to be had."""
        self._fallback = Fallback(asked)
        self._known = tuple(known)
        self._say = say
        self._told: set[str] = set()

    async def __call__(self, ask: EntityAsk, _seed: Seed) -> Mapping[str, Any]:
        """The snippets, whose they are, what failed before; and the other names."""
        found = await self._fallback.look(ask.entity, ask.most)
        for failure in found.failures:
            self._tell(failure, found.by)
        return EntityFound.of(found, await self._names(ask.entity)).model_dump(mode="json")

    def _tell(self, failure: str, by: str) -> None:
        if failure not in self._told and not failure.endswith(NOTHING):
            self._told.add(failure)
            self._say(f"search: {failure}; {f'{by} is asked instead' if by else 'nobody else knows it'}")

    async def _names(self, entity: str) -> tuple[str, ...]:
        lists = [
            one.other_names(entity) if isinstance(one, Glossary) else await one.other_names(entity)
            for one in self._known
        ]
        names: dict[str, str] = {}
        for name in chain.from_iterable(lists):
            names.setdefault(plain(name), " ".join(name.split()))
        useless = GENERIC | {plain(entity)}
        told = (name for key, name in names.items() if key not in useless)
        return tuple(name for name in told if len(plain(name)) >= SHORTEST or abbreviates(name))[:NAMES]


def open_searches(
    settings: SearchSettings, folder: Path, graphs: Sequence[GraphSearch], database: Database, say: Say
) -> Searches:
    """The searches that a campaign names; raises `ConfigError` for a glossary that cannot be read."""
    known: list[Glossary | GraphSearch] = [glossary.load(folder / settings.glossary)] if settings.glossary else []
    known += graphs
    cache = StoreCache(database)
    asked: list[Search] = []
    for name in settings.use:
        asked += known if name == "glossary" else [Worded(Cached(web(name, settings), cache), settings.words)]
    return Searches(asked, known, say)


def web(name: str, settings: SearchSettings) -> Search:
    """A search over the network; raises `ConfigError` where its package is missing."""
    timeout = settings.timeout
    return DuckDuckGo(settings.region, timeout) if name == "duckduckgo" else SearXNG(settings.searxng, timeout)
