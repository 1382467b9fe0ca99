"""A copy of a whole database, as it was at one moment, made while others may write to it."""

import os
import sqlite3
from pathlib import Path

from benchwright.store.connection import Connection


def copy_whole(connection: Connection, target: Path) -> None:
    """Write what a connection reads to a file, which is there whole or not at all, and sound.

    Raises `OSError` or `sqlite3.DatabaseError`; a file of that name is replaced.
    """
    beside = target.with_name(f".{target.name}.new")
    beside.unlink(missing_ok=True)
    try:
        copy = sqlite3.connect(beside, isolation_level=None)
        try:
            connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            refuse_damaged(copy)
        finally:
            copy.close()
        sync(beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
    sync(target.parent)


def refuse_damaged(connection: Connection) -> None:
    """Raise `sqlite3.DatabaseError` where a database is not sound."""
    (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if found != "ok":
        message = f"the database is damaged: {found}"
        raise sqlite3.DatabaseError(message)


def sync(path: Path) -> None:
    """Let a file, or the names in a folder, reach the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
