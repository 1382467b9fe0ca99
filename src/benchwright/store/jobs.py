"""Jobs: tickets, each for one owed thing. A ticket is finished in the transaction that appends its answer."""

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.store import items
from benchwright.store.queries import load

SQL = load("jobs")

Owed = tuple[str, str]  # a ticket's key, and its queue
WAITS = {"ready", "delayed", "failed"}  # tickets that go moot when they are no longer owed
SUSPECT = 3.0  # blame from which on a ticket is a suspect, as the index in `migrations/0013_suspects.sql` has it
STANDS = WAITS | {"running"}  # tickets that serve what is owed: another is not needed
Planner = Callable[[Seed, Sequence[Answer]], Sequence[Owed] | Ending]


class Ticket(NamedTuple):
    """A claimed job and its item.

    `attempt` is one more than its provider's failures in this run, `blame` its share in the deaths of processes
    (`share_blame`), `error` says why an earlier run set the job aside, if one did.
    """

    id: int
    seq: int
    key: str
    queue: str
    attempt: int
    blame: float
    error: str
    item: str
    seed: Seed


class ItemTickets(NamedTuple):
    """An item's state, and that of each ticket that is not done by key."""

    state: str
    tickets: dict[str, str]


def claim(
    connection: sqlite3.Connection, queue: str, most: int, now: float, lease: float, after: int = 0
) -> list[Ticket]:
    """Claim up to `most` tickets of a queue until `now + lease` (seconds), no suspects.

    The oldest items come first, or those that follow the item `after`, and then the oldest again.
    """
    wakes = next_wake(connection)
    if wakes is not None and wakes <= now:  # asking first costs a fraction of an update that finds nothing
        connection.execute(SQL["wake"], {"now": now})
    found = claim_after(connection, queue, after, most, now + lease)
    if after and len(found) < most:
        found += claim_after(connection, queue, 0, most - len(found), now + lease)
    return found


def claim_after(connection: sqlite3.Connection, queue: str, after: int, most: int, until: float) -> list[Ticket]:
    """Claim up to `most` tickets of the oldest items that follow the item `after`."""
    return take_tickets(connection, connection.execute(SQL["oldest"], (queue, after, most)).fetchall(), until)


def claim_suspect(connection: sqlite3.Connection, queues: Sequence[str], until: float) -> Ticket | None:
    """Claim the suspect with the least blame among those that are ready in these queues."""
    values = {"queues": json.dumps(queues)}
    found = take_tickets(connection, connection.execute(SQL["suspect"], values).fetchall(), until)
    return found[0] if found else None


def claim_steps(
    connection: sqlite3.Connection, queue: str, steps: Sequence[str], most: int, until: float
) -> list[Ticket]:
    """Claim up to `most` tickets of these steps in a queue, also those that this run has set aside."""
    values = {"queue": queue, "steps": json.dumps(steps), "most": most}
    connection.execute(SQL["revive"], values)
    return take_tickets(connection, connection.execute(SQL["of_steps"], values).fetchall(), until)


def take_tickets(connection: sqlite3.Connection, rows: Sequence[Sequence[Any]], until: float) -> list[Ticket]:
    """Claim ready tickets, found in the same transaction.

    One by one: an update of many rows through a subquery builds temporary tables, at the price of a whole claim.
    """
    connection.executemany(SQL["take"], [(until, row[0]) for row in rows])
    return [ticket(row) for row in rows]


def ticket(row: Sequence[Any]) -> Ticket:
    """A claimed row with its item."""
    job, seq, key, queue, attempt, blame, error, name, seed = row
    return Ticket(job, seq, key, queue, attempt, blame, error, name, items.restored_seed(seed))


def close(connection: sqlite3.Connection, job: Ticket, answer: Answer, now: str) -> tuple[int, bool]:
    """Append the answer and close the ticket; the answer's place, 0 where it was not new, and whether it was closed.

    A worker that outlived its claim changes no ticket, but its answer, which is paid for, is taken if none is there.
    """
    place = items.append(connection, job.seq, answer, now)
    closed = connection.execute(SQL["finish"], (job.id, job.attempt)).rowcount > 0
    return place, closed


def decide(connection: sqlite3.Connection, seq: int, key: str, answer: Answer, plan: Planner, now: str) -> bool:
    """Append an answer that no claimed ticket stands for (a person's, or a finding of code); whether it was new."""
    new = items.say(connection, seq, answer, now)
    if new:
        connection.execute(SQL["answered"], {"item": seq, "key": key})
        advance(connection, seq, plan)
    return new


def advance(connection: sqlite3.Connection, seq: int, plan: Planner) -> None:
    """Plan an item anew, and go on with it."""
    go_on(
        connection,
        seq,
        plan(items.seed(connection, seq), items.answers(connection, seq)),
        item_tickets(connection, seq),
    )


def go_on(connection: sqlite3.Connection, seq: int, owed: Sequence[Owed] | Ending, stands: ItemTickets) -> None:
    """Bring an item, which stands so, and its tickets in line with what is owed now."""
    wanted = {} if isinstance(owed, Ending) else dict(owed)
    gone = [key for key, state in stands.tickets.items() if state in WAITS and key not in wanted]
    come = [(key, queue) for key, queue in wanted.items() if stands.tickets.get(key) not in STANDS]
    exchange(connection, seq, gone, come)
    if isinstance(owed, Ending):
        items.move(connection, seq, owed)
    elif (state := unfinished_state(wanted.values())) != stands.state:
        items.move(connection, seq, Ending(state, ""))


