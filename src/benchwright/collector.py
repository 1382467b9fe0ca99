"""Collect documents into a folder: from the web by search, from lists of addresses, or from another folder."""

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import time
from urllib.parse import urlsplit

from benchwright.clock import utc_iso
from benchwright.corpus.addresses import tidy_url
from benchwright.corpus.apart import Apart
from benchwright.corpus.fetch import Fetcher, Manners, Page, fetcher
from benchwright.corpus.holdings import (
    ASIDE,
    DOCUMENTS,
    FAILED,
    READ,
    REFUSED,
    Holding,
    Holdings,
    file_name,
    writing,
)
from benchwright.corpus.read import LARGEST, find, read_data
from benchwright.corpus.read import SUFFIXES as READABLE
from benchwright.corpus.sniff import SUFFIXES, describe, kind_of
from benchwright.domain.campaign import Documents
from benchwright.errors import BadRequest, CorpusError, Owned, Transient, Unfetched, Unreadable, UsageError
from benchwright.search.base import Search
from benchwright.store.owner import own_campaign

Say = Callable[[str], None]
ALL = Documents(tables=True, figures=True)  # what a campaign leaves out is for the campaign to say
TRIES = 3  # of a search
SEARCH_MOST = 1000  # addresses of one search
SAY_EVERY = 25  # sources


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is collected: topics to search for with these words, and addresses; of these kinds, so many a search."""

    topics: tuple[str, ...] = ()
    words: str = ""
    urls: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ("pdf",)
    most: int = 20

    def query(self, topic: str) -> str:
        """What is searched for; a single kind is asked for in the words that search engines know."""
        typed = f"filetype:{self.kinds[0]}" if len(self.kinds) == 1 else ""
        return " ".join(filter(None, (topic, self.words, typed)))


@dataclass(slots=True)
class Collected:
    """What became of the sources of this call, by state; `known` were settled before; searches that found nothing."""

    states: Counter[str] = field(default_factory=Counter)
    known: int = 0
    silent: list[str] = field(default_factory=list)
    held: int = 0  # documents in the folder

    @property
    def complete(self) -> bool:
        """Whether the same call again would find nothing more to try."""
        return not self.states[FAILED] and not self.silent

    def json(self) -> dict[str, object]:
        """As JSON values."""
        return {"states": dict(self.states), "known": self.known, "silent": self.silent, "documents": self.held}


def wanted(topics: Path | None, urls: Path | None, *, words: str, kinds: Sequence[str], most: int) -> Wanted:
    """What files of topics and of addresses say; raises `UsageError` that names what is wrong."""
    if topics is None and urls is None:
        raise UsageError("there is nothing to collect: give --topics FILE, --urls FILE, or both")
    if not 0 < most <= SEARCH_MOST:
        raise UsageError(f"--most is {most}: give a number from 1 to {SEARCH_MOST}")
    listed = read_topics(topics) if topics else ()
    return Wanted(listed, " ".join(words.split()), read_topics(urls) if urls else (), tuple(kinds), most)


async def collect(root: Path, wanted: Wanted, search: Search | None, manners: Manners, say: Say) -> Collected:
    """Search, then fetch what was found and is not settled yet. The same call goes on after any interruption."""
    with own_folder(root):
        holdings, done = Holdings(root), Collected()
        urls: dict[str, str] = {}
        for url in wanted.urls:
            note_url(urls, url, "")
        if search:
            await search_topics(holdings, wanted, search, done, say)
            for topic in wanted.topics:
                for url in holdings.searches.get((search.name, wanted.query(topic)), ()):
                    note_url(urls, url, topic)
        with Apart() as apart:
            async with fetcher(manners) as web:
                await fetch_all(Work(holdings, wanted, web, apart, done, say), urls)
        done.held = holdings.count
        return done


@contextmanager
def own_folder(root: Path) -> Iterator[None]:
    """Hold a folder while documents are collected into it; raises `Owned` where another process does."""
    with writing(root):
        root.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        try:
            stack.enter_context(own_campaign(root / "manifest.jsonl", utc_iso(time())))
        except Owned as error:
            raise Owned(f"{root}: another process collects documents into it; wait until it has ended") from error
        yield


def note_url(urls: dict[str, str], url: str, topic: str) -> None:
    """Remember an address once, as it is compared; one that is none is remembered as it stands."""
    with suppress(Unfetched):
        url = tidy_url(url)
    urls.setdefault(url, topic)


async def search_topics(holdings: Holdings, wanted: Wanted, search: Search, done: Collected, say: Say) -> None:
    """Search for each topic that was not searched for before, and keep what was found."""
    for number, topic in enumerate(wanted.topics, 1):
        query = wanted.query(topic)
        if (search.name, query) in holdings.searches:
            continue
        try:
            found = await search_once(search, query, wanted.most)
        except (Transient, BadRequest) as error:
            done.silent.append(f"{topic}: {error}")
            continue
        holdings.save_search(search.name, query, topic, utc_iso(time()), found)
        say(f"searched {number} of {len(wanted.topics)}: {topic}, {len(found)} addresses")


async def search_once(search: Search, query: str, most: int) -> list[str]:
    """The addresses that a search finds; tries again a few times, at the search's own pace."""
    for attempt in range(1, TRIES + 1):
        try:
            found = await search.find(query, most)
        except Transient:
            if attempt == TRIES:
                raise
        else:
            return list(dict.fromkeys(one.url for one in found if one.url))
    return []


