"""Items and what was said about them."""

import json
import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.ids import canonical
from benchwright.domain.item import Ending, ItemState, Progress, Seed
from benchwright.domain.source import about_from_json
from benchwright.errors import NotFound
from benchwright.store.digests import digest
from benchwright.store.queries import load

SQL = load("items")
PAGE = 200
AGAIN = re.compile(r"(?!human:)(.+#\d+)~\d+$")


@dataclass(frozen=True, slots=True)
class Row:
    """One item as stored. `seq` is its place in this database, `body` its final form."""

    seq: int
    id: str
    seed: Seed
    state: ItemState
    cause: str
    detail: str
    body: dict[str, Any] | None


def parse_row(seq: int, name: str, seed: str, state: str, *rest: Any) -> Row:
    """A row of the table as a value."""
    cause, detail, body = rest
    return Row(seq, name, restored_seed(seed), ItemState(state), cause, detail, json.loads(body) if body else None)


@lru_cache(maxsize=4096)  # an item is read at each claim and each answer; its seed never changes
def restored_seed(text: str) -> Seed:
    """A seed from its JSON."""
    value = json.loads(text)
    return Seed(value["slot"], value["attempt"], about_from_json(value), value["body"], value.get("phase", ""))


def add(connection: sqlite3.Connection, seed: Seed) -> int | None:
    """Take a seed in; returns the new item's seq, or None where the item was there."""
    values = {
        "id": seed.id,
        "phase": seed.phase,
        "slot": seed.slot,
        "attempt": seed.attempt,
        "document": seed.about.document if isinstance(seed.about, View) else "",
        "seed": canonical(seed.as_json),
    }
    cursor = connection.execute(SQL["add"], values)
    return cursor.lastrowid if cursor.rowcount else None


def get(connection: sqlite3.Connection, seq: int) -> Row:
    """One item by its place in this database."""
    return parse_row(*connection.execute(SQL["get"], {"seq": seq}).fetchone())


def seed(connection: sqlite3.Connection, seq: int) -> Seed:
    """How an item began."""
    return restored_seed(connection.execute(SQL["seed"], {"seq": seq}).fetchone()[0])


def find(connection: sqlite3.Connection, prefix: str) -> Row:
    """The one item whose id begins with `prefix`; raises `NotFound` where there is none or more than one."""
    bounds = {"low": prefix, "high": prefix + "g"}  # ids are hexadecimal
    rows = connection.execute(SQL["find"], bounds).fetchall()
    if len(rows) == 1:
        return parse_row(*rows[0])
    names = ", ".join(row[1] for row in rows)
    message = f"several items begin with {prefix}: {names}" if rows else f"there is no item {prefix} in this campaign"
    raise NotFound(message)


def pages(connection: sqlite3.Connection, state: str = "") -> Iterator[Row]:
    """Items in the order of the set (phase, slot, attempt), all or those of one state; read in slices."""
    for phase in phases(connection):
        yield from pages_of(connection, phase, state)


def pages_of(connection: sqlite3.Connection, phase: str, state: str = "") -> Iterator[Row]:
    """The same for the items of one phase."""
    slot, attempt = -1, -1
    while True:
        values = {"phase": phase, "slot": slot, "attempt": attempt, "state": state, "most": PAGE}
        rows = [parse_row(*row) for row in connection.execute(SQL["page"], values)]
        yield from rows
        if len(rows) < PAGE:
            return
        slot, attempt = rows[-1].seed.slot, rows[-1].seed.attempt


def phases(connection: sqlite3.Connection) -> list[str]:
    """The phases that have items, in the order in which they began."""
    return [phase for phase, _ in connection.execute(SQL["phases"])]


def move(connection: sqlite3.Connection, seq: int, verdict: Ending) -> None:
    """Give an item its standing."""
    body = None if verdict.body is None else canonical(verdict.body)
    standing = (verdict.state, verdict.cause, verdict.detail, body)
    connection.execute(SQL["move"], (*standing, digest(seq, *standing), seq))


def progress(connection: sqlite3.Connection, tries: int, most_open: int, phase: str = "") -> Progress:
    """How far a phase has come, with the room that `most_open` leaves for new items."""
    room = max(0, most_open - connection.execute(SQL["unfinished"]).fetchone()[0])
    begun = connection.execute(SQL["begun"], {"phase": phase}).fetchone()[0]
    values = {"phase": phase, "tries": tries, "most": room}
    ended = connection.execute(SQL["discarded"], values).fetchall()
    return Progress(begun, tuple(map(tuple, ended)), room, phase)


