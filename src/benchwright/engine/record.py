"""The ledger's record and the shelf of batches, kept in the campaign's database."""

from collections.abc import Callable, Mapping, Sequence
from time import time

from benchwright.clock import utc_iso
from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.domain.embed import Embed
from benchwright.errors import BenchwrightError, Unusable
from benchwright.store import batches, blobs, calls, jobs, vectors
from benchwright.store.database import Connection, Database, Rank


class StoreRecord:
    """What `llm.ledger.Ledger` writes to; each method returns when its commit is on disk."""

    def __init__(self, database: Database, now: Callable[[], float] = time) -> None:
        self._database = database
        self._now = now

    async def find(self, request: Request) -> Reply | None:
        """The reply of a completed call; the ticket that asks counts as asked from then on."""

        def operation(connection: Connection) -> Reply | None:
            found = calls.find(connection, request.id)
            if found:
                jobs.depart(connection, request.job)
            return found

        # Among the writes: those share the way to their thread, which costs more than the look.
        return await self._database.write(operation, Rank.CLAIM)

    async def begin(self, request: Request) -> None:
        """The call leaves, and with it the ticket that asks."""
        at = utc_iso(self._now())

        def operation(connection: Connection) -> None:
            calls.intend(connection, request, at)
            jobs.depart(connection, request.job)

        await self._database.write(operation, Rank.CLAIM)

    async def settle(self, request: Request, reply: Reply) -> None:
        """A reply is here; raises `Unusable` where it is paid for, but its vectors cannot be kept."""
        if not isinstance(request, Embed):
            await self._database.write(lambda connection: calls.settle(connection, request, reply), Rank.PAID)
            return
        fault = await self._database.write(lambda connection: vectors.settle(connection, request, reply), Rank.PAID)
        if fault:
            raise Unusable(f"model {request.model.name!r}: {fault}")

    async def fail(self, request: Request, error: str) -> None:
        """A call came to nothing."""
        await self._database.write(lambda connection: calls.fail(connection, request, error))

    async def disown(self, names: Sequence[str], reason: str) -> None:
        """What these calls brought is no answer."""
        await self._database.write(lambda connection: calls.disown(connection, names, reason))

    async def image(self, name: str) -> bytes:
        """The bytes of an image by its hash."""
        return await self._database.read(lambda connection: blobs.get(connection, name))

    async def vectors(self, space: str, texts: Sequence[str]) -> dict[str, bytes]:
        """The embeddings that a space has, by the ids of their texts."""
        return await self._database.read(lambda connection: vectors.get(connection, space, texts))


class StoreShelf:
    """Where `llm.batch.Batch` keeps its batches; each method returns when its commit is on disk."""

    def __init__(self, database: Database, now: Callable[[], float] = time) -> None:
        self._database = database
        self._now = now

    async def open_batches(self) -> list[OpenBatch]:
        """The batches that their providers hold, or may hold."""
        return await self._database.read(batches.open_batches)

    async def prepare(self, batch: OpenBatch, rows: Mapping[str, Request]) -> None:
        """The batch is about to leave with these requests."""
        at = utc_iso(self._now())
        await self._database.write(lambda connection: batches.prepare(connection, batch, rows, at), Rank.CLAIM)

    async def submit(self, batch: OpenBatch) -> None:
        """The provider has it."""
        await self._database.write(lambda connection: batches.submit(connection, batch), Rank.PAID)

    async def progress(self, name: str, done: int) -> None:
        """It has got so far."""
        await self._database.write(lambda connection: batches.progress(connection, name, done))

    async def collect(self, name: str, outcomes: Mapping[str, Reply | BenchwrightError]) -> None:
        """What came of each of its calls, whoever waits for it."""
        said = {
            call: outcome if isinstance(outcome, Reply) else f"{type(outcome).__name__}: {outcome}"
            for call, outcome in outcomes.items()
        }
        await self._database.write(lambda connection: batches.collect(connection, name, said), Rank.PAID)

    async def lose(self, name: str, reason: str) -> None:
        """Nothing more comes of it."""
        await self._database.write(lambda connection: batches.lose(connection, name, reason))
