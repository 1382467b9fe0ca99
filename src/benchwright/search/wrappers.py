"""Searches around searches: what was found is kept, so no query leaves twice; several are asked in order of trust."""

import asyncio
from collections.abc import Sequence
from weakref import WeakValueDictionary

from benchwright.domain.ids import content_id
from benchwright.domain.snippet import Found, Snippet
from benchwright.errors import BadRequest, Transient
from benchwright.search.base import Cache, Search, trim_query

NOTHING = "nothing about it"


class Cached:
    """Asks only what the cache does not hold; the same query at the same time leaves once. Failures are not kept."""

    def __init__(self, inner: Search, cache: Cache) -> None:
        """`inner` finds what `cache` does not hold."""
        self.inner = inner
        self.cache = cache
        self.asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def name(self) -> str:
        """The inner one's."""
        return self.inner.name

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """From the record, or found and recorded before anyone sees it."""
        key = content_id("search", [self.name, trim_query(query), most])
        async with self.asking.setdefault(key, asyncio.Lock()):
            if (recorded := await self.cache.find(key)) is not None:
                return recorded
            found = await self.inner.find(query, most)
            await self.cache.save(key, self.name, trim_query(query), found)
            return found


class Fallback:
    """Several searches as one that never fails: where none finds anything, it says why."""

    def __init__(self, searches: Sequence[Search]) -> None:
        """They are asked in this order."""
        self.searches = tuple(searches)

    async def look(self, query: str, most: int) -> Found:
        """What the first search with anything found, and what was wrong with those before it."""
        failures: list[str] = []
        for search in self.searches:
            try:
                snippets = await search.find(query, most)
            except (Transient, BadRequest) as error:
                failures.append(f"{search.name}: {error}")
                continue
            if snippets:
                return Found(snippets, search.name, tuple(failures))
            failures.append(f"{search.name}: {NOTHING}")
        return Found(failures=tuple(failures))
