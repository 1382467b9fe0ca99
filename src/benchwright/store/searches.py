"""Searches: what was found for which query, where, and when."""

import json
import sqlite3
from collections.abc import Iterable

from benchwright.domain.ids import canonical
from benchwright.domain.snippet import Snippet
from benchwright.store.queries import load

SQL = load("searches")


def find(connection: sqlite3.Connection, key: str) -> tuple[Snippet, ...] | None:
    """The snippets of an answered query, perhaps none; None for a query that was not answered."""
    row = connection.execute(SQL["find"], {"id": key}).fetchone()
    return None if row is None else tuple(Snippet(**one) for one in json.loads(row[0]))


def save(
    connection: sqlite3.Connection, key: str, search: str, query: str, snippets: Iterable[Snippet], now: str
) -> None:
    """Keep what a search found, with the addresses."""
    found = canonical([{"text": one.text, "url": one.url, "title": one.title} for one in snippets])
    connection.execute(SQL["save"], {"id": key, "search": search, "query": query, "found": found, "at": now})
