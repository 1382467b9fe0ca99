"""The campaign that a database belongs to."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.domain.ids import canonical
from benchwright.errors import NotFound
from benchwright.store.queries import load

SQL = load("campaigns")


@dataclass(frozen=True, slots=True)
class Record:
    """What the database says of its campaign. `ended` tells how the last run ended, None while none has."""

    name: str
    source: str
    recipe: dict[str, Any]
    began: str
    tool: str
    paused: bool
    ended: dict[str, Any] | None


def find(connection: sqlite3.Connection) -> Record | None:
    """The campaign, if one has begun."""
    row = connection.execute(SQL["get"]).fetchone()
    if row is None:
        return None
    name, source, recipe, began, tool, paused, ended = row
    return Record(name, source, json.loads(recipe), began, tool, bool(paused), json.loads(ended) if ended else None)


def get(connection: sqlite3.Connection) -> Record:
    """The campaign; raises `NotFound` where none has begun."""
    if record := find(connection):
        return record
    message = "no campaign has begun in this database: start it with 'benchwright run'"
    raise NotFound(message)


def begin(connection: sqlite3.Connection, name: str, source: str, recipe: dict[str, Any], now: str, tool: str) -> None:
    """Record a new campaign."""
    values = {"name": name, "source": source, "recipe": canonical(recipe), "began": now, "tool": tool}
    connection.execute(SQL["begin"], values)


@dataclass(frozen=True, slots=True)
class Change:
    """An accepted change of the recipe; `who` and `why` are empty where a run took it with `--accept-changes`."""

    at: str
    before: dict[str, Any]
    after: dict[str, Any]
    who: str = ""
    why: str = ""


def sent(connection: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
    """How its models were asked, each in the ways that it ever was, first to last."""
    found: dict[str, list[dict[str, Any]]] = json.loads(connection.execute(SQL["sent"]).fetchone()[0])
    return found


def record_sent(connection: sqlite3.Connection, now: Mapping[str, dict[str, Any]]) -> None:
    """Record how models are asked from now on; what is known already is not recorded twice."""
    known = sent(connection)
    for name, way in now.items():
        known[name] = [*(one for one in known.get(name, ()) if one != way), way]
    connection.execute(SQL["record_sent"], {"sent": canonical(known)})


def accept(
    connection: sqlite3.Connection, source: str, recipe: dict[str, Any], now: str, *, who: str = "", why: str = ""
) -> None:
    """Take a changed recipe and keep the old one on record."""
    values = {"at": now, "recipe": canonical(recipe), "who": who, "why": why}
    connection.execute(SQL["note_change"], values)
    connection.execute(SQL["accept"], {"recipe": canonical(recipe), "source": source})


def refresh(connection: sqlite3.Connection, source: str) -> None:
    """Take a campaign file whose recipe is the same: limits, keys and prices may be others now."""
    connection.execute(SQL["refresh"], {"source": source})


def changes(connection: sqlite3.Connection) -> list[Change]:
    """Every accepted change, first to last."""
    rows = connection.execute(SQL["changes"])
    return [Change(at, json.loads(before), json.loads(after), who, why) for at, before, after, who, why in rows]


def pause(connection: sqlite3.Connection, *, paused: bool) -> None:
    """Ask the runner to stop after what is in flight, or take that back."""
    connection.execute(SQL["pause"], {"paused": int(paused)})


def end(connection: sqlite3.Connection, ended: dict[str, Any] | None) -> None:
    """Say how a run ended, or, with None, that one has begun."""
    connection.execute(SQL["end"], {"ended": canonical(ended) if ended else None})
