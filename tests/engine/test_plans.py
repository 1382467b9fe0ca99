"""What is known of items in work: whoever answers, and in whatever order, they are planned with all that was said."""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from benchwright.agents.choice.check_option import agent
from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.document import View
from benchwright.domain.item import Ending, ItemState, Seed, discarded_ending
from benchwright.engine.plans import Plans, planner
from benchwright.pipelines.base import HUMAN, Due
from benchwright.store import items, jobs, migrate
from benchwright.store.database import Database
from benchwright.store.jobs import Ticket

ITEMS = (1, 2, 3)
AT = "2026-01-01T00:00:00+00:00"
State = tuple[frozenset[str], bool]


@dataclass
class Letters:
    """Owes a, b, c and d together, then e, then a person's f; a failure among the first four ends the item."""

    planned: int = 0
    folded: int = 0

    def begin(self, _: Seed) -> State:
        return frozenset(), False

    def fold(self, state: State, answer: Answer) -> State:
        self.folded += 1
        assert answer.about not in state[0]
        return state[0] | {answer.about}, state[1] or answer.failure is not None

    def plan(self, state: State) -> Sequence[Due] | Ending:
        self.planned += 1
        said, lost = state
        if lost:
            return discarded_ending("lost")
        if missing := [Due(agent, None, "model", key, wave="first") for key in "abcd" if key not in said]:
            return missing
        last = [Due(agent, None, "model", "e")] if "e" not in said else [Due(agent, None, HUMAN, "f")]
        return discarded_ending("done") if {"e", "f"} <= said else last


def key_of(about: str) -> str:
    return Due(agent, None, HUMAN if about == "f" else "model", about).key


def in_table(connection: sqlite3.Connection, seq: int) -> list[Answer]:
    rows = connection.execute("SELECT step, about, who, body, call FROM answers WHERE item = ? ORDER BY seq", (seq,))
    return [Answer(*row) for row in rows]