@dataclass(frozen=True, slots=True)
class Work:
    """What fetching needs."""

    holdings: Holdings
    wanted: Wanted
    web: Fetcher
    apart: Apart
    done: Collected
    say: Say


async def fetch_all(work: Work, urls: Mapping[str, str]) -> None:
    """Fetch all that is not settled: sites side by side, the documents of a site one after another."""
    sites: dict[str, list[str]] = {}
    for url in urls:
        if work.holdings.is_settled(url):
            work.done.known += 1
        else:
            sites.setdefault(urlsplit(url).netloc, []).append(url)
    count = sum(map(len, sites.values()))

    async def fetch_site(addresses: Sequence[str]) -> None:
        for url in addresses:
            holding = await fetch_one(work, url, urls[url])
            work.done.states[holding.state] += 1
            if (ended := work.done.states.total()) % SAY_EVERY == 0 or ended == count:
                work.say(f"fetched {ended} of {count}: {tally(work.done.states)}")

    async with asyncio.TaskGroup() as group:
        for addresses in sites.values():
            group.create_task(fetch_site(addresses))


async def fetch_one(work: Work, url: str, topic: str) -> Holding:
    """One address, and what became of it, on record."""
    start = Holding(url, FAILED, utc_iso(time()), topic=topic)
    try:
        page = await work.web.fetch(url)
        holding, data = await asyncio.to_thread(settle, work, start, page)
    except Unfetched as error:
        holding, data = replace(start, state=FAILED if error.again else REFUSED, reason=str(error)), None
    return work.holdings.save(holding, data)


def settle(work: Work, start: Holding, page: Page) -> tuple[Holding, bytes | None]:
    """What a page is: a document, a duplicate, or neither; and the bytes that are to be kept."""
    known = replace(start, final=page.url, licence=page.licence)
    kind = kind_of(page.data)
    if kind not in work.wanted.kinds:
        named = f"'{kind}', and only {', '.join(work.wanted.kinds)} is wanted" if kind else describe(page.data)
        return replace(known, state=REFUSED, kind=kind, reason=f"is {named}"), None
    return examine(work.apart, known, page.data, SUFFIXES[kind])


