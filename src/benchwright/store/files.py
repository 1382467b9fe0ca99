"""The files of a database: where they lie, which of them they are, what room is kept for them."""

import errno
import os
import tempfile
from pathlib import Path

from benchwright.errors import StoreRefused

RESERVE = 4 << 20  # bytes kept free for paid results when the disk is full
TRIED = 1 << 16  # bytes that a disk which is not full takes
FULL = {errno.ENOSPC, errno.EDQUOT}

Identity = tuple[tuple[int, int] | None, ...]  # device and number of each file, None where it is not there


def log_of(path: Path) -> Path:
    """The write-ahead log: what was committed and has not yet been moved into the database."""
    real = path.resolve()  # as SQLite does
    return real.with_name(real.name + "-wal")


def index_of(path: Path) -> Path:
    """The index of the write-ahead log; it is there while a process has the database open, or after a crash."""
    real = path.resolve()
    return real.with_name(real.name + "-shm")


def size_of(path: Path) -> int:
    """Bytes; 0 where there is no such file."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def identify(path: Path) -> Identity:
    """Which files a database and its log are: a file that was removed and written again is another."""
    return tuple(number_of(file) for file in (path, log_of(path)))


def number_of(path: Path) -> tuple[int, int] | None:
    """A file's device and number; None where it is not there, or its folder is not."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def refuse_unusable(path: Path, *, create: bool) -> None:
    """Raise `StoreRefused` for a path that cannot hold a campaign, before anything is written."""
    if path.is_dir():
        message = f"{path} is a folder: name the campaign's file"
        raise StoreRefused(message)
    if not path.parent.is_dir():
        message = f"{path.parent} does not exist: create the folder first"
        raise StoreRefused(message)
    refuse_lone_log(path)
    if not create and not path.exists():
        message = f"{path} does not exist: begin the campaign with 'benchwright run'"
        raise StoreRefused(message)


def refuse_lone_log(path: Path) -> None:
    """Raise `StoreRefused` where the database is gone and its log is not: SQLite would throw the log away."""
    log = log_of(path)
    if size_of(log) and not size_of(path):
        message = (
            f"{path} is missing, but {log.name} is there: it holds work of an earlier run. "
            f"Put {path.name} back beside it, or remove {log.name} to begin anew"
        )
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


def is_full(folder: Path) -> bool:
    """Whether the disk of a folder, or one's share of it, has no room left: found out by writing a little."""
    try:
        with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
            return (file.write(bytes(TRIED)) or 0) < TRIED
    except OSError as error:
        return error.errno in FULL


def closed_part(path: Path) -> Path | None:
    """The first of a database's files that is there and may not be written; None where there is none."""
    parts = (path, log_of(path), index_of(path))
    return next((part for part in parts if part.exists() and not os.access(part, os.W_OK)), None)
