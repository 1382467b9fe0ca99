"""What the desk keeps over a restart: its key, links that work once, sessions that end, drafts."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from benchwright.store import doors, migrate
from benchwright.store.doors import Link


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as made:
        migrate.up(made)
        yield made


def test_the_key_of_a_desk_stays_and_its_address_is_the_last(connection: sqlite3.Connection) -> None:
    assert doors.desk(connection) is None
    doors.set_up(connection, "first", "http://127.0.0.1:1")
    doors.set_up(connection, "second", "http://127.0.0.1:2")
    assert doors.desk(connection) == ("first", "http://127.0.0.1:2")


def test_a_link_lets_in_once_and_is_then_that_persons(connection: sqlite3.Connection) -> None:
    doors.make_link(connection, "d", "")
    assert doors.link(connection, "d") == Link("", used=False)
    assert doors.use_link(connection, "d", "Ada")
    assert not doors.use_link(connection, "d", "Eve")
    assert doors.link(connection, "d") == Link("Ada", used=True)
    assert doors.link(connection, "none") is None


def test_a_session_ends_when_its_person_leaves_or_its_time_is_over(connection: sqlite3.Connection) -> None:
    for digest, who, until in (("a", "human:Ada", 10.0), ("b", "human:Bob", 20.0), ("c", "human:Bob", 30.0)):
        doors.begin(connection, digest, who, until)
    assert [doors.session(connection, digest, 9.0) for digest in ("a", "b", "none")] == ["human:Ada", "human:Bob", ""]
    assert doors.session(connection, "a", 10.0) == ""
    doors.forget(connection, 10.0)
    assert doors.people(connection) == ["human:Bob"]
    doors.leave(connection, "b")
    doors.leave(connection, "c")
    assert doors.people(connection) == []


def test_a_draft_is_the_last_that_was_typed_and_nothing_typed_is_none(connection: sqlite3.Connection) -> None:
    for reason in ("half", "half a sentence"):
        doors.draft(connection, "human:ada", "i/o", {"reason": reason, "text": ""})
    doors.draft(connection, "human:bob", "i/o", {"reason": "another"})
    assert doors.drafted(connection, "human:ada", "i/o") == {"reason": "half a sentence", "text": ""}
    doors.draft(connection, "human:ada", "i/o", {"reason": " "})
    assert doors.drafted(connection, "human:ada", "i/o") == {}
    doors.drop(connection, "human:bob", "i/o")
    assert doors.drafted(connection, "human:bob", "i/o") == {}