def examine(apart: Apart, known: Holding, data: bytes, suffix: str) -> tuple[Holding, bytes]:
    """Read a file to see in which state it ends; and its bytes."""
    kind = known.kind or suffix.lstrip(".")
    hashed = replace(known, sha256=hashlib.sha256(data).hexdigest(), bytes=len(data), kind=kind)
    name = file_name(known.source, hashed.sha256, suffix)
    try:
        document = read_data(data, (name, suffix), keep=ALL, apart=apart)
    except Unreadable as error:
        reason = str(error).removeprefix(f"{name}: ")
        return replace(hashed, state=error.state, file=f"{ASIDE}/{name}", reason=reason), data
    licence = known.licence or document.licence
    return replace(hashed, state=READ, file=f"{DOCUMENTS}/{name}", title=document.title, licence=licence), data


def add(source: Path, root: Path, say: Say) -> Collected:
    """Take the documents of a folder, or one file, into a folder of collected ones; the source is left as it is."""
    paths = find([str(source.absolute())], Path("/"))
    with own_folder(root), Apart() as apart, ThreadPoolExecutor(apart.processes) as threads:
        holdings, done = Holdings(root), Collected()
        new = [path for path in paths if not is_known(holdings, path)]
        done.known = len(paths) - len(new)
        # In the order of their names, so that of two files with the same bytes the first is kept.
        for number, (holding, data) in enumerate(threads.map(partial(take_file, apart), new), 1):
            done.states[holdings.save(holding, data).state] += 1
            if number % SAY_EVERY == 0:
                say(f"looked at {number} of {len(new)}: {tally(done.states)}")
        done.held = holdings.count
        return done


def is_known(holdings: Holdings, path: Path) -> bool:
    """Whether a file was taken in as it is now."""
    if not holdings.is_settled(str(path)):
        return False
    known = holdings.by_source[str(path)].sha256
    with suppress(OSError):
        return not known or known == hashlib.sha256(path.read_bytes()).hexdigest()
    return False


def take_file(apart: Apart, path: Path) -> tuple[Holding, bytes | None]:
    """One file of a folder, by its bytes: a PDF that is called .txt is a PDF."""
    start = Holding(str(path), FAILED, utc_iso(time()))
    try:
        if path.stat().st_size > LARGEST:
            return replace(start, state=REFUSED, reason=f"has more than {LARGEST >> 20} MB; split it into parts"), None
        data = path.read_bytes()
    except OSError as error:
        return replace(start, reason=f"cannot be read ({error.strerror})"), None
    suffix = SUFFIXES.get(kind_of(data)) or path.suffix.lower()
    if suffix not in READABLE:
        return replace(start, state=REFUSED, reason=f"is {describe(data)}, no document that is read here"), None
    return examine(apart, start, data, suffix)


def tally(states: Mapping[str, int]) -> str:
    """Counts by state, the most frequent first."""
    return ", ".join(f"{count} {state}" for state, count in sorted(states.items(), key=lambda one: (-one[1], one[0])))


def read_topics(path: Path) -> tuple[str, ...]:
    """The topics in a file: one a line, or the texts in the lists of a JSON file, each once.

    Raises `UsageError` that names the file.
    """
    try:
        text = path.read_text("utf-8-sig")
        topics = list(texts_in(json.loads(text))) if path.suffix.lower() == ".json" else text.splitlines()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror}); check its path") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: is no JSON of lists of topics, or is not UTF-8 ({error})") from error
    found = dict.fromkeys(" ".join(topic.split()) for topic in topics if not topic.lstrip().startswith("#"))
    found.pop("", None)
    if not found:
        raise UsageError(f"{path}: holds no topics; write one on each line")
    return tuple(found)


def texts_in(value: object) -> Iterator[str]:
    """The texts in the lists within a JSON value; what stands under names that begin with _ is no topic."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.startswith("_"):
                yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            if isinstance(inner, str):
                yield inner
            else:
                yield from texts_in(inner)


def listed(root: Path) -> tuple[Holding, ...]:
    """What is on record about a folder, in the order of the manifest; raises `CorpusError` where there is none."""
    if not (root / "manifest.jsonl").is_file():
        raise CorpusError(f"{root}: holds no manifest.jsonl; `benchwright corpus add` or `collect` make one")
    return tuple(Holdings(root).by_source.values())