@dataclass
class Campaign:
    """Three items in one file, with one process that works on them; others speak up beside it."""

    connection: sqlite3.Connection = field(default_factory=lambda: sqlite3.connect(":memory:", isolation_level=None))
    pipeline: Any = field(default_factory=Letters)
    claimed: list[Ticket] = field(default_factory=list)
    freed: set[tuple[int, str]] = field(default_factory=set)  # may wait though not owed: the next claim closes them
    most: int = 10

    def __post_init__(self) -> None:
        migrate.up(self.connection)
        self.plans = Plans(self.pipeline, self.most)
        for slot in range(len(ITEMS)):
            items.add(self.connection, Seed(slot, 0, View("d", (0,)), "{}"))
        for seq in ITEMS:
            self.plans.advance(self.connection, seq)

    def claim(self, most: int) -> None:
        self.claimed += jobs.claim(self.connection, "model", most, 0.0, 1.0)

    def complete(self, place: int) -> None:
        """Complete one of the claimed tickets, perhaps for the second time."""
        if self.claimed:
            ticket = self.claimed[place % len(self.claimed)]
            self.plans.complete(self.connection, ticket, Answer(agent.name, ticket.key.split("/")[1], "m#1", "{}"), AT)

    def fail(self, place: int) -> None:
        """Record that there is no answer to a ticket."""
        if self.claimed:
            ticket = self.claimed[place % len(self.claimed)]
            about = ticket.key.split("/")[1]
            self.plans.complete(self.connection, ticket, failure_answer(agent.name, about, "m#1", "schema", ""), AT)

    def undo(self, place: int) -> None:
        """Complete a ticket in a transaction that comes to nothing."""
        self.connection.execute("BEGIN")
        self.complete(place)
        self.connection.execute("ROLLBACK")
        self.plans.forget()

    def free(self, place: int) -> None:
        """A ticket goes back to the queue while its worker goes on."""
        if self.claimed:
            ticket = self.claimed[place % len(self.claimed)]
            jobs.give_back(self.connection, ticket)
            self.freed.add((ticket.seq, ticket.key))

    def drop(self, place: int) -> None:
        """Close a claimed ticket as one that is not owed: if it is, it comes back."""
        if self.claimed:
            self.plans.drop(self.connection, self.claimed[place % len(self.claimed)])

    def decide(self, place: int) -> None:
        """A person says something about an item, from another process."""
        seq, about = ITEMS[place % 3], "abcdef"[place % 6]
        if about not in {said.about for said in in_table(self.connection, seq)}:
            answer = Answer(agent.name, about, "m#1", "{}")
            jobs.decide(self.connection, seq, key_of(about), answer, planner(self.pipeline), AT)

    def set_aside(self, place: int) -> None:
        """The endpoint of a claimed ticket is down: nobody asks it again in this run."""
        if self.claimed:
            self.plans.set_aside(self.connection, self.claimed[place % len(self.claimed)], "down")

    def revive(self, _: int) -> None:
        """The next run begins, and works on what this one had claimed."""
        jobs.rescue(self.connection, planner(self.pipeline))
        self.freed |= {(ticket.seq, ticket.key) for ticket in self.claimed}
        self.plans = Plans(self.pipeline, self.most)

    def find(self, place: int) -> None:
        """Code finds something about an item, as that its question is another's."""
        answer = failure_answer("near_duplicate", f"near{place}", "code", "found", "")
        jobs.decide(self.connection, ITEMS[place % 3], "", answer, planner(self.pipeline), AT)

    def two_at_once(self, place: int) -> None:
        """Two answers in one commit, of which the second is undone and the first done again."""
        self.connection.execute("BEGIN")
        self.complete(place)
        self.connection.execute("SAVEPOINT one")
        self.complete(place + 1)
        self.connection.execute("ROLLBACK TO one")
        self.plans.forget()
        self.complete(place + 2)
        self.connection.execute("COMMIT")

    def replan(self, _: int) -> None:
        """The recipe is changed, by another process between two runs."""
        jobs.replan(self.connection, planner(self.pipeline))

    def check(self) -> None:
        """Every item and its tickets are as a fresh look at its answers wants them."""
        for seq in ITEMS:
            row, said = items.get(self.connection, seq), in_table(self.connection, seq)
            owed = planner(self.pipeline)(row.seed, said)
            query = "SELECT key, state FROM jobs WHERE item = ?"
            found = dict(self.connection.execute(query, (seq,)).fetchall())
            if isinstance(owed, Ending):
                assert (row.state, row.cause) == (owed.state, owed.cause)
            else:
                assert all(found[key] in jobs.STANDS for key, _ in owed)
                queues = {queue for _, queue in owed}
                assert row.state == (ItemState.WAITING if queues == {HUMAN} else ItemState.OPEN)
            wanted = set() if isinstance(owed, Ending) else {key for key, _ in owed}
            waits = {key for key, state in found.items() if state in jobs.WAITS and (seq, key) not in self.freed}
            assert waits <= wanted


NUMBERS = st.integers(0, 11)
OFTEN = ["claim", "complete", "complete", "complete", "set_aside", "decide"]
SELDOM = ["fail", "undo", "two_at_once", "free", "drop", "revive", "find", "replan"]
NAMES = st.sampled_from(OFTEN + SELDOM)


@given(st.lists(st.tuples(NAMES, NUMBERS), max_size=40), st.sampled_from([1, 2, 10]))
def test_items_and_tickets_are_in_line_with_all_that_was_said_after_every_step(
    steps: list[tuple[str, int]], most: int
) -> None:
    campaign = Campaign(most=most)
    for name, number in steps:
        getattr(campaign, name)(number)
        campaign.check()
    campaign.connection.close()


def test_answers_of_a_wave_are_folded_once_each_and_planned_when_it_is_complete() -> None:
    campaign = Campaign()
    before = campaign.pipeline.planned
    campaign.claim(4)
    for place in (2, 0, 3, 1):
        campaign.complete(place)
    assert (campaign.pipeline.folded, campaign.pipeline.planned) == (4, before + 1)
    assert [said.about for said in in_table(campaign.connection, 1)] == ["c", "a", "d", "b"]
    campaign.check()
    campaign.connection.close()


