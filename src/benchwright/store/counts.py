"""Counts, kept by triggers in the transaction that changes them."""

import sqlite3

from benchwright.store.queries import load

SQL = load("counts")


def of(connection: sqlite3.Connection, kind: str) -> dict[str, dict[str, int]]:
    """The counts of a kind (`item`, `answer`): name -> state -> how many."""
    found: dict[str, dict[str, int]] = {}
    for name, state, n in connection.execute(SQL["of"], {"kind": kind}):
        found.setdefault(name, {})[state] = n
    return found
