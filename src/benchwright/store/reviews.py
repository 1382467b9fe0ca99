"""People at work: the card that lies before each, what they passed over, how long they took; and all that they said."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchwright.domain.answer import Answer
from benchwright.store.queries import load

SQL = load("reviews")

Place = tuple[int, str]  # an item's seq, and which part of it, as the desk names parts


@dataclass(frozen=True, slots=True)
class Lease:
    """A card before someone, from `began` until it is free again, both in seconds since the epoch."""

    who: str
    place: Place
    began: float
    until: float


@dataclass(frozen=True, slots=True)
class Word:
    """An answer that someone gave about a part of an item, and when (UTC, ISO 8601), in the order of `seq`."""

    place: Place
    answer: Answer
    at: str
    seq: int = field(default=0, compare=False)


def lay(connection: sqlite3.Connection, lease: Lease) -> None:
    """Lay a card before someone, in the place of the one before."""
    item, about = lease.place
    values = {"who": lease.who, "item": item, "about": about, "began": lease.began, "until": lease.until}
    connection.execute(SQL["lay"], values)


def last_cards(connection: sqlite3.Connection) -> list[Lease]:
    """The card that was last laid before each person, also where its time is over."""
    rows = connection.execute(SQL["laid"]).fetchall()
    return [Lease(who, (item, about), began, until) for who, item, about, began, until in rows]


def free(connection: sqlite3.Connection, who: str) -> None:
    """Take someone's card away."""
    connection.execute(SQL["free"], {"who": who})


def skip(connection: sqlite3.Connection, who: str, place: Place) -> None:
    """Note that someone wants to see a card last."""
    connection.execute(SQL["skip"], {"who": who, "item": place[0], "about": place[1]})


def skipped_cards(connection: sqlite3.Connection, who: str) -> set[Place]:
    """The cards that someone wants to see last."""
    return set(connection.execute(SQL["skipped"], {"who": who}).fetchall())


def took(connection: sqlite3.Connection, place: Place, who: str, seconds: float) -> None:
    """Note how long a card lay before someone until the answer that is signed `who`."""
    values = {"item": place[0], "about": place[1], "who": who, "seconds": seconds}
    connection.execute(SQL["time"], values)


def times(connection: sqlite3.Connection) -> dict[tuple[int, str, str], float]:
    """How long each answer took, in seconds, by item, part and signature."""
    rows = connection.execute(SQL["times"]).fetchall()
    return {(item, about, who): seconds for item, about, who, seconds in rows}


def words(connection: sqlite3.Connection, step: str) -> Iterator[Word]:
    """All that was said in a step, first to last."""
    for seq, item, about, who, body, at in connection.execute(SQL["words"], {"step": step}):
        yield Word((item, about), Answer(step, about, who, body), at, seq)


def has_successor(connection: sqlite3.Connection, item: int) -> bool:
    """Whether the next try has begun in the place of an item, so that it cannot come back."""
    return connection.execute(SQL["followed"], {"item": item}).fetchone() is not None
