"""The database: one writer whose operations share commits, one reader that never blocks it.

An operation is a function of a connection. Those that wait at the same moment run in one `BEGIN IMMEDIATE ... COMMIT`,
where one that fails does not take the others along, and nobody learns a result before its commit is on disk (figures
in ARCHITECTURE.md). After "disk full" only operations that hold paid results are still taken, into the room that a
reserve file had kept; likewise after the file was removed, into what is still open, which is saved at the end.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Generic, Self, TypeVar

import aiosqlite

from benchwright.errors import BenchwrightError, DiskFull, StoreFailed, Superseded, Vanished
from benchwright.store.backup import copy_whole
from benchwright.store.connection import Connection, Operation, connect, on, prepare
from benchwright.store.faults import read_failure, refusal, translate_failure
from benchwright.store.files import Identity, identify, refuse_unusable, release, reserve

__all__ = ["Connection", "Database", "Operation", "Rank"]

T = TypeVar("T")
Guard = Callable[[Connection], None]  # raises where a commit must not be

TOGETHER = 512  # operations in one commit at most
READ_SECONDS = 30.0  # a reader that takes longer is cut, for it keeps the write-ahead log from shrinking
CHECKPOINT = 2.0  # seconds between two moves of what was committed from the log into the database


class Rank(IntEnum):
    """Which operations go first within a commit: paid results, then claims, then the rest.

    A run that ends hands its tickets back: like a paid result that is still done on a full disk, but not by a process
    whose place another one has taken.
    """

    PAID = 0
    HAND_BACK = 1
    CLAIM = 2
    OTHER = 3


@dataclass(slots=True)
class Waiting(Generic[T]):
    """An operation whose caller waits for the commit."""

    rank: Rank
    operation: Operation[T]
    done: asyncio.Future[T]


class Database:
    """An open campaign file. Use as `async with await Database.open(path) as database`.

    What operations keep in memory must not outlive them: each of `undone` is called, in the writer's thread, when
    operations were undone. Each of `guards` looks at every commit before its operations, and may refuse it.
    """

    def __init__(self, path: Path | None, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._waiting: list[Waiting[Any]] = []
        self._wake = asyncio.Event()
        self._broken: BenchwrightError | None = None
        self._closing = False
        self._ahead = False  # whether something was committed that only the log has
        self._moved = monotonic()
        self.undone: list[Callable[[], None]] = []
        self.guards: list[Guard] = []
        self._connections = AsyncExitStack()
        self._flusher = asyncio.create_task(self._flush())

    @classmethod
    async def open(cls, path: Path | None, *, create: bool = False) -> Self:
        """Open a campaign's database; None is one in memory. Raises `StoreRefused` where it cannot be used."""
        if path is not None:
            refuse_unusable(path, create=create)
        async with AsyncExitStack() as opening:
            try:
                writer = await opening.enter_async_context(connect(path, "mode=rwc"))
                await on(writer, partial(prepare, path=path))
                reader = writer if path is None else await opening.enter_async_context(connect(path, "mode=ro"))
            except sqlite3.DatabaseError as error:
                raise refusal(error, path) from error
            if path is not None and create:
                reserve(path)
            database = cls(path, writer, reader)
            if path is not None:
                database.guards.append(partial(refuse_vanished, path=path, files=identify(path)))
            database._connections = opening.pop_all()
            return database

    async def write(self, operation: Operation[T], rank: Rank = Rank.OTHER) -> T:
        """Run an operation in the next commit; returns its result once that is durable.

        Raises what the operation raises (it alone is undone), `DiskFull`, `Vanished`, `Superseded` or `StoreFailed`.
        """
        if self._broken and not admits(self._broken, rank):
            raise self._broken
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(rank, operation, done))
        self._wake.set()
        return await done

    async def read(self, operation: Operation[T], seconds: float = READ_SECONDS) -> T:
        """Run a reading operation on the reader's own connection; cut off after so many seconds."""
        try:
            return await on(self._reader, partial(within, seconds, operation))
        except sqlite3.DatabaseError as error:
            raise read_failure(error, self.path) from error

    async def close(self) -> None:
        """Finish what waits, then close; what is left of a file that was removed is saved beside it."""
        self._closing = True
        self._wake.set()
        await asyncio.wait([self._flusher])
        try:
            if isinstance(self._broken, Vanished) and self.path:
                await on(self._writer, partial(save_vanished, path=self.path))
            elif self._ahead:
                await self._checkpoint("TRUNCATE")
        finally:
            await self._connections.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def _flush(self) -> None:
        batch: list[Waiting[Any]] = []
        try:
            while not self._closing:
                await self._pause()
                while self._waiting:
                    self._waiting.sort(key=lambda waiting: waiting.rank)
                    batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
                    await self._commit(batch)
                await self._catch_up()
        finally:  # also when cancelled: whoever waits must not wait for ever
            self._broken = self._broken or StoreFailed("the database is closed")
            for waiting in (*batch, *self._waiting):
                settle(waiting.done, self._broken)

    async def _catch_up(self) -> None:
        """Bring the database up to what the log holds, now and then."""
        if self._ahead and monotonic() - self._moved >= CHECKPOINT:
            await self._checkpoint("PASSIVE")

    async def _pause(self) -> None:
        """Wait for an operation, or until what is committed has to move into the database."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CHECKPOINT if self._ahead else None):
                await self._wake.wait()
        self._wake.clear()

    async def _checkpoint(self, how: str) -> None:
        """Move what only the log has into the database, so that the file alone is nearly whole at any time."""
        self._ahead, self._moved = False, monotonic()
        error = await self._run(lambda connection: connection.execute(f"PRAGMA wal_checkpoint({how})").fetchone())
        if isinstance(error, Exception):
            self._break(error)

    async def _run(self, operation: Operation[T]) -> T | Exception:
        """What the operation returns or raises; it runs to its end although its caller is cancelled."""
        running = asyncio.ensure_future(on(self._writer, operation))
        await asyncio.wait([running])
        error = running.exception()
        return error if isinstance(error, Exception) else running.result()

    async def _commit(self, batch: Sequence[Waiting[Any]]) -> None:
        guards = () if self._broken else tuple(self.guards)
        found = await self._run(partial(together, [w.operation for w in batch], self.undone, guards))
        if not isinstance(found, Exception):
            self._ahead = self.path is not None
            for waiting, outcome in zip(batch, found, strict=True):
                settle(waiting.done, outcome)
            return
        broken, again = self._break(found)
        kept = [waiting for waiting in batch if again and admits(broken, waiting.rank)]
        for waiting in batch:
            if waiting not in kept:
                settle(waiting.done, broken)
        if kept:
            await self._commit(kept)

    def _break(self, error: Exception) -> tuple[BenchwrightError, bool]:
        """From now on the database is broken: why, and whether what is paid for can be written once more."""
        first, self._broken = self._broken is None, translate_failure(error, self.path)
        if isinstance(self._broken, DiskFull):
            return self._broken, first and self.path is not None and release(self.path)
        return self._broken, first and isinstance(self._broken, Vanished | Superseded)


def admits(broken: BenchwrightError, rank: Rank) -> bool:
    """Whether an operation is still taken although the database is broken: what is paid for, as long as it can be."""
    if isinstance(broken, DiskFull | Vanished):
        return rank in {Rank.PAID, Rank.HAND_BACK}
    return isinstance(broken, Superseded) and rank is Rank.PAID


def refuse_vanished(_: Connection, path: Path, files: Identity) -> None:
    """Raise `Vanished` where the path no longer leads to the files that are open."""
    if identify(path) != files:
        saved = rescue_of(path)
        message = (
            f"{path}, or its log, was removed, moved or replaced while it was in use: nothing more is sent. "
            f"What it held is saved in {saved}: to go on with it, rename that to {path.name}, with no {path.name}-wal "
            "beside it"
        )
        raise Vanished(message)


def rescue_of(path: Path) -> Path:
    """Where the content of a database is saved whose file was removed while it was open."""
    return path.with_name(path.name + ".rescued")


def save_vanished(connection: Connection, path: Path) -> None:
    """Save all that the open files of a removed database hold; raises `StoreFailed` where it cannot be."""
    saved = rescue_of(path)
    try:
        saved.parent.mkdir(parents=True, exist_ok=True)
        copy_whole(connection, saved)
    except (OSError, sqlite3.DatabaseError) as error:
        message = f"{path} was removed while it was in use, and what it held cannot be saved in {saved}: {error}"
        raise StoreFailed(message) from error


def settle(done: "asyncio.Future[Any]", outcome: object) -> None:
    """Give a caller its outcome, unless it has gone."""
    if done.done():
        return
    if isinstance(outcome, BaseException):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)


def together(
    operations: Sequence[Operation[Any]],
    undone: Sequence[Callable[[], None]],
    guards: Sequence[Guard],
    connection: Connection,
) -> list[Any]:
    """Run operations in one commit; an operation that fails is undone alone and yields its error.

    Fences around each cost a tenth of the queue's speed and are hardly ever needed: at the first failure all is undone
    and done again with them. So an operation may run twice, and must change nothing but the database and what `undone`
    puts right.
    """
    try:
        return commit_all(operations, undone, guards, connection)
    except (Vanished, Superseded):
        raise
    except (sqlite3.IntegrityError, BenchwrightError):
        fenced = [partial(run_in_savepoint, operation, undone) for operation in operations]
        return commit_all(fenced, undone, guards, connection)


def commit_all(
    operations: Sequence[Operation[Any]],
    undone: Sequence[Callable[[], None]],
    guards: Sequence[Guard],
    connection: Connection,
) -> list[Any]:
    """What the operations return, after their commit; an error of any, or of a guard, undoes all of them."""
    done = False
    try:
        connection.execute("BEGIN IMMEDIATE")
        for guard in guards:
            guard(connection)
        outcomes = [operation(connection) for operation in operations]
        connection.execute("COMMIT")
        done = True
    finally:
        if not done:
            call_all(undone)
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    return outcomes


def call_all(undone: Sequence[Callable[[], None]]) -> None:
    """Tell whoever keeps something in memory that operations were undone."""
    for tell in undone:
        tell()


def run_in_savepoint(operation: Operation[Any], undone: Sequence[Callable[[], None]], connection: Connection) -> Any:
    """What the operation returns, or the error for which it was undone."""
    connection.execute("SAVEPOINT one")
    outcome: Any
    try:
        outcome = operation(connection)
    except (sqlite3.IntegrityError, BenchwrightError) as error:
        connection.execute("ROLLBACK TO one")
        call_all(undone)
        outcome = error
    connection.execute("RELEASE one")
    return outcome


def within(seconds: float, operation: Operation[T], connection: Connection) -> T:
    """Run a reading operation, interrupted when its time is over."""
    end = monotonic() + seconds
    connection.set_progress_handler(lambda: monotonic() > end, 10_000)
    try:
        return operation(connection)
    finally:
        connection.set_progress_handler(None, 0)
