"""DuckDuckGo through `ddgs`, by the author of duckduckgo-search and its successor.

It reads the result page that DuckDuckGo shows to browsers; whether that is allowed for your purpose is yours to
judge. The query leaves the house, so it is asked only where a campaign names it, and no other engine of ddgs ever is.
"""

import asyncio
from importlib.util import find_spec
from typing import Any

from benchwright.domain.snippet import Snippet
from benchwright.errors import BadRequest, ConfigError, Transient
from benchwright.search.base import snippet, trim_query
from benchwright.search.pace import Pace

GAP = 2.0  # seconds between requests
TIMEOUT = 10  # seconds


class DuckDuckGo:
    """The text search, one request at a time."""

    def __init__(self, region: str = "us-en", timeout: int = TIMEOUT, pace: Pace | None = None) -> None:
        """`region` as DuckDuckGo names it; raises `ConfigError` where the package is missing."""
        if find_spec("ddgs") is None:
            raise ConfigError("the search duckduckgo needs the package ddgs: pip install 'benchwright[search]'")
        self.region = region
        self.timeout = timeout
        self.pace = pace or Pace(GAP)

    @property
    def name(self) -> str:
        """With its region."""
        return f"duckduckgo ({self.region})"

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """The snippets of the first page; raises `Transient`, also where there are none, or `BadRequest`.

        A page that only says "too many requests" (HTTP 202) looks like an empty one to ddgs, so both slow the pace.
        """
        await self.pace.turn()
        try:
            rows = await asyncio.to_thread(self.ask, trim_query(query), most)
        except Transient:
            self.pace.record_failure()
            raise
        self.pace.record_answer()
        return tuple(snippet(row.get("body", ""), row.get("href", ""), row.get("title", "")) for row in rows)[:most]

    def ask(self, query: str, most: int) -> list[dict[str, Any]]:
        """One search, in a thread of its own: ddgs waits."""
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException, TimeoutException
        from primp import PrimpError

        try:
            return DDGS(timeout=self.timeout).text(query, region=self.region, backend="duckduckgo", max_results=most)
        except PrimpError as error:  # nothing has left yet
            raise BadRequest(f"its proxy, the variable DDGS_PROXY, cannot be used: {error.args[0]}") from None
        except TimeoutException:
            raise Transient(f"no answer within {self.timeout} s") from None
        except DDGSException as error:
            if "No results" in str(error):
                raise Transient("no results, or too many requests: the two look alike") from None
            raise Transient(f"the request failed: {error}") from None
