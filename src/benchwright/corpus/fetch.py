"""A polite reader of the web: public addresses only, robots.txt, a pace for each site, bounds on size and time.

Redirects are followed one by one; each is an address like the first, with the same checks. No proxy of the environment
is used, for it would resolve names itself.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from benchwright import __version__
from benchwright.corpus.addresses import Address, Resolve, Target, find_target, is_public, resolve, tidy_url
from benchwright.errors import Unfetched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import httpx2 as httpx

LARGEST, ROBOTS_LARGEST = 50 * 2**20, 512 * 2**10  # bytes
SECONDS, STEP_SECONDS = 120.0, 20.0  # for all of a document, and without a sign of life
REDIRECTS = 5
AGENT = "Benchwright"
GAP, SLOWEST = 1.0, 30.0  # seconds between requests to a site; the longest that a robots.txt is heeded with
FAILURES = 3  # in a row, after which a site is left alone
MOVED = frozenset((301, 302, 303, 307, 308))
OK, SERVER, LATER = 200, 500, frozenset((408, 425, 429))

_LINK = re.compile(r"<([^<>]{1,1000})>([^<>]*)")  # an address, and what is said of it
_LICENCE = re.compile(r'\brel\s*=\s*"?[^",;]*\blicen[sc]e\b', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Manners:
    """How the web is asked. `contact`, a mail address or a page, tells the owners of sites whom to write to."""

    contact: str = ""
    gap: float = GAP
    together: int = 8  # requests at the same time, of which a site sees one
    largest: int = LARGEST
    seconds: float = SECONDS
    resolve: Resolve = resolve
    may_ask: Callable[[Address], bool] = is_public

    @property
    def agent(self) -> str:
        """What a request says of who asks."""
        return f"{AGENT}/{__version__}" + (f" (+{self.contact})" if self.contact else "")


@dataclass(frozen=True, slots=True)
class Page:
    """What an address gave: the bytes, the address after all redirects, and the licence that its header states."""

    data: bytes
    url: str
    licence: str = ""


@dataclass(slots=True)
class Site:
    """What is known of a site: what its robots.txt allows, when the next request may leave, failures in a row."""

    line: asyncio.Lock = field(default_factory=asyncio.Lock)
    robots: Any = None  # None before it was asked for
    free: float = 0.0
    gap: float = 0.0
    failures: int = 0


class Fetcher:
    """Fetches documents. Make it with `fetcher`, which closes its connections."""

    def __init__(self, client: "httpx.AsyncClient", manners: Manners) -> None:
        self._client = client
        self._manners = manners
        self._sites: dict[str, Site] = defaultdict(Site)
        self._together = asyncio.Semaphore(manners.together)

    async def fetch(self, url: str) -> Page:
        """The document at an address; raises `Unfetched` that says why there is none, and whether to try again."""
        try:
            async with asyncio.timeout(self._manners.seconds * (REDIRECTS + 1)):
                return await self._follow(tidy_url(url))
        except TimeoutError:
            raise Unfetched("gave no document in time", again=True) from None

    async def _follow(self, url: str) -> Page:
        for _ in range(REDIRECTS + 1):
            target = await find_target(url, self._manners.resolve, self._manners.may_ask)
            site = self._sites[target.site]
            async with site.line:
                await self._demand_allowed(site, target)
                answer = await self._ask(site, target, self._manners.largest)
            if isinstance(answer, Page):
                return answer
            url = answer
        raise Unfetched(f"leads through more than {REDIRECTS} redirects")

    async def _demand_allowed(self, site: Site, target: Target) -> None:
        """Raise `Unfetched` where the site does not want to be asked; read its robots.txt first."""
        if site.failures >= FAILURES:
            raise Unfetched(f"{target.site} failed {FAILURES} times in a row and is left alone", again=True)
        if site.robots is None:
            site.robots = await self._read_robots(site, target)
            delay = site.robots.crawl_delay(AGENT) or 0.0
            site.gap = min(max(self._manners.gap, delay), SLOWEST)
        if not site.robots.can_fetch(target.url, AGENT):
            raise Unfetched("its site's robots.txt forbids it")

    async def _read_robots(self, site: Site, target: Target) -> Any:
        """What the robots.txt of a site says (RFC 9309): all is allowed where it has none, nothing where it fails."""
        from protego import Protego

        url = f"{target.site}/robots.txt"
        for _ in range(REDIRECTS + 1):
            there = await find_target(tidy_url(url), self._manners.resolve, self._manners.may_ask)
            try:
                answer = await self._ask(site, there, ROBOTS_LARGEST, cut=True)
            except Unfetched as error:
                if error.again:
                    raise Unfetched(f"its site's robots.txt cannot be read: {error}", again=True) from error
                return Protego.parse("")
            if isinstance(answer, Page):
                return Protego.parse(answer.data.decode("utf-8", "replace"))
            url = answer
        return Protego.parse("")

    async def _ask(self, site: Site, target: Target, largest: int, *, cut: bool = False) -> Page | str:
        """One request, when the site's time has come: a page, or where it has moved to."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, site.free - loop.time()))
        try:
            async with self._together:
                found = await self._request(target, largest, cut=cut)
        except Unfetched as error:
            site.failures = site.failures + 1 if error.again else 0
            raise
        finally:
            site.free = loop.time() + max(site.gap, self._manners.gap)
        site.failures = 0
        return found

    async def _request(self, target: Target, largest: int, *, cut: bool) -> Page | str:
        import httpx2 as httpx

        headers = {"Host": target.named, "User-Agent": self._manners.agent, "Accept": "*/*"}
        more = {"sni_hostname": target.host}
        try:
            async with (
                asyncio.timeout(self._manners.seconds),
                self._client.stream("GET", target.direct, headers=headers, extensions=more) as answer,
            ):
                if answer.status_code in MOVED and (place := answer.headers.get("location")):
                    return tidy_url(urljoin(target.url, place))
                demand_ok(answer.status_code)
                data = await _body(answer, largest, cut=cut)
                return Page(data, target.url, find_licence(answer.headers.get("link", ""), target.url))
        except (TimeoutError, httpx.TimeoutException):
            raise Unfetched("did not answer in time", again=True) from None
        except httpx.InvalidURL as error:
            raise Unfetched(f"its address cannot be used ({error})") from error
        except httpx.HTTPError as error:
            raise Unfetched(f"the connection failed ({str(error) or type(error).__name__})", again=True) from None


