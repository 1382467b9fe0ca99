"""What an error of SQLite means to people: a full disk, a file that may not be written, damage, or none of these."""

import sqlite3
from pathlib import Path

from benchwright.errors import BenchwrightError, DiskFull, StoreFailed, StoreRefused
from benchwright.store.files import closed_part, is_full, log_of, size_of

# What SQLite may say where the disk has no room: it cannot write, or cannot make a file that it needs.
PERHAPS_FULL = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN}
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}


def primary_code(error: BaseException) -> int:
    """SQLite's code of an error, without its extension; that of success where it is none of SQLite's."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF


def translate_failure(error: BaseException, path: Path | None) -> BenchwrightError:
    """What a failed commit means to its callers."""
    if isinstance(error, BenchwrightError):
        return error
    found = known_failure(error, path)
    found = found or StoreFailed(
        f"{path}: a commit failed ({type(error).__name__}: {error}); run the same command again"
    )
    found.__cause__ = error
    return found


def refusal(error: sqlite3.DatabaseError, path: Path | None) -> BenchwrightError:
    """What it means that a database cannot be opened."""
    if primary_code(error) == sqlite3.SQLITE_BUSY:
        return StoreRefused(f"{path}: another process is changing it; run the same command again in a minute")
    if found := known_failure(error, path):
        return found
    return StoreRefused(f"{path}: {error}: it is not a Benchwright database, or it is damaged")


def read_failure(error: sqlite3.DatabaseError, path: Path | None) -> BenchwrightError:
    """What it means that a database cannot be read."""
    if primary_code(error) == sqlite3.SQLITE_INTERRUPT:
        return StoreFailed(f"{path}: reading took too long and was cut off; run the same command again")
    if found := known_failure(error, path):
        return found
    return StoreFailed(f"{path}: it cannot be read ({error}); run the same command again")


def known_failure(error: BaseException, path: Path | None) -> BenchwrightError | None:
    """An error whose reason can be told."""
    code = primary_code(error)
    if code == sqlite3.SQLITE_FULL or (code in PERHAPS_FULL and path and is_full(path.parent)):
        where = path.parent if path else "memory"
        return DiskFull(f"the disk that holds {where} is full: free some space, then run the same command again")
    if code in CLOSED:
        return StoreRefused(describe_closed(path))
    if code in DAMAGED:
        advice = "put a backup in its place ('benchwright backup' makes one)"
        return StoreRefused(f"{path}: {error}: it is not a Benchwright database, or it is damaged: {advice}")
    return None


def describe_closed(path: Path | None) -> str:
    """Which file may not be written, and what to do about it."""
    part = path and closed_part(path)
    if not path or not part or part == path:
        return f"{path} is read-only: give write permission on it and on its folder"
    owner = f"{part}, which belongs to {owner_of(part)}, is read-only"
    if part != log_of(path) or not size_of(part):
        return f"{owner}: it holds nothing of value, so remove it while nobody works on the campaign"
    return f"{owner}: it holds a part of the campaign, so do not remove it; let its owner give write permission"


def owner_of(path: Path) -> str:
    """Who owns a file, by name where that is known."""
    try:
        return path.owner()
    except (KeyError, OSError):
        return f"user {path.stat().st_uid}"
