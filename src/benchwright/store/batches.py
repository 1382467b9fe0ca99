"""Batches: what went to a provider together, and what came of it."""

import sqlite3
from collections.abc import Mapping

from benchwright.domain.batch import Gone, OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.store import calls
from benchwright.store.queries import load

SQL = load("batches")


def prepare(connection: sqlite3.Connection, batch: OpenBatch, rows: Mapping[str, Request], now: str) -> None:
    """Record that a batch is about to leave, and each of its calls."""
    for request in rows.values():
        calls.intend(connection, request, now)
    values = {"name": batch.name, "model": batch.model, "at": batch.at, "expires": batch.expires}
    connection.execute(SQL["prepare"], values | {"total": len(batch.calls)})
    connection.executemany(SQL["put"], [{"call": call, "batch": batch.name} for call in batch.calls])


def submit(connection: sqlite3.Connection, batch: OpenBatch) -> None:
    """Record that the provider has it: its id there, and until when it works on it."""
    connection.execute(SQL["submit"], {"name": batch.name, "remote": batch.remote, "expires": batch.expires})


def progress(connection: sqlite3.Connection, name: str, done: int) -> None:
    """Record how many requests of a batch are done."""
    connection.execute(SQL["progress"], {"name": name, "done": done})


def collect(connection: sqlite3.Connection, name: str, outcomes: Mapping[str, Reply | str]) -> None:
    """Record what came of each call, a reply or an error, whoever still waits for it; the batch is closed."""
    for call, outcome in outcomes.items():
        if isinstance(outcome, Reply):
            calls.land(connection, call, outcome)
        else:
            calls.lose(connection, call, outcome)
    connection.execute(SQL["collect"], {"name": name})


def lose(connection: sqlite3.Connection, name: str, reason: str) -> None:
    """Record that nothing comes of a batch, and why: its calls may go with another."""
    connection.execute(SQL["lose"], {"name": name, "reason": reason[:2000]})
    connection.execute(SQL["lose_calls"], {"name": name, "reason": reason[:2000]})


def open_batches(connection: sqlite3.Connection) -> list[OpenBatch]:
    """The batches that their providers hold, or may hold, oldest first."""
    rows = connection.execute(SQL["open"]).fetchall()
    return [
        OpenBatch(name, model, at, expires, dict(connection.execute(SQL["calls"], {"batch": name})), remote)
        for name, model, at, expires, remote in rows
    ]


def batch_progress(connection: sqlite3.Connection) -> tuple[Gone, ...]:
    """How far the open batches have got, oldest first."""
    rows = connection.execute(SQL["gone"])
    return tuple(Gone(name, model, bool(sent), done, total, at) for name, model, sent, done, total, at in rows)
