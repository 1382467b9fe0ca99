"""The database: one writer whose operations share commits, one reader that never blocks it.

An operation is a function of a connection. Those that wait at the same moment run in one `BEGIN IMMEDIATE ... COMMIT`,
where one that fails does not take the others along, and nobody learns a result before its commit is on disk (figures
in ARCHITECTURE.md). After "disk full" only operations that hold paid results are still taken, into the room that a
reserve file had kept.
"""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, Generic, Self, TypeVar, cast

import aiosqlite

from benchwright.errors import BenchwrightError, DiskFull, StoreFailed, StoreRefused
from benchwright.store import migrate

T = TypeVar("T")
Connection = sqlite3.Connection  # what other rooms see of it: operations take one and hand it on
Operation = Callable[[Connection], T]

TOGETHER = 512  # operations in one commit at most
RESERVE = 4 << 20  # bytes kept free for paid results when the disk is full
READ_SECONDS = 30.0  # a reader that takes longer is cut, for it keeps the write-ahead log from shrinking
PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: an acknowledged answer is money
    "foreign_keys": 1,
    "busy_timeout": 10_000,
    "temp_store": 2,
    "wal_autocheckpoint": 4_000,
    "journal_size_limit": 64 << 20,
}


class Rank(IntEnum):
    """Which operations go first within a commit: paid results, then claims, then the rest."""

    PAID = 0
    CLAIM = 1
    OTHER = 2


@dataclass(slots=True)
class Waiting(Generic[T]):
    """An operation whose caller waits for the commit."""

    rank: Rank
    operation: Operation[T]
    done: asyncio.Future[T]


class Database:
    """An open campaign file. Use as `async with await Database.open(path) as database`.

    What operations keep in memory must not outlive them: each of `undone` is called, in the writer's thread, when
    operations were undone.
    """

    def __init__(self, path: Path | None, writer: aiosqlite.Connection, reader: aiosqlite.Connection) -> None:
        self.path = path
        self._writer = writer
        self._reader = reader
        self._waiting: list[Waiting[Any]] = []
        self._wake = asyncio.Event()
        self._broken: BenchwrightError | None = None
        self._closing = False
        self.undone: list[Callable[[], None]] = []
        self._connections = AsyncExitStack()
        self._flusher = asyncio.create_task(self._flush())

    @classmethod
    async def open(cls, path: Path | None, *, create: bool = False) -> Self:
        """Open a campaign's database; None is one in memory. Raises `StoreRefused` where it cannot be used."""
        if path is not None:
            refuse_unusable(path, create=create)
        async with AsyncExitStack() as opening:
            writer = await opening.enter_async_context(connect(path, writing=True))
            await on(writer, partial(prepare, path=path))
            reader = writer if path is None else await opening.enter_async_context(connect(path, writing=False))
            if path is not None and create:
                reserve(path)
            database = cls(path, writer, reader)
            database._connections = opening.pop_all()
            return database

    async def write(self, operation: Operation[T], rank: Rank = Rank.OTHER) -> T:
        """Run an operation in the next commit; returns its result once that is durable.

        Raises what the operation raises (it alone is undone), `DiskFull`, or `StoreFailed`.
        """
        if self._broken and not (isinstance(self._broken, DiskFull) and rank is Rank.PAID):
            raise self._broken
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(rank, operation, done))
        self._wake.set()
        return await done

    async def read(self, operation: Operation[T], seconds: float = READ_SECONDS) -> T:
        """Run a reading operation on the reader's own connection; cut off after so many seconds."""
        return await on(self._reader, lambda connection: within(seconds, operation, connection))

    async def close(self) -> None:
        """Finish what waits, then close."""
        self._closing = True
        self._wake.set()
        await asyncio.wait([self._flusher])
        await self._connections.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()

    async def _flush(self) -> None:
        batch: list[Waiting[Any]] = []
        try:
            while not self._closing:
                await self._wake.wait()
                self._wake.clear()
                while self._waiting:
                    self._waiting.sort(key=lambda waiting: waiting.rank)
                    batch, self._waiting = self._waiting[:TOGETHER], self._waiting[TOGETHER:]
                    await self._commit(batch)
        finally:  # also when cancelled: whoever waits must not wait for ever
            self._broken = self._broken or StoreFailed("the database is closed")
            for waiting in (*batch, *self._waiting):
                settle(waiting.done, self._broken)

    async def _commit(self, batch: Sequence[Waiting[Any]]) -> None:
        running = asyncio.ensure_future(on(self._writer, partial(together, [w.operation for w in batch], self.undone)))
        await asyncio.wait([running])
        error = running.exception()
        if error is None:
            for waiting, outcome in zip(batch, running.result(), strict=True):
                settle(waiting.done, outcome)
            return
        first = not isinstance(self._broken, DiskFull)
        self._broken = translate_failure(error, self.path)
        paid = [waiting for waiting in batch if waiting.rank is Rank.PAID]
        again = first and isinstance(self._broken, DiskFull) and self.path is not None and release(self.path)
        for waiting in batch:
            if not (again and waiting.rank is Rank.PAID):
                settle(waiting.done, self._broken)
        if again and paid:
            await self._commit(paid)


def settle(done: "asyncio.Future[Any]", outcome: object) -> None:
    """Give a caller its outcome, unless it has gone."""
    if done.done():
        return
    if isinstance(outcome, BaseException):
        done.set_exception(outcome)
    else:
        done.set_result(outcome)


