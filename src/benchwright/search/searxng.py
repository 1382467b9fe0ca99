"""A SearXNG of your own, by its JSON API: the query goes to the engines that its owner chose.

Redirects are not followed, and no address that a result names is ever visited.
"""

import asyncio
from typing import Any
from urllib.request import getproxies

import httpx2 as httpx
from pydantic import BaseModel, Field, ValidationError

from benchwright.domain.proxies import is_direct
from benchwright.domain.snippet import Snippet
from benchwright.errors import BadRequest, RateLimited, Transient
from benchwright.search.base import snippet, trim_query
from benchwright.search.pace import Pace

TIMEOUT = 10.0  # seconds for all of an answer
LARGEST = 1 << 20  # bytes of an answer
OK, FORBIDDEN, SERVER = 200, 403, 500
TOO_MANY = (202, 429)  # the first is how some engines and proxies ask for patience


class Row(BaseModel):
    """One result."""

    url: str | None = None
    title: str | None = None
    content: str | None = None


class Page(BaseModel):
    """What we read of an answer; the engines that said nothing are pairs of name and reason."""

    results: list[Row]
    unresponsive_engines: list[Any] = Field(default_factory=list)


class SearXNG:
    """One instance."""

    def __init__(self, base_url: str, timeout: float = TIMEOUT, pace: Pace | None = None, category: str = "") -> None:
        """`base_url` as a browser opens it; `timeout` in seconds; `category` of results, or the instance's own."""
        self.base_url = base_url.rstrip("/")
        self.category = category
        self.timeout = timeout
        self.pace = pace or Pace(0.0)

    @property
    def name(self) -> str:
        """With its address."""
        return f"searxng at {self.base_url}" + (f", {self.category}" if self.category else "")

    @property
    def is_near(self) -> bool:
        """Whether it is asked without the environment's proxy."""
        return is_direct(self.base_url, getproxies().get("no", ""))

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """The snippets of the first page; raises `Transient` where none came, `BadRequest` where none ever will."""
        await self.pace.turn()
        try:
            page = read(await self.fetch(trim_query(query)))
        except Transient:
            self.pace.record_failure()
            raise
        self.pace.record_answer()
        rows = [snippet(row.content or "", row.url or "", row.title or "") for row in page.results]
        if found := tuple(row for row in rows if row.text)[:most]:
            return found
        silent = "; ".join(
            " ".join(map(str, one)) if isinstance(one, list) else str(one) for one in first_silent_engine(page)
        )
        raise Transient(f"no results; engines that did not answer: {silent or 'none'}")

    async def fetch(self, query: str) -> bytes:
        """The body of the answer; raises what its end means."""
        url, parameters = f"{self.base_url}/search", {"q": query, "format": "json"}
        parameters |= {"categories": self.category} if self.category else {}
        try:
            async with (
                asyncio.timeout(self.timeout),
                httpx.AsyncClient(follow_redirects=False, timeout=self.timeout, trust_env=not self.is_near) as client,
                client.stream("GET", url, params=parameters) as answer,
            ):
                if answer.status_code != OK:
                    raise meaning(answer.status_code)
                return await beginning(answer)
        except (TimeoutError, httpx.TimeoutException):
            raise Transient(f"no answer within {self.timeout:g} s") from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol, ImportError, ValueError) as error:
            raise BadRequest(f"its address, or the proxy of the environment, cannot be used: {error}") from None
        except httpx.HTTPError as error:
            raise Transient(f"the connection failed: {str(error) or type(error).__name__}") from None


def first_silent_engine(page: Page) -> list[Any]:
    """The first of the engines that did not answer."""
    return page.unresponsive_engines[:5]


async def beginning(answer: httpx.Response) -> bytes:
    """The body; raises `Transient` for one that is too large to be an answer."""
    body = b""
    async for part in answer.aiter_bytes():
        body += part
        if len(body) > LARGEST:
            raise Transient(f"the answer is larger than {LARGEST} bytes: its rest was not read")
    return body


def meaning(status: int) -> Transient | BadRequest:
    """What a status other than 200 says."""
    if status in TOO_MANY:
        return RateLimited(f"too many requests (HTTP {status})")
    if status == FORBIDDEN:
        return BadRequest("HTTP 403: add json to search.formats in the settings of this SearXNG")
    if status < SERVER:
        return BadRequest(f"HTTP {status}: is its address right? Redirects are not followed")
    return Transient(f"HTTP {status}")


def read(body: bytes) -> Page:
    """The answer's results; raises `Transient` for anything else."""
    try:
        return Page.model_validate_json(body)
    except ValidationError:
        raise Transient("the answer is no JSON of search results") from None
