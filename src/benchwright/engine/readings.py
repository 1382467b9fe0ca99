"""Documents read out, the latest few kept in memory."""

from benchwright.domain.document import Reading, View, read_out
from benchwright.store import documents
from benchwright.store.database import Database

KEPT = 64


class Readings:
    """Views as the models see them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept: dict[View, Reading] = {}

    async def get(self, view: View) -> Reading:
        """The reading of a view."""
        reading = self._kept.pop(view, None)
        if reading is None:
            document, _ = await self._database.read(lambda connection: documents.get(connection, view.document))
            reading = read_out(document, view)
        self._kept[view] = reading
        if len(self._kept) > KEPT:
            del self._kept[next(iter(self._kept))]
        return reading
