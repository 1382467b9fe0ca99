"""What items are about, as agents see it; the latest few are kept in memory."""

from functools import partial

from benchwright.domain.source import About, Content
from benchwright.store import sources
from benchwright.store.database import Database

KEPT = 64


class Readings:
    """What is shown of the sources of items."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[About, Content] = {}

    async def get(self, about: About) -> Content:
        """What is shown of what an item is about."""
        content = self._kept.pop(about, None)
        if content is None:
            content = await self._database.read(partial(sources.content, about=about))
        self._kept[about] = content
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return content
