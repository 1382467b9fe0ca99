"""Looking at a database without leaving a trace: nothing beside it is created, changed or locked for others.

SQLite creates the files of its log also for a connection that only reads, and leaves them behind. Those of a colleague
would lock the owner out, and on a medium that cannot be written they cannot be made at all. So a look joins the files
that are there, or reads the database as a file that nobody changes, or reads a copy.
"""

import shutil
import sqlite3
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self, TypeVar

import aiosqlite

from benchwright.errors import BenchwrightError, StoreRefused
from benchwright.store import migrate
from benchwright.store.connection import Operation, connect, on, prepare
from benchwright.store.database import READ_SECONDS, Database
from benchwright.store.faults import refusal
from benchwright.store.files import index_of, log_of, refuse_unusable, size_of

T = TypeVar("T")
LOOKS = 5  # times that a look begins anew where the file is changed under it

Moment = tuple[int, int, int, int]  # of a file and its log: number, size, time of the last change, size of the log


def moment(path: Path) -> Moment:
    """How a file stands; whoever changes the database changes this before."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns, size_of(log_of(path))


async def open_look(path: Path, opening: AsyncExitStack) -> tuple[aiosqlite.Connection, Moment | None]:
    """A connection that reads; with how the file stood, if what is read holds only while it stands so."""
    try:
        reader, stood = await open_quietly(path, opening)
        old = await on(reader, partial(is_old, path=path))
        if old:
            return await open_copy(path, opening, reader), None
    except sqlite3.DatabaseError as error:
        raise refusal(error, path) from error
    return reader, stood


def is_old(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the schema is older than this program's; raises `StoreRefused` where it is newer, or another's."""
    migrate.refuse_strange(connection, path)
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version < migrate.newest()


async def open_quietly(path: Path, opening: AsyncExitStack) -> tuple[aiosqlite.Connection, Moment | None]:
    """The way that creates nothing: beside writers, alone, or through a copy."""
    if not size_of(log_of(path)):
        stood = moment(path)
        return await opening.enter_async_context(connect(path, "immutable=1")), stood
    if index_of(path).exists():  # SQLite then needs to make no file, and reads this one where it may not write it
        return await opening.enter_async_context(connect(path, "mode=ro")), None
    return await open_copy(path, opening), None


async def open_copy(
    path: Path, opening: AsyncExitStack, source: aiosqlite.Connection | None = None
) -> aiosqlite.Connection:
    """A connection to a copy, brought up to date; of the files as they lie, or of what a connection reads."""
    folder = Path(opening.enter_context(TemporaryDirectory(prefix="benchwright-look-")))
    copy = folder / path.name
    if source is None:
        shutil.copyfile(path, copy)
        shutil.copyfile(log_of(path), log_of(copy))
    reader = await opening.enter_async_context(connect(copy, "mode=rwc"))
    if source is not None:
        target = reader._conn  # noqa: SLF001 - as in `on`
        await on(source, lambda connection: connection.backup(target))
    await on(reader, partial(prepare, path=copy))
    await on(reader, lambda connection: connection.execute("PRAGMA query_only = ON"))
    return reader


class Look(Database):
    """A database that is only read. Use as `async with await Look.at(path) as database`; `write` raises."""

    def __init__(self, path: Path, reader: aiosqlite.Connection, stood: Moment | None) -> None:
        super().__init__(path, reader, reader)
        self._broken = StoreRefused(f"{path} was opened to be read only")
        self._file, self._stood = path, stood

    @classmethod
    async def at(cls, path: Path) -> Self:
        """Look at a campaign's database. Raises `StoreRefused` where there is none."""
        refuse_unusable(path, create=False)
        async with AsyncExitStack() as opening:
            database = cls(path, *await open_look(path, opening))
            database._connections = opening.pop_all()
            return database

    async def read(self, operation: Operation[T], seconds: float = READ_SECONDS) -> T:
        """As in `Database`; begun anew where the file was changed meanwhile."""
        for _ in range(LOOKS):
            try:
                found = await super().read(operation, seconds)
            except BenchwrightError:
                if not self._changed():
                    raise
            else:
                if not self._changed():
                    return found
            await self._open_anew()
        message = f"{self.path} changes again and again while it is read; run the same command again"
        raise StoreRefused(message)

    def _changed(self) -> bool:
        """Whether a file that was taken for one that nobody changes was changed."""
        return self._stood is not None and moment(self._file) != self._stood

    async def _open_anew(self) -> None:
        await self._connections.aclose()
        async with AsyncExitStack() as opening:
            self._reader, self._stood = await open_look(self._file, opening)
            self._writer = self._reader
            self._connections = opening.pop_all()
