"""Who runs a campaign: a lock of the operating system keeps others out, a row in the database says who it is.

The lock dies with its process, so nobody has to clean up after a crash. But its file can be removed, and then a second
process gets a lock of its own: the row tells it who runs. Should two have got in all the same, the row is whose commits
are taken: the other one stops at its next.
"""

import fcntl
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchwright.errors import BenchwrightError, Owned, StoreRefused, Superseded
from benchwright.store.database import Connection, Database, Rank
from benchwright.store.files import number_of
from benchwright.store.process import birth, lives
from benchwright.store.queries import load

SQL = load("owners")


@dataclass(frozen=True, slots=True)
class Owner:
    """A process that runs a campaign; `file` is the database by its device and number."""

    token: str
    file: str
    host: str
    pid: int
    born: str
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host} since {self.since}"

    @property
    def lives(self) -> bool:
        """Whether it still runs. On another host a process cannot be looked for: what is written is believed."""
        return self.host != socket.gethostname() or lives(self.pid, self.born)

    @property
    def elsewhere(self) -> bool:
        """Whether it is another process of this host, and lives."""
        return self.host == socket.gethostname() and self.pid != os.getpid() and self.lives


def this_process(path: Path, now: str) -> Owner:
    """The process that asks, as the owner of a file."""
    pid = os.getpid()
    return Owner(secrets.token_hex(8), file_id(path), socket.gethostname(), pid, birth(pid), now)


def file_id(path: Path) -> str:
    """A file by its device and number, as text; empty where it is not there."""
    found = number_of(path)
    return f"{found[0]}:{found[1]}" if found else ""


@contextmanager
def own_campaign(path: Path, now: str) -> Iterator[None]:
    """Hold a campaign file while it runs; raises `Owned` where another process does.

    The lock lies beside the file that the path really names, so a symbolic link leads to the same lock.
    """
    lock = lock_of(path)
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        message = f"{lock}: {error.strerror}: give write permission on the campaign's folder"
        raise StoreRefused(message) from error
    try:
        hold(handle, path, now)
        yield
        os.ftruncate(handle, 0)
    finally:
        os.close(handle)


def lock_of(path: Path) -> Path:
    """The file that is locked while a campaign runs."""
    real = path.resolve()
    return real.with_name(real.name + ".lock")


def hold(handle: int, path: Path, now: str) -> None:
    """Take the lock and write who has it, for those who come before there is a database."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Owned(refuse(path, read_owner(os.pread(handle, 1000, 0)))) from error
    with suppress(OSError):  # a full disk: the lock holds without a name
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(asdict(this_process(path, now))).encode(), 0)


def read_owner(text: bytes) -> Owner | None:
    """Who wrote a lock file; None where that cannot be read."""
    try:
        return Owner(**json.loads(text.decode("utf-8", "replace")))
    except (ValueError, TypeError):
        return None


def refuse(path: Path, owner: Owner | None) -> str:
    """Who owns the campaign, in a sentence."""
    who = owner or "another process"
    return f"{path} is being run by {who}: wait for it, or stop it with 'benchwright pause'"


@asynccontextmanager
async def own_database(database: Database, path: Path, now: str) -> AsyncIterator[None]:
    """Be the one whose commits are taken while this holds; raises `Owned` where another process is."""
    mine = this_process(path, now)
    await database.write(partial(take, owner=mine, path=path))
    guard = partial(refuse_superseded, token=mine.token)
    database.guards.append(guard)
    try:
        yield
    finally:
        with suppress(BenchwrightError):  # what cannot be written is known to be over when its process is
            await database.write(lambda connection: connection.execute(SQL["leave"], {"token": mine.token}), Rank.PAID)
        database.guards.remove(guard)


def take(connection: Connection, owner: Owner, path: Path) -> None:
    """Enter the owner; raises `Owned` where another process of this host runs the campaign.

    One of another host has no lock any more, so it has ended, or the disk is one that hosts share: then it stops.
    """
    other = find(connection)
    if other and other.elsewhere and other.file == owner.file:
        raise Owned(refuse(path, other))
    connection.execute(SQL["take"], asdict(owner))


def find(connection: Connection) -> Owner | None:
    """Who runs the campaign, or ran it when it crashed."""
    row = connection.execute(SQL["get"]).fetchone()
    return Owner(*row) if row else None


def refuse_superseded(connection: Connection, token: str) -> None:
    """Raise `Superseded` where another process has taken the campaign over."""
    row = connection.execute(SQL["token"]).fetchone()
    if row is None or row[0] != token:
        other = find(connection)
        raise Superseded(f"the campaign was taken over by {other or 'another process'}: this run stops, it keeps on")


def runner(connection: Connection, path: Path) -> str | None:
    """Who runs the campaign, in words; None where nobody does. Touches no lock, so it disturbs no start."""
    known = [find(connection)]
    with suppress(OSError):  # before a run has written to the database only the lock tells of it
        known.append(read_owner(lock_of(path).read_bytes()))
    return next((str(owner) for owner in known if owner and owner.file in {"", file_id(path)} and owner.lives), None)
