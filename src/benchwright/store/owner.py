"""Who runs a campaign: a lock of the operating system, and in the locked file who and since when."""

import fcntl
import json
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchwright.errors import Owned, StoreRefused


@contextmanager
def own_campaign(path: Path, now: str) -> Iterator[None]:
    """Hold a campaign file while it runs; raises `Owned` where another process does.

    The lock dies with its process, so nobody has to clean up after a crash. It lies beside the file that the path
    really names, so a symbolic link leads to the same lock.
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


def runner(path: Path) -> str | None:
    """Who runs the campaign, in words; None where nobody does. Touches no lock, so it disturbs no start.

    On another host a process cannot be looked for: what its lock file says is believed.
    """
    try:
        who = json.loads(lock_of(path).read_text("utf-8"))
        named = f"process {who['pid']} on {who['host']} since {who['since']}"
        here = who["host"] == socket.gethostname()
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return None if here and not alive(who["pid"]) else named


def alive(pid: int) -> bool:
    """Whether a process of this host lives, another user's included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def hold(handle: int, path: Path, now: str) -> None:
    """Take the lock and write who has it."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        who = os.pread(handle, 1000, 0).decode("utf-8", "replace")
        raise Owned(describe_owner(path, who)) from error
    mine = {"host": socket.gethostname(), "pid": os.getpid(), "since": now, "token": secrets.token_hex(8)}
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(mine).encode(), 0)


def describe_owner(path: Path, who: str) -> str:
    """Who owns the campaign, in a sentence."""
    try:
        other = json.loads(who)
        named = f"process {other['pid']} on {other['host']} since {other['since']}"
    except (ValueError, KeyError, TypeError):
        named = "another process"
    return f"{path} is being run by {named}: wait for it, or stop it with 'benchwright pause'"