def test_a_failure_is_planned_at_once_though_its_wave_is_incomplete() -> None:
    campaign = Campaign()
    campaign.claim(2)
    campaign.fail(0)
    assert items.get(campaign.connection, 1).cause == "lost"
    campaign.check()
    campaign.connection.close()


def test_a_ticket_whose_item_has_ended_meanwhile_is_not_set_aside() -> None:
    campaign = Campaign()
    campaign.claim(2)
    campaign.fail(0)
    campaign.set_aside(1)
    campaign.check()
    campaign.connection.close()


def test_a_ticket_completed_twice_says_nothing_twice() -> None:
    campaign = Campaign()
    campaign.claim(1)
    campaign.complete(0)
    campaign.complete(0)
    assert len(in_table(campaign.connection, 1)) == 1
    campaign.connection.close()


def test_of_two_workers_at_one_ticket_the_first_is_heard_and_the_second_closes_it() -> None:
    campaign = Campaign()
    campaign.claim(1)
    jobs.delay(campaign.connection, campaign.claimed[0], 0.0, counted=True)
    campaign.claim(1)
    assert [ticket.attempt for ticket in campaign.claimed] == [1, 2]
    campaign.complete(0)
    campaign.complete(1)
    assert len(in_table(campaign.connection, 1)) == 1
    states = campaign.connection.execute("SELECT state FROM jobs WHERE item = 1 ORDER BY id").fetchall()
    assert states[0] == ("done",)
    campaign.check()
    campaign.connection.close()


def test_no_more_items_are_kept_in_mind_than_allowed() -> None:
    campaign = Campaign(most=2)
    campaign.claim(12)
    for place in range(12):
        campaign.complete(place)
        campaign.check()
    campaign.connection.close()


def test_a_ticket_that_was_set_aside_stays_so_until_the_next_run_whoever_speaks_up() -> None:
    campaign = Campaign()
    campaign.claim(2)
    campaign.set_aside(0)
    campaign.decide(3)  # the first item's d; so the next answer of this process is planned by a fresh look
    campaign.complete(1)
    states = dict(campaign.connection.execute("SELECT key, state FROM jobs WHERE item = 1").fetchall())
    assert (states[key_of("a")], states[key_of("b")], states[key_of("d")]) == ("failed", "done", "done")
    campaign.revive(0)
    assert jobs.live(campaign.connection)["model"] == 10
    campaign.connection.close()


def test_a_ticket_that_was_set_aside_is_given_up_with_its_item() -> None:
    campaign = Campaign()
    campaign.claim(2)
    campaign.set_aside(0)
    campaign.fail(1)
    assert jobs.count_unfinished(campaign.connection) == {"model": {"ready": 8}}
    campaign.connection.close()


async def test_what_is_not_in_mind_is_read_from_the_disk_once_for_all_who_ask() -> None:
    pipeline: Any = Letters()
    async with await Database.open(None, create=True) as database:
        before = Plans(pipeline)

        def begin(connection: sqlite3.Connection) -> list[Ticket]:
            items.add(connection, Seed(0, 0, View("d", (0,)), "{}"))
            before.advance(connection, 1)
            return jobs.claim(connection, "model", 4, 0.0, 1.0)

        tickets = await database.write(begin)
        plans, planned = Plans(pipeline), pipeline.planned
        dues = await asyncio.gather(*(plans.due(database, ticket) for ticket in tickets))
        assert [due and due.key for due in dues] == [ticket.key for ticket in tickets]
        assert pipeline.planned == planned + 1
        said = Answer(agent.name, "a", "m#1", "{}")
        await database.write(lambda connection: plans.complete(connection, tickets[0], said, AT))
        assert await plans.due(database, tickets[0]) is None
        assert await plans.due(database, tickets[1]) == dues[1]