def any_begun(connection: sqlite3.Connection) -> bool:
    """Whether any item has begun."""
    return connection.execute(SQL["any_begun"]).fetchone() is not None


def ended_slots(connection: sqlite3.Connection, tries: int) -> list[int]:
    """The slots of which models owe nothing more: kept, with people, or out of tries."""
    rows = connection.execute(SQL["slots"])
    return [
        slot
        for slot, attempt, state in rows
        if state != ItemState.OPEN and (state != ItemState.DISCARDED or attempt + 1 >= tries)
    ]


def count_open_answers(connection: sqlite3.Connection) -> int:
    """How many answers there are about items in the making."""
    count: int = connection.execute(SQL["making"]).fetchone()[0]
    return count


def orphans(connection: sqlite3.Connection) -> list[int]:
    """Unfinished items that no live ticket belongs to: there should be none."""
    return [seq for (seq,) in connection.execute(SQL["orphans"])]


def seqs(connection: sqlite3.Connection, *, unfinished: bool) -> list[int]:
    """The places of all items, or of the unfinished ones."""
    return [seq for (seq,) in connection.execute(SQL["unfinished_seqs" if unfinished else "every_seq"])]


def latest(connection: sqlite3.Connection) -> list[int]:
    """The places of the last try of each slot: what became of a slot is decided there."""
    return [seq for (seq,) in connection.execute(SQL["latest"])]


def causes(connection: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """How often items ended in which state for which cause."""
    return connection.execute(SQL["causes"]).fetchall()


def shortfalls(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """Slots that no try has filled, by the cause of the last one."""
    return connection.execute(SQL["shortfalls"]).fetchall()


def shortfalls_by_phase(connection: sqlite3.Connection) -> dict[str, int]:
    """How many slots of each phase no try has filled."""
    return dict(connection.execute(SQL["shortfalls_by_phase"]).fetchall())


def answers(connection: sqlite3.Connection, seq: int) -> tuple[Answer, ...]:
    """What was said about an item, first to last."""
    return tuple(answer for _, answer in later(connection, seq))


def later(connection: sqlite3.Connection, seq: int, after: int = 0) -> list[tuple[int, Answer]]:
    """What was said about an item after a place, first to last, each with its place."""
    rows = connection.execute(SQL["answers"], (seq, after)).fetchall()
    rows.sort()
    return [(place, Answer(step, about, author(who), body, call)) for place, step, about, who, body, call in rows]


def say(connection: sqlite3.Connection, seq: int, answer: Answer, now: str) -> bool:
    """Append an answer; whether it was new."""
    return append(connection, seq, answer, now) > 0


def append(connection: sqlite3.Connection, seq: int, answer: Answer, now: str) -> int:
    """Append an answer, also in the place of a failure that was withdrawn; its place, 0 where it was there already."""
    who = answer.by
    while True:
        said = (seq, answer.step, answer.about, who, answer.body, answer.call, now)
        cursor = connection.execute(SQL["say"], (*said, digest(*said)))
        if cursor.rowcount > 0:
            return cursor.lastrowid or 0
        if connection.execute(SQL["withdrawn"], (seq, answer.step, answer.about, who)).fetchone() is None:
            return 0
        who = next_signature(who)


def next_signature(who: str) -> str:
    """How the table signs the next answer in a place whose last one failed and was withdrawn: "glm#2~1", "glm#2~2"."""
    name, _, times = who.rpartition("~") if author(who) != who else (who, "", "0")
    return f"{name}~{int(times) + 1}"


def author(who: str) -> str:
    """Who signs so in the table."""
    found = AGAIN.match(who) if "~" in who else None
    return found[1] if found else who


def count_later(connection: sqlite3.Connection, seq: int, after: int) -> int:
    """How many answers there are about an item after a place."""
    count: int = connection.execute(SQL["count_later"], (seq, after)).fetchone()[0]
    return count


def answers_of_step(connection: sqlite3.Connection, step: str) -> Iterator[tuple[int, str, tuple[int, int], str]]:
    """The answers of one step over all items: (seq, item id, (attempt, slot), body)."""
    for seq, name, slot, attempt, body in connection.execute(SQL["said"], {"step": step}):
        yield seq, name, (attempt, slot), body