async def on(connection: aiosqlite.Connection, operation: Operation[T]) -> T:
    """Run a whole operation in the connection's thread.

    aiosqlite's public calls hop between threads once a statement; a batch of statements must not.
    """
    return cast("T", await connection._execute(operation, connection._conn))  # type: ignore[no-untyped-call]  # noqa: SLF001


def together(
    operations: Sequence[Operation[Any]], undone: Sequence[Callable[[], None]], connection: sqlite3.Connection
) -> list[Any]:
    """Run operations in one commit; an operation that fails is undone alone and yields its error.

    Fences around each cost a tenth of the queue's speed and are hardly ever needed: at the first failure all is undone
    and done again with them. So an operation may run twice, and must change nothing but the database and what `undone`
    puts right.
    """
    try:
        return commit_all(operations, undone, connection)
    except (sqlite3.IntegrityError, BenchwrightError):
        return commit_all(
            [partial(run_in_savepoint, operation, undone) for operation in operations], undone, connection
        )


def commit_all(
    operations: Sequence[Operation[Any]], undone: Sequence[Callable[[], None]], connection: sqlite3.Connection
) -> list[Any]:
    """What the operations return, after their commit; an error of any undoes all of them."""
    done = False
    try:
        connection.execute("BEGIN IMMEDIATE")
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


def run_in_savepoint(
    operation: Operation[Any], undone: Sequence[Callable[[], None]], connection: sqlite3.Connection
) -> Any:
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


def within(seconds: float, operation: Operation[T], connection: sqlite3.Connection) -> T:
    """Run a reading operation, interrupted when its time is over."""
    end = monotonic() + seconds
    connection.set_progress_handler(lambda: monotonic() > end, 10_000)
    try:
        return operation(connection)
    finally:
        connection.set_progress_handler(None, 0)


@asynccontextmanager
async def connect(path: Path | None, *, writing: bool) -> AsyncIterator[aiosqlite.Connection]:
    """A connection in autocommit mode: transactions are begun by name."""
    # Only joins names, whatever the rule fears: nothing is read from the disk.
    mode = "rwc" if writing else "ro"
    uri = f"{path.absolute().as_uri()}?mode={mode}" if path else "file::memory:"  # noqa: ASYNC240
    async with aiosqlite.connect(uri, uri=True, isolation_level=None) as connection:
        if not writing:
            await on(connection, lambda c: c.execute("PRAGMA query_only = ON"))
        yield connection


def prepare(connection: sqlite3.Connection, path: Path | None) -> None:
    """Check that the file is ours, set what durability depends on and bring the schema up to date."""
    try:
        migrate.refuse_strange(connection, path)
        pragmas(connection, path)
        migrate.up(connection)
    except sqlite3.DatabaseError as error:
        if primary_code(error) == sqlite3.SQLITE_BUSY:
            message = f"{path}: another process is changing it; run the same command again in a minute"
            raise StoreRefused(message) from error
        message = f"{path}: {error}: it is not a Benchwright database, or it is damaged or read-only"
        raise StoreRefused(message) from error


def pragmas(connection: sqlite3.Connection, path: Path | None) -> None:
    """Set each pragma and demand that it took: some file systems lower them silently."""
    for name, wanted in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {wanted}")
        expected = "memory" if name == "journal_mode" and path is None else wanted
        actual = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if actual != expected:
            message = f"{path}: {name} is {actual}, not {expected}: put the campaign on a local disk"
            raise StoreRefused(message)


def translate_failure(error: BaseException, path: Path | None) -> BenchwrightError:
    """What a failed commit means to its callers."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_READONLY:
        return StoreRefused(f"{path} is read-only: give write permission on it and on its folder")
    if code == sqlite3.SQLITE_FULL:
        where = path.parent if path else "memory"
        return DiskFull(f"the disk that holds {where} is full: free some space, then run the same command again")
    failure = StoreFailed(f"{path}: a commit failed ({type(error).__name__}: {error}); run the same command again")
    failure.__cause__ = error
    return failure


def primary_code(error: BaseException) -> int:
    """SQLite's code of an error, without its extension; that of success where it is none of SQLite's."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF


def refuse_unusable(path: Path, *, create: bool) -> None:
    """Raise `StoreRefused` for a path that cannot hold a campaign, before anything is written."""
    if path.is_dir():
        message = f"{path} is a folder: name the campaign's file"
        raise StoreRefused(message)
    if not create and not path.exists():
        message = f"{path} does not exist: begin the campaign with 'benchwright run'"
        raise StoreRefused(message)
    if not path.parent.is_dir():
        message = f"{path.parent} does not exist: create the folder first"
        raise StoreRefused(message)


def reserve(path: Path) -> None:
    """Keep some room on the disk for results that arrive when it is full."""
    kept = path.with_name(path.name + ".reserve")
    if not kept.exists():
        try:
            kept.write_bytes(bytes(RESERVE))
        except OSError as error:
            kept.unlink(missing_ok=True)
            message = f"{path.parent}: {error.strerror}: free some space, or give write permission"
            raise StoreRefused(message) from error


def release(path: Path) -> bool:
    """Give the reserve back to the disk; whether there was one."""
    kept = path.with_name(path.name + ".reserve")
    if not kept.exists():
        return False
    kept.unlink()
    return True
