"""Phases of a campaign that have begun, and what each of them draws on."""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from benchwright.domain.ids import canonical
from benchwright.domain.source import ItemRef, Outline
from benchwright.errors import NotFound
from benchwright.store.queries import load

SQL = load("phases")


@dataclass(frozen=True, slots=True)
class Phase:
    """A phase that has begun.

    It wants so many items. `inputs` is the hash of what it draws on, None in the first, which draws on the corpus;
    `drawn` counts the items that it draws on; `without` those that waited for people then and are no part of it.
    """

    position: int
    name: str
    wanted: int
    inputs: str | None = None
    drawn: int = 0
    without: int = 0


class Inputs:
    """The kept items that a phase draws on, as they were when it began: one is read at a time."""

    def __init__(self, connection: sqlite3.Connection, position: int) -> None:
        self._connection = connection
        self._position = position
        self._count: int = connection.execute(SQL["count"], {"position": position}).fetchone()[0]

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Outline]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, place: int, /) -> Outline:
        row = self._connection.execute(SQL["at"], {"position": self._position, "place": place}).fetchone()
        if row is None:
            raise IndexError(place)
        return Outline(ItemRef(row[0]), body=json.loads(row[1]))


def every(connection: sqlite3.Connection) -> tuple[Phase, ...]:
    """The phases that have begun, first to last."""
    return tuple(Phase(*row) for row in connection.execute(SQL["every"]))


def begin(connection: sqlite3.Connection, position: int, name: str, wanted: int, without: int = 0) -> None:
    """Record that a phase has begun."""
    values = {"position": position, "name": name, "wanted": wanted, "without": without}
    connection.execute(SQL["begin"], values)


def want(connection: sqlite3.Connection, position: int, wanted: int) -> None:
    """Record how many items a phase wants."""
    connection.execute(SQL["want"], {"position": position, "wanted": wanted})


def draw(connection: sqlite3.Connection, before: Phase, name: str, without: int) -> Phase:
    """Begin the phase after one that has ended, and fix what it draws on: the kept items of that one."""
    position = before.position + 1
    begin(connection, position, name, 0, without)
    connection.execute(SQL["draw"], {"position": position, "before": before.name})
    digest, count = sha256(), 0
    for item, body in connection.execute(SQL["drawn"], {"position": position}):
        digest.update(f"{canonical([item, body])}\n".encode())
        count += 1
    phase = Phase(position, name, 0, digest.hexdigest()[:32], count, without)
    connection.execute(SQL["fix"], {"position": position, "inputs": phase.inputs, "drawn": count})
    return phase


def item_body(connection: sqlite3.Connection, item: str) -> dict[str, Any]:
    """An item as later phases see it; raises `NotFound` where there is no such item, or it has no body."""
    row = connection.execute(SQL["body"], {"id": item}).fetchone()
    if row is None or row[0] is None:
        message = f"there is no finished item {item} in this campaign"
        raise NotFound(message)
    body: dict[str, Any] = json.loads(row[0])
    return body
