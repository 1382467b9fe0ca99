"""No query leaves twice: what a search found is kept with its addresses, and looked up first."""

import asyncio
from weakref import WeakValueDictionary

from benchwright.domain.ids import content_id
from benchwright.domain.snippet import Snippet
from benchwright.search.base import Cache, Search, trim_query


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
