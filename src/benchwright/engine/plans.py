"""Between pipeline and store: what a plan means in tickets, and what is known of the items in work.

The cost of an answer must not grow with its item. So what is known of an item stays in memory: an answer is folded into
it, and of the tickets only those are touched by which the new plan differs from the old one.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, NamedTuple

from benchwright.domain.answer import Answer
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.pipelines.base import HUMAN, Due, Pipeline, state_of
from benchwright.store import items, jobs
from benchwright.store.database import Connection, Database
from benchwright.store.jobs import Owed, Planner, Ticket

KEPT = 2048  # items that are kept in mind at most
OPEN, WAITING = Ending(ItemState.OPEN, ""), Ending(ItemState.WAITING, "")  # models owe something, or only people do


def planner(pipeline: Pipeline) -> Planner:
    """The function by which whoever keeps nothing in mind learns what is owed."""

    def plan(seed: Seed, answers: Sequence[Answer]) -> Sequence[Owed] | Ending:
        owed = pipeline.plan(state_of(pipeline, seed, answers))
        return ending_as_json(pipeline, owed) if isinstance(owed, Ending) else [(due.key, due.to) for due in owed]

    return plan


def ending_as_json(pipeline: Pipeline, verdict: Ending) -> Ending:
    """The end of an item as the store takes it, its body in JSON values."""
    return verdict if verdict.body is None else replace(verdict, body=pipeline.kind.write(verdict.body))


class Known(NamedTuple):
    """What is known of an item by its answers up to the place `last`.

    Its state, what is owed by key, which is nothing once it has ended, and how it stands: its end, or whose turn it is.
    """

    last: int
    state: Any
    owed: Mapping[str, Due]
    standing: Ending


class Plans:
    """What is known of the items in work.

    The writer's thread changes it within transactions, where the answers are those of all processes; a transaction that
    is undone takes all of it along. The event loop reads it, and adds only what it has read from the disk.
    """

    def __init__(self, pipeline: Pipeline, most: int = KEPT) -> None:
        """Nothing is known yet. Who writes must call `forget` when a transaction was undone."""
        self._pipeline = pipeline
        self._most = most
        self._kept: dict[int, Known] = {}
        self._lock = Lock()  # two threads change the order in which items are kept
        self._loading: dict[int, asyncio.Task[Known]] = {}

    async def due(self, database: Database, ticket: Ticket) -> Due | None:
        """The owed thing that a claimed ticket stands for; None where it is no longer owed."""
        known = self._kept.get(ticket.seq)
        if known is None or ticket.key not in known.owed:
            known = await self._load(database, ticket)
        return known.owed.get(ticket.key)

    def complete(self, connection: Connection, ticket: Ticket, answer: Answer, now: str) -> bool:
        """Append an answer, close its ticket, and go on with the item; whether the answer was new."""
        place, closed = jobs.close(connection, ticket, answer, now)
        known, new = self._kept.get(ticket.seq), bool(place)
        # what was forgotten, a ticket that went on without its worker, somebody else's answer: a fresh look
        if known is None or not closed or items.count_later(connection, ticket.seq, known.last) > new:
            self.advance(connection, ticket.seq)
        elif new:
            self._go_on(connection, ticket, known, (place, answer))
        return new

    def drop(self, connection: Connection, ticket: Ticket) -> None:
        """Close a ticket that is no longer owed, and go on with its item."""
        jobs.drop(connection, ticket)
        self.advance(connection, ticket.seq)

    def set_aside(self, connection: Connection, ticket: Ticket, reason: str) -> None:
        """Set a ticket aside until the next run, unless its item has gone on without it."""
        jobs.set_aside(connection, ticket, reason)
        self.advance(connection, ticket.seq)

    def advance(self, connection: Connection, seq: int) -> None:
        """Bring an item and its tickets in line with all that was said about it."""
        known = self._kept.get(seq) or self._beginning(items.seed(connection, seq))
        known = self._plan_after(known, items.later(connection, seq, known.last))
        owed = [(key, due.to) for key, due in known.owed.items()] or known.standing
        jobs.go_on(connection, seq, owed, jobs.item_tickets(connection, seq))
        self._keep(seq, known)

    def forget(self) -> None:
        """A transaction was undone: what it has left here may be wrong."""
        with self._lock:
            self._kept.clear()

    def _go_on(self, connection: Connection, ticket: Ticket, known: Known, said: tuple[int, Answer]) -> None:
        """Take in one answer, to a ticket of an item of which all else is known."""
        seq = ticket.seq
        if among_others(known.owed, ticket.key, said[1]):
            left = dict(known.owed)
            del left[ticket.key]
            self._keep(seq, Known(said[0], self._pipeline.fold(known.state, said[1]), left, known.standing))
            return
        after = self._plan_after(known, [said])
        gone = known.owed.keys() - after.owed.keys() - {ticket.key}
        come = [(key, due.to) for key, due in after.owed.items() if key not in known.owed]
        jobs.exchange(connection, seq, gone, come)
        if after.standing != known.standing:
            items.move(connection, seq, after.standing)
        self._keep(seq, after)

    def _plan_after(self, known: Known, later: Sequence[tuple[int, Answer]]) -> Known:
        """What is known after these answers, and what they come to."""
        last, state = known.last, known.state
        for place, answer in later:
            last, state = place, self._pipeline.fold(state, answer)
        owed = self._pipeline.plan(state)
        if isinstance(owed, Ending):
            return Known(last, state, {}, ending_as_json(self._pipeline, owed))
        turn = OPEN if any(due.to != HUMAN for due in owed) else WAITING
        return Known(last, state, {due.key: due for due in owed}, turn)

    def _beginning(self, seed: Seed) -> Known:
        """An item about which nothing was said."""
        return Known(0, self._pipeline.begin(seed), {}, OPEN)

    def _keep(self, seq: int, known: Known, *, over: bool = True) -> None:
        """Keep it in mind, `over` what is there or only if that is older; forget what has not changed for longest."""
        with self._lock:
            there = self._kept.pop(seq, None)
            self._kept[seq] = known if there is None or over or there.last < known.last else there
            if len(self._kept) > self._most:
                del self._kept[next(iter(self._kept))]

    async def _load(self, database: Database, ticket: Ticket) -> Known:
        """What the disk knows of an item, read once for all who ask at the same time."""
        loading = self._loading.get(ticket.seq)
        if loading is None:
            loading = asyncio.create_task(database.read(lambda connection: self._read(connection, ticket)))
            self._loading[ticket.seq] = loading
            loading.add_done_callback(lambda _: self._loading.pop(ticket.seq))
        return await asyncio.shield(loading)

    def _read(self, connection: Connection, ticket: Ticket) -> Known:
        """The same, in the reader's thread."""
        known = self._plan_after(self._beginning(ticket.seed), items.later(connection, ticket.seq))
        self._keep(ticket.seq, known, over=False)
        return known


def among_others(owed: Mapping[str, Due], key: str, answer: Answer) -> bool:
    """Whether others of the same wave are still to answer, so that this answer alone changes nothing that is owed."""
    wave = owed[key].wave if key in owed else ""
    return bool(wave) and answer.failure is None and any(d.wave == wave for name, d in owed.items() if name != key)
