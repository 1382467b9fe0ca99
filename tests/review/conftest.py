"""A campaign that waits for people."""

from collections.abc import AsyncIterator

import pytest
from tests.review.campaign import Desk, begun

from benchwright.store.database import Database


@pytest.fixture(scope="session")
def image() -> dict[str, bytes]:
    """Room for the campaign as the first test has run it."""
    return {}


@pytest.fixture
async def desk(image: dict[str, bytes]) -> AsyncIterator[Desk]:
    async with await Database.open(None) as database:
        if not image:
            await (await begun(database)).run()
            image["begun"] = await database.read(lambda c: c.serialize())
        await database.read(lambda c: c.deserialize(image["begun"]))
        yield Desk.of(database)
