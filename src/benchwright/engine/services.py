"""What code answers in a campaign: the queues "graphs" and "search", as its pipeline's settings want them."""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from benchwright.domain.check import Check
from benchwright.engine import graphs, searches
from benchwright.engine.alone import Alone
from benchwright.engine.worker import Service
from benchwright.errors import BenchwrightError, ConfigError
from benchwright.kg import finders, vectors
from benchwright.kg.sources import read
from benchwright.pipelines.lookups import GRAPHS, SEARCH
from benchwright.pipelines.sources import GraphSource, KnowledgeSettings, SearchSettings
from benchwright.search import glossary
from benchwright.store.database import Database
from benchwright.store.graphs import GraphFile

NOWHERE = (
    "no glossary, graph or web search is configured, so easy questions cannot be made harder: "
    'add a glossary or graphs, or a web search, use = ["duckduckgo"]'
)


class Wanted(NamedTuple):
    """What a pipeline's settings want looked up; None for what they do not."""

    knowledge: KnowledgeSettings | None
    search: SearchSettings | None


def read_settings(settings: Mapping[str, Any]) -> Wanted:
    """Read off `Campaign.settings`: no graph without graphs, no search where nothing is refined."""
    knowledge, search = settings.get("knowledge"), settings.get("search")
    asks = knowledge and knowledge.get("graphs")
    looks = search is not None and settings.get("refine") is not False
    return Wanted(
        KnowledgeSettings.model_validate(knowledge) if asks else None,
        SearchSettings.model_validate(search) if looks else None,
    )


@asynccontextmanager
async def services(
    settings: Mapping[str, Any], folder: Path, kept: Path, database: Database, say: Callable[[str], None]
) -> AsyncIterator[Mapping[str, Service]]:
    """The services by their queues, open for a run.

    `settings` are the campaign's; files that they name lie below `folder`; graphs are loaded into files in `kept` where
    they are not there yet, and `say` is told so. Raises `UsageError` for what cannot be read or is not installed.
    """
    knowledge, search = read_settings(settings)
    found: dict[str, Service] = {}
    async with AsyncExitStack() as open_ones:
        paths = [
            await graphs.load_if_stale(graph, folder, kept, say) for graph in (knowledge.graphs if knowledge else ())
        ]
        if knowledge:
            opened = graphs.open_graphs(knowledge, folder, paths, database, say)
            found[GRAPHS] = await open_ones.enter_async_context(opened)
        if search:
            files = [open_ones.enter_context(GraphFile(path)) for path in paths]
            alone = Alone("search")
            open_ones.push_async_callback(alone.aclose)
            stated = [searches.GraphSearch(file, alone) for file in files]
            found[SEARCH] = searches.open_searches(search, folder, stated, database, say)
        yield found


def check(settings: Mapping[str, Any], folder: Path, kept: Path) -> list[Check]:
    """Look at all that the services need: files, extras, forms. Asks no network, loads no model and no graph."""
    knowledge, search = read_settings(settings)
    probes = [*(of_graphs(knowledge, folder, kept) if knowledge else ())]
    probes += of_search(search, folder, graphs=knowledge is not None) if search else ()
    return [run_probe(name, probe) for name, probe in probes]


Probe = tuple[str, Callable[[], str]]


def run_probe(name: str, probe: Callable[[], str]) -> Check:
    """What came of looking."""
    try:
        return Check(name, ok=True, message=probe())
    except BenchwrightError as error:
        return Check(name, ok=False, message=str(error))


def of_graphs(settings: KnowledgeSettings, folder: Path, kept: Path) -> Iterator[Probe]:
    """Each graph, what finds its names in documents, and the vectors."""
    for graph in settings.graphs:
        yield f"graph {graph.display_name}", partial(begins, graph, folder, kept)
    finder, threshold, kinds = settings.finder, settings.threshold, settings.dictionaries
    yield "finder", partial(finders.ready, finder, threshold, folder, kinds)
    if settings.vectors:
        yield "vectors", partial(vectors.ready, settings.vectors)


def begins(graph: GraphSource, folder: Path, kept: Path) -> str:
    """A graph is loaded, or its files are there and begin as their form should."""
    path = folder / graph.path
    if folder.resolve().is_relative_to(path.resolve()):
        raise ConfigError(f"{path} is where the campaign lies, whose files change: give the graph a folder of its own")
    records = read(graph.form, path)
    if graphs.fresh(graph, folder, kept):
        return f"{path} is loaded"
    if next(records, None) is None:
        raise ConfigError(f"{path} holds nothing: is it a graph of the form {graph.form}?")
    return f"{path} begins as a graph of the form {graph.form}"


def of_search(settings: SearchSettings, folder: Path, *, graphs: bool) -> Iterator[Probe]:
    """Each search, as far as can be told without a network."""
    for name in settings.use:
        if name != "glossary":
            yield f"search {name}", partial(leaves, name, settings)
        elif settings.glossary:
            yield "search glossary", partial(count_entries, folder / settings.glossary)
    if settings.use == ("glossary",) and not settings.glossary:
        yield "search", lambda: "what graphs state is all that is looked up" if graphs else NOWHERE


def leaves(name: str, settings: SearchSettings) -> str:
    """A search of the web could be asked."""
    return f"{searches.web(name, settings).name} is asked over the network, not before the run"


def count_entries(path: Path) -> str:
    """The glossary is read."""
    entries = {entry for found in glossary.load(path).entries.values() for entry in found}
    if not entries:
        raise ConfigError(f"{path} has no entry below its first line: add some, or let `glossary` name another file")
    return f"{path} has {len(entries)} entries"