def exchange(connection: sqlite3.Connection, seq: int, gone: Iterable[str], come: Iterable[Owed]) -> None:
    """Close the waiting tickets of an item that are no longer owed, and write those that are owed from now on."""
    for key in gone:
        connection.execute(SQL["moot"], {"item": seq, "key": key})
    for key, queue in come:
        connection.execute(SQL["owed"], (seq, key, queue))


def unfinished_state(queues: Iterable[str]) -> ItemState:
    """The state of an item that owes something to these queues."""
    return ItemState.WAITING if all(queue == HUMAN for queue in queues) else ItemState.OPEN


def item_tickets(connection: sqlite3.Connection, seq: int) -> ItemTickets:
    """How an item stands."""
    rows = connection.execute(SQL["of_item"], (seq,)).fetchall()  # an item without tickets has one row, without a key
    return ItemTickets(rows[0][0], {key: state for _, key, state in rows if key})


def drop(connection: sqlite3.Connection, job: Ticket) -> None:
    """Close a ticket that is no longer owed."""
    connection.execute(SQL["drop"], {"id": job.id, "attempt": job.attempt})


def delay(connection: sqlite3.Connection, job: Ticket, until: float, *, counted: bool) -> None:
    """Give a ticket back for later; the attempt counts only if `counted`."""
    values = {"id": job.id, "attempt": job.attempt, "ready_at": until, "uncounted": int(not counted)}
    connection.execute(SQL["delay"], values)


def give_back(connection: sqlite3.Connection, job: Ticket) -> None:
    """Give a ticket back as it was, to be claimed again at any time."""
    connection.execute(SQL["give_back"], {"id": job.id, "attempt": job.attempt})


def set_aside(connection: sqlite3.Connection, job: Ticket, error: str) -> None:
    """Set a ticket aside until the next run."""
    connection.execute(SQL["set_aside"], {"id": job.id, "attempt": job.attempt, "error": error})


def hand_back(connection: sqlite3.Connection) -> int:
    """Return what this process had claimed, untried; how many tickets that were."""
    return connection.execute(SQL["hand_back"]).rowcount


def depart(connection: sqlite3.Connection, job: int) -> None:
    """Record that a claimed ticket is asked: if its process dies, this ticket may be why."""
    connection.execute(SQL["depart"], (job,))


def share_blame(connection: sqlite3.Connection) -> int:
    """Blame the tickets that a process died with; returns how many had been asked by then.

    They share one death in equal parts, so a ticket that was one of forty is hardly blamed. A suspect is asked alone
    among suspects, so if there is one it takes the whole blame.
    """
    dead = connection.execute(SQL["dead"]).fetchall()
    blamed = [job for job, blame in dead if blame >= SUSPECT] or [job for job, _ in dead]
    connection.executemany(SQL["blame"], [(1 / len(blamed), job) for job in blamed])
    return len(dead)


class Rescued(NamedTuple):
    """What a dead process left: tickets that had been asked, and, of all ready ones, those that are suspects."""

    asked: int
    suspects: int


def rescue(connection: sqlite3.Connection, plan: Planner) -> Rescued:
    """At the start of a run every lease belongs to the dead: free them, try again what failed, mend lost tickets."""
    asked = share_blame(connection)
    connection.execute(SQL["rescue"])
    connection.execute(SQL["retry"])
    connection.execute(SQL["hasten"])
    connection.execute(SQL["forgive"])
    for seq in items.orphans(connection):
        advance(connection, seq, plan)
    (suspects,) = connection.execute(SQL["suspects"]).fetchone()
    return Rescued(asked, suspects)


def replan(connection: sqlite3.Connection, plan: Planner) -> None:
    """Plan every unfinished item again, under changed rules."""
    for seq in items.seqs(connection, unfinished=True):
        advance(connection, seq, plan)


def next_wake(connection: sqlite3.Connection) -> float | None:
    """When the next delayed ticket is ready, in seconds since the epoch."""
    moment: float | None = connection.execute(SQL["next_wake"]).fetchone()[0]
    return moment


def count_unfinished(connection: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """How many tickets wait, run or are set aside: queue -> state -> how many."""
    found: dict[str, dict[str, int]] = {}
    for queue, state, n in connection.execute(SQL["unfinished"]):
        found.setdefault(queue, {})[state] = n
    return found


def live(connection: sqlite3.Connection) -> dict[str, int]:
    """How many tickets wait or run, by queue."""
    counted = {
        queue: sum(n for state, n in states.items() if state != "failed")
        for queue, states in count_unfinished(connection).items()
    }
    return {queue: n for queue, n in counted.items() if n}


def by_slot(connection: sqlite3.Connection, queue: str) -> dict[int, int]:
    """How many tickets of a queue each slot has had."""
    return dict(connection.execute(SQL["by_slot"], {"queue": queue}).fetchall())


def in_queue(connection: sqlite3.Connection, queue: str) -> list[tuple[int, str]]:
    """The ready tickets of a queue: (item's seq, key), oldest items first."""
    return connection.execute(SQL["waiting_for_people"], {"queue": queue}).fetchall()
