"""One connection to a database: how it is opened, and what its durability depends on."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar, cast

import aiosqlite

from benchwright.errors import StoreRefused
from benchwright.store import migrate
from benchwright.store.faults import refusal

T = TypeVar("T")
Connection = sqlite3.Connection  # what other rooms see of it: operations take one and hand it on
Operation = Callable[[Connection], T]

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": 2,  # FULL: an acknowledged answer is money
    "foreign_keys": 1,
    "busy_timeout": 10_000,
    "temp_store": 2,
    "wal_autocheckpoint": 4_000,
    "journal_size_limit": 64 << 20,
}


async def on(connection: aiosqlite.Connection, operation: Operation[T]) -> T:
    """Run a whole operation in the connection's thread.

    aiosqlite's public calls hop between threads once a statement; a batch of statements must not.
    """
    return cast("T", await connection._execute(operation, connection._conn))  # type: ignore[no-untyped-call]  # noqa: SLF001


@asynccontextmanager
async def connect(path: Path | None, mode: str) -> AsyncIterator[aiosqlite.Connection]:
    """A connection in autocommit mode: transactions are begun by name. `mode` is a parameter of SQLite's addresses.

    `mode=rwc` writes, `mode=ro` reads beside writers, `immutable=1` reads a file that nobody is changing.
    """
    # Only joins names, whatever the rule fears: nothing is read from the disk.
    uri = f"{path.absolute().as_uri()}?{mode}" if path else "file::memory:"  # noqa: ASYNC240
    opening = aiosqlite.connect(uri, uri=True, isolation_level=None)
    try:
        await opening
    except (sqlite3.Error, asyncio.CancelledError):  # its thread has to say so while the loop is still there
        await asyncio.to_thread(opening._thread.join)  # noqa: SLF001 - as in `on`
        raise
    try:
        if mode != "mode=rwc":
            await on(opening, lambda connection: connection.execute("PRAGMA query_only = ON"))
        yield opening
    finally:
        await opening.close()


def prepare(connection: sqlite3.Connection, path: Path | None) -> None:
    """Check that the file is ours, set what durability depends on and bring the schema up to date."""
    try:
        migrate.refuse_strange(connection, path)
        pragmas(connection, path)
        migrate.up(connection)
    except sqlite3.DatabaseError as error:
        raise refusal(error, path) from error


def pragmas(connection: sqlite3.Connection, path: Path | None) -> None:
    """Set each pragma and demand that it took: some file systems lower them silently."""
    for name, wanted in PRAGMAS.items():
        connection.execute(f"PRAGMA {name} = {wanted}")
        expected = "memory" if name == "journal_mode" and path is None else wanted
        actual = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if actual != expected:
            message = f"{path}: {name} is {actual}, not {expected}: put the campaign on a local disk"
            raise StoreRefused(message)
