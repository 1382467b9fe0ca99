"""Tickets brought in line with what is owed, and answers in the order in which they were said."""

import sqlite3
from collections.abc import Iterator

import pytest

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.item import Seed
from benchwright.store import items, jobs, migrate

AT = "2026-01-01T00:00:00+00:00"
KEYS = [(key, "model") for key in "abcd"]


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """One item that owes four answers."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrate.up(connection)
    items.add(connection, Seed(0, 0, View("d", (0,)), "{}"))
    jobs.advance(connection, 1, lambda *_: KEYS)
    yield connection
    connection.close()


def states(connection: sqlite3.Connection) -> dict[str, str]:
    return dict(connection.execute("SELECT key, state FROM jobs ORDER BY key").fetchall())


def say(connection: sqlite3.Connection, about: str) -> Answer:
    answer = Answer("check_option", about, "model#1", "{}")
    assert items.say(connection, 1, answer, AT)
    return answer


def test_a_ticket_is_closed_together_with_its_answer_and_only_once(connection: sqlite3.Connection) -> None:
    [ticket] = jobs.claim(connection, "model", 1, 0.0, 1.0)
    answer = Answer("check_option", ticket.key, "model#1", "{}")
    assert jobs.close(connection, ticket, answer, AT) == (1, True)
    assert jobs.close(connection, ticket, answer, AT) == (0, False)
    assert items.answers(connection, 1) == (answer,)


def test_items_can_be_served_by_turns(connection: sqlite3.Connection) -> None:
    for slot in (1, 2):
        items.add(connection, Seed(slot, 0, View("d", (0,)), "{}"))
        jobs.advance(connection, slot + 1, lambda *_: KEYS)

    def claim(most: int, after: int) -> list[tuple[int, str]]:
        return [(ticket.seq, ticket.key) for ticket in jobs.claim(connection, "model", most, 0.0, 1.0, after)]

    assert claim(1, 0) == [(1, "a")]
    assert claim(5, 1) == [*((2, key) for key in "abcd"), (3, "a")]
    assert claim(5, 2) == [*((3, key) for key in "bcd"), (1, "b"), (1, "c")]
    assert claim(5, 3) == [(1, "d")]


def test_a_worker_that_outlived_its_claim_closes_nothing_but_its_answer_counts(connection: sqlite3.Connection) -> None:
    [ticket] = jobs.claim(connection, "model", 1, 0.0, 1.0)
    jobs.give_back(connection, ticket)
    assert jobs.close(connection, ticket, Answer("check_option", "a", "model#1", "{}"), AT) == (1, False)
    assert states(connection)["a"] == "ready"


def test_a_ticket_that_is_done_stays_so_though_its_thing_is_owed_again(connection: sqlite3.Connection) -> None:
    [ticket] = jobs.claim(connection, "model", 1, 0.0, 1.0)
    jobs.close(connection, ticket, Answer("check_option", ticket.key, "model#1", "{}"), AT)
    jobs.advance(connection, 1, lambda *_: KEYS)
    assert states(connection) == {"a": "done", "b": "ready", "c": "ready", "d": "ready"}


def test_answers_after_a_place_come_in_the_order_in_which_they_were_said(connection: sqlite3.Connection) -> None:
    answers = [say(connection, key) for key in "dbca"]
    assert items.answers(connection, 1) == tuple(answers)
    assert items.later(connection, 1, 2) == [(3, answers[2]), (4, answers[3])]
    assert items.count_later(connection, 1, 2) == 2
