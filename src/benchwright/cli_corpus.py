"""The commands that collect documents: `benchwright corpus ...`."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter
from cyclopts.validators import Number

from benchwright.show.code import Code
from benchwright.show.common import COMMON, Common

if TYPE_CHECKING:
    from benchwright.search.base import Search

corpus = App(name="corpus", sort_key=11, help="Collect documents into a folder, each with where it came from.")

Root = Annotated[Path, Parameter(help="The folder of collected documents: documents/, set-aside/, manifest.jsonl.")]
Source = Annotated[Path, Parameter(help="A folder of documents, or one file; it is left as it is.")]
Into = Annotated[Path, Parameter(help="The folder of collected documents; it is made where it is missing.")]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for."""

    topics: Annotated[
        Path | None, Parameter(help="What to search for: a topic on each line, or a .json file of lists of topics.")
    ] = None
    urls: Annotated[Path | None, Parameter(help="Addresses to fetch, one on each line, beside what is found.")] = None
    words: Annotated[str, Parameter(help="Words that are added to each topic, such as 'situation report'.")] = ""
    kinds: Annotated[
        tuple[Literal["pdf", "html", "docx"], ...],
        Parameter(name="--type", help="A kind of document to keep: pdf unless given; may be given several times."),
    ] = ("pdf",)
    most: Annotated[int, Parameter(show_default=True, help="The most addresses of each search.")] = 20


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Asked:
    """Who is asked, and how."""

    search: Annotated[
        Literal["duckduckgo", "searxng"] | None,
        Parameter(help="What searches for the topics; your queries leave this machine."),
    ] = None
    searxng_url: Annotated[str, Parameter(help="The address of your SearXNG.")] = ""
    category: Annotated[
        Literal["general", "news", "science", "files"] | None, Parameter(help="The kind of results that SearXNG gives.")
    ] = None
    contact: Annotated[str, Parameter(help="A mail address or page that the owners of sites are shown.")] = ""
    gap: Annotated[
        float, Parameter(show_default=True, validator=Number(gte=0), help="Seconds between requests to one site.")
    ] = 1.0
    together: Annotated[
        int, Parameter(show_default=True, validator=Number(gte=1, lte=64), help="Sites that are asked side by side.")
    ] = 8


SOUGHT, ASKED = Sought(), Asked()


@corpus.command(sort_key=1)
async def collect(folder: Root, /, *, sought: Sought = SOUGHT, asked: Asked = ASKED, common: Common = COMMON) -> Code:
    """Search the web for documents and fetch them politely. The same command continues after any interruption."""
    from benchwright import collector
    from benchwright.corpus.fetch import Manners
    from benchwright.show.corpus import draw_collected

    screen = common.screen
    wanted = collector.wanted(sought.topics, sought.urls, words=sought.words, kinds=sought.kinds, most=sought.most)
    search = search_of(asked) if wanted.topics else None
    manners = Manners(asked.contact, gap=asked.gap, together=asked.together)
    done = await collector.collect(folder, wanted, search, manners, screen.say)
    code = Code.DONE if done.complete else Code.PARTIAL
    return screen.answer(done.json(), draw_collected(folder, done), code)


@corpus.command(sort_key=2)
def add(source: Source, /, *, into: Into, common: Common = COMMON) -> Code:
    """Copy the documents of a folder into a folder of collected ones: what cannot be read is set aside, with why."""
    from benchwright import collector
    from benchwright.show.corpus import draw_collected

    screen = common.screen
    done = collector.add(source, into, screen.say)
    code = Code.DONE if done.complete else Code.PARTIAL
    return screen.answer(done.json(), draw_collected(into, done), code)


@corpus.command(name="list", sort_key=3)
def list_holdings(folder: Root, /, *, common: Common = COMMON) -> Code:
    """Show what became of each source of a folder of collected documents."""
    from benchwright import collector
    from benchwright.show.corpus import draw_holdings

    found = collector.listed(folder)
    return common.screen.answer([asdict(one) for one in found], draw_holdings(found))


def search_of(asked: Asked) -> "Search":
    """The search that is asked for; raises `UsageError` for one that cannot be used."""
    from benchwright.errors import UsageError
    from benchwright.pipelines.sources import split_web_address
    from benchwright.search.duckduckgo import DuckDuckGo
    from benchwright.search.searxng import SearXNG

    if asked.search == "duckduckgo":
        if asked.category:
            raise UsageError("--category is for --search searxng: leave it out")
        return DuckDuckGo()
    if asked.search is None:
        raise UsageError("--topics needs --search duckduckgo, or --search searxng with --searxng-url")
    if split_web_address(asked.searxng_url) is None:
        raise UsageError("--search searxng needs --searxng-url, such as http://localhost:8888")
    return SearXNG(asked.searxng_url, category=asked.category or "")
