"""Whoever answers, and in whatever order: an item is planned with all that was said about it, first to last."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.item import Seed, Verdict, discarded
from benchwright.store import items, jobs, migrate
from benchwright.store.jobs import Owed, Ticket

KEYS = tuple("abcd")
ITEMS = (1, 2, 3)
AT = "2026-01-01T00:00:00+00:00"


def answer(about: str, by: str) -> Answer:
    return Answer("check_option", about, by, "{}")


def in_table(connection: sqlite3.Connection, seq: int) -> list[Answer]:
    rows = connection.execute("SELECT step, about, who, body, call FROM answers WHERE item = ? ORDER BY seq", (seq,))
    return [Answer(*row) for row in rows]


@dataclass
class Campaign:
    """Three items, each with a question for every key at once; whoever plans is shown the answers in the table."""

    connection: sqlite3.Connection = field(default_factory=lambda: sqlite3.connect(":memory:", isolation_level=None))
    claimed: list[Ticket] = field(default_factory=list)
    plans: int = 0

    def __post_init__(self) -> None:
        migrate.up(self.connection)
        for slot in range(len(ITEMS)):
            items.add(self.connection, Seed(slot, 0, View("d", (0,)), "{}"))
        for seq in ITEMS:
            jobs.advance(self.connection, seq, self.plan)

    def plan(self, seed: Seed, answers: Sequence[Answer]) -> Sequence[Owed] | Verdict:
        self.plans += 1
        assert list(answers) == in_table(self.connection, seed.slot + 1)
        owed = set(KEYS) - {said.about for said in answers}
        return [(key, "model") for key in sorted(owed)] or discarded("done")

    def claim(self, most: int) -> None:
        """Claim; every ticket has all that was said about its item."""
        found = jobs.claim(self.connection, "model", most, 0.0, 1.0)
        for ticket in found:
            assert list(ticket.answers) == in_table(self.connection, ticket.seq)
        self.claimed += found

    def complete(self, place: int) -> None:
        """Complete one of the claimed tickets, perhaps for the second time."""
        if self.claimed:
            ticket = self.claimed[place % len(self.claimed)]
            jobs.complete(self.connection, ticket, answer(ticket.key, "model#1"), self.plan, AT)

    def decide(self, place: int) -> None:
        """A person says something about an item, from beside the queue."""
        seq, key = ITEMS[place % 3], KEYS[place % 4]
        jobs.decide(self.connection, seq, key, answer(key, "human:ada"), self.plan, AT)

    def lost(self) -> list[int]:
        return items.orphans(self.connection)


NUMBERS = st.integers(0, 11)
STEPS = st.lists(st.tuples(st.sampled_from(["claim", "complete", "complete", "decide"]), NUMBERS), max_size=30)


@given(STEPS)
def test_every_plan_sees_all_that_was_said_and_no_item_is_left_without_a_ticket(steps: list[tuple[str, int]]) -> None:
    campaign = Campaign()
    for name, number in steps:
        getattr(campaign, name)(number)
        assert campaign.lost() == []
    campaign.connection.close()


def test_a_ticket_completed_after_others_is_planned_with_their_answers_before_its_own() -> None:
    campaign = Campaign()
    campaign.claim(4)
    for place in (2, 0, 3, 1):
        campaign.complete(place)
    said = in_table(campaign.connection, 1)
    assert [one.about for one in said] == ["c", "a", "d", "b"]
    assert items.get(campaign.connection, 1).state == "discarded"
    assert campaign.plans == len(ITEMS) + 4
    campaign.connection.close()


def test_a_ticket_completed_twice_says_nothing_twice() -> None:
    campaign = Campaign()
    campaign.claim(1)
    campaign.complete(0)
    campaign.complete(0)
    assert in_table(campaign.connection, 1) == [answer("a", "model#1")]
    campaign.connection.close()


def test_a_ticket_that_is_done_stays_so_though_its_thing_is_owed_again() -> None:
    campaign = Campaign()
    campaign.claim(1)
    campaign.complete(0)
    jobs.advance(campaign.connection, 1, lambda *_: [(key, "model") for key in KEYS])
    found = campaign.connection.execute("SELECT key, state FROM jobs WHERE item = 1 ORDER BY key").fetchall()
    assert found == [("a", "done"), ("b", "ready"), ("c", "ready"), ("d", "ready")]
    campaign.connection.close()


def test_answers_after_a_place_come_in_the_order_in_which_they_were_said() -> None:
    campaign = Campaign()
    for key in "dbca":
        items.say(campaign.connection, 1, answer(key, "model#1"), AT)
    assert [said.about for said in items.answers(campaign.connection, 1)] == list("dbca")
    assert [said.about for said in items.answers(campaign.connection, 1, 2)] == list("ca")
    campaign.connection.close()