def demand_ok(status: int) -> None:
    """Raise `Unfetched` for any status but success."""
    if status != OK:
        raise Unfetched(f"answers with HTTP {status}", again=status in LATER or status >= SERVER)


async def _body(answer: "httpx.Response", largest: int, *, cut: bool) -> bytes:
    """The body, unpacked; raises `Unfetched` for one that is too large, unless its beginning is enough."""
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > largest and not cut:
        raise Unfetched(f"has {int(length) >> 20} MB, more than {largest >> 20}")
    body = bytearray()
    async for part in answer.aiter_bytes():
        body += part
        if len(body) > largest:
            if cut:
                return bytes(body[:largest])
            raise Unfetched(f"has more than {largest >> 20} MB")
    return bytes(body)


def find_licence(links: str, url: str) -> str:
    """The address of the licence that the header of links states of the page at an address; "" for none."""
    found = next((place for place, said in _LINK.findall(links) if _LICENCE.search(said)), "")
    try:
        return urljoin(url, found) if found else ""
    except ValueError:
        return ""


@asynccontextmanager
async def fetcher(manners: Manners) -> "AsyncIterator[Fetcher]":
    """A fetcher, for as long as the context lasts."""
    import httpx2 as httpx

    # A connection is made for one name and never used for another that has the same number: none is kept.
    limits = httpx.Limits(max_connections=manners.together, max_keepalive_connections=0)
    async with httpx.AsyncClient(
        follow_redirects=False, timeout=STEP_SECONDS, trust_env=False, limits=limits
    ) as client:
        yield Fetcher(client, manners)
