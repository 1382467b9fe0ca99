"""What items are about, as agents see it; what was asked for last is kept in memory."""

from functools import partial

from benchwright.domain.document import Reading
from benchwright.domain.source import About, Content, Passage, as_reading, passage_reading
from benchwright.store import sources
from benchwright.store.database import Database

ROOM = 16 << 20  # characters of text that are kept: the sources of all items in work, unless they are very long
EACH = 4096  # characters that a content counts besides its text: a small record takes kilobytes as objects


class Readings:
    """What is shown of the sources of items."""

    def __init__(self, database: Database, room: int = ROOM) -> None:
        """At most `room` characters are kept, and one content in any case."""
        self._database = database
        self._kept: dict[About, tuple[Content, int]] = {}
        self._left = room

    async def get(self, about: About) -> Content:
        """What is shown of what an item is about.

        Sources that many items share, such as a document with its passages, are kept once.
        """
        if isinstance(about, tuple):
            return tuple([await self.get(one) for one in about])
        if isinstance(about, Passage):
            reading = await self.get(about.view)
            assert isinstance(reading, Reading)  # noqa: S101 - a view is read out
            return passage_reading(reading, about)
        if kept := self._kept.pop(about, None):
            self._kept[about] = kept  # asked for last
            return kept[0]
        content = await self._database.read(partial(sources.content, about=about))
        if about not in self._kept:  # nobody else has read it meanwhile
            self._keep(about, content)
        return content

    def _keep(self, about: About, content: Content) -> None:
        """Keep a content, and make room for it."""
        size = len(as_reading(content).text) + EACH
        self._kept[about] = content, size
        self._left -= size
        while self._left < 0 and len(self._kept) > 1:
            self._left += self._kept.pop(next(iter(self._kept)))[1]
