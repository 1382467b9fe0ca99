"""A campaign that waits for people."""

import sqlite3
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.review.campaign import Desk, begun

from benchwright.store.database import Database


@pytest.fixture(scope="session")
def image() -> Iterator[sqlite3.Connection]:
    """Room for the campaign as the first test has run it.

    It is copied into each test's database page by page: to deserialize into an open database would pull the schema
    from under its prepared statements, and SQLite crashes.
    """
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    yield connection
    connection.close()


@pytest.fixture
async def desk(image: sqlite3.Connection) -> AsyncIterator[Desk]:
    async with await Database.open(None) as database:
        if not image.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            await (await begun(database)).run()
            await database.read(lambda connection: connection.backup(image))
        else:
            await database.read(image.backup)
        yield Desk.of(database)
