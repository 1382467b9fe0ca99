"""Failed answers: why each came to nothing; withdrawn, so that the question is put again, and counted again.

An answer never changes. One that is withdrawn is left out by whoever reads what was said about an item.
"""

import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from benchwright.store import counts, items
from benchwright.store.queries import load

SQL = load("failures")


class Failure(NamedTuple):
    """A failed answer that counts, and its item.

    `state` is the item's; `open` says that its question can be put again: no later try has begun in the item's place,
    and no later phase draws on it.
    """

    answer: int
    seq: int
    item: str
    step: str
    about: str
    who: str
    cause: str
    detail: str
    call: str | None
    state: str
    open: bool

    @property
    def model(self) -> str:
        """Whom the question was put to."""
        return self.by.rpartition("#")[0]

    @property
    def by(self) -> str:
        """Who signed it."""
        return items.author(self.who)

    @property
    def key(self) -> str:
        """The key of its ticket."""
        model, _, run = self.by.rpartition("#")
        return f"{self.step}/{self.about}/{model}/{int(run) - 1}"


def of_step(connection: sqlite3.Connection, step: str) -> Iterator[Failure]:
    """The failed answers of one step that count, first to last."""
    for row in connection.execute(SQL["of_step"], {"step": step}):
        yield Failure._make((*row[:-1], bool(row[-1])))


def every(connection: sqlite3.Connection) -> Iterator[Failure]:
    """The failed answers that count, step by step."""
    for step, said in counts.of(connection, "answer").items():
        if said.get("failed"):
            yield from of_step(connection, step)


def withdraw(connection: sqlite3.Connection, failure: Failure, now: str) -> None:
    """Let a failed answer no longer count; its item has to be planned anew."""
    connection.execute(SQL["withdraw"], {"answer": failure.answer, "at": now})
    connection.execute(SQL["reopen"], {"item": failure.seq, "key": failure.key})
    connection.execute(SQL["disown"], {"call": failure.call, "error": f"{failure.cause}: {failure.detail}"})


def restore(connection: sqlite3.Connection) -> list[int]:
    """Let those count again in whose place nothing was said since; the item of each, which has to be planned anew."""
    found = []
    for answer, seq, step, about, who in connection.execute(SQL["every_withdrawn"]).fetchall():
        place = {"item": seq, "step": step, "about": about, "who": items.next_signature(who)}
        if connection.execute(SQL["there"], place).fetchone() is None:
            connection.execute(SQL["restore"], {"answer": answer})
            found.append(seq)
    return found


class Pending(NamedTuple):
    """A question that has no answer yet though it was asked: its ticket waits for the next try.

    `call` is None where code was asked; `error` says what came of the last try.
    """

    item: str
    seq: int
    step: str
    model: str
    call: str | None
    error: str


def pending(connection: sqlite3.Connection) -> list[Pending]:
    """Such questions in the order of their items; those that are set aside are among them."""
    asked = [
        Pending(item, seq, step, model, call, aside or error)
        for item, seq, step, model, call, error, aside in connection.execute(SQL["pending"]).fetchall()
    ]
    known = {(one.seq, one.step, one.model) for one in asked}
    rows = connection.execute(SQL["aside"]).fetchall()
    aside = [Pending(item, seq, step, queue, None, error) for item, seq, step, queue, error in rows]
    return sorted([*asked, *(one for one in aside if (one.seq, one.step, one.model) not in known)], key=lambda p: p.seq)


class Paid(NamedTuple):
    """What the calls of a question cost in US dollars, None where a price is unknown; and the last reply."""

    cost: float | None
    reply: str


def paid(connection: sqlite3.Connection, call: str | None) -> Paid:
    """What was paid for a question; nothing where its call never left, or code was asked."""
    cost, known, reply = connection.execute(SQL["paid"], {"call": call}).fetchone()
    return Paid((cost or 0.0) if known else None, reply or "")
