"""A campaign that waits for people."""

import sqlite3
from collections.abc import AsyncIterator, Iterator

import pytest
from tests.review.campaign import Desk, waiting


@pytest.fixture(scope="session")
def image() -> Iterator[sqlite3.Connection]:
    """Room for the campaign as the first test has run it."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    yield connection
    connection.close()


@pytest.fixture
async def desk(image: sqlite3.Connection) -> AsyncIterator[Desk]:
    async with waiting(image) as one:
        yield one
