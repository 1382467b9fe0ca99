"""What items are about, as agents see it; the latest few are kept in memory."""

from collections.abc import Mapping
from typing import Any

from benchwright.domain.document import Reading, View, read_out
from benchwright.domain.ids import canonical
from benchwright.domain.source import About, Passage, RecordRef, passage_reading
from benchwright.store import documents, phases, records
from benchwright.store.database import Database

KEPT = 64
# Sentences read out, of a document or a passage; the fields of a record or of another item; several of these.
Content = Reading | Mapping[str, Any] | tuple["Content", ...]


class Readings:
    """What is shown of the sources of items."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[About, Content] = {}

    async def get(self, about: About) -> Content:
        """What is shown of what an item is about."""
        content = self._kept.pop(about, None)
        if content is None:
            content = await self._read(about)
        self._kept[about] = content
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return content

    async def _read(self, about: About) -> Content:
        match about:
            case tuple():
                return tuple([await self.get(source) for source in about])
            case View():
                return await self._read_out(about)
            case Passage():
                return passage_reading(await self._read_out(about.view), about)
            case RecordRef():
                record = await self._database.read(lambda connection: records.get(connection, about.record))
                return record.fields
        return await self._database.read(lambda connection: phases.item_body(connection, about.item))

    async def _read_out(self, view: View) -> Reading:
        document, _ = await self._database.read(lambda connection: documents.get(connection, view.document))
        return read_out(document, view)


def laid_out(content: Content) -> Reading:
    """Content as one reading: of several sources the texts one below the other, of fields a line each."""
    if isinstance(content, Reading):
        return content
    if isinstance(content, tuple):
        text = "\n\n".join(laid_out(part).text for part in content)
    else:
        fields = ((name, value if isinstance(value, str) else canonical(value)) for name, value in content.items())
        text = "\n".join(f"{name}: {value}" for name, value in fields)
    return Reading(View("", ()), "", (), text)
