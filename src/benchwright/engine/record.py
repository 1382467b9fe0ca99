"""The ledger's record, kept in the campaign's database."""

from collections.abc import Callable
from time import time

from benchwright.domain.call import Reply, Request
from benchwright.engine.worker import stamp
from benchwright.store import calls
from benchwright.store.database import Database, Rank


class StoreRecord:
    """What `llm.ledger.Ledger` writes to; each method returns when its commit is on disk."""

    def __init__(self, database: Database, now: Callable[[], float] = time) -> None:
        self._database = database
        self._now = now

    async def find(self, call_id: str) -> Reply | None:
        """The reply of a completed call."""
        return await self._database.read(lambda connection: calls.find(connection, call_id))

    async def intend(self, request: Request) -> None:
        """A call is about to leave."""
        at = stamp(self._now())
        await self._database.write(lambda connection: calls.intend(connection, request, at), Rank.CLAIM)

    async def settle(self, request: Request, reply: Reply) -> None:
        """A reply is here."""
        await self._database.write(lambda connection: calls.settle(connection, request, reply), Rank.PAID)

    async def fail(self, request: Request, error: str) -> None:
        """A call came to nothing."""
        await self._database.write(lambda connection: calls.fail(connection, request, error))
