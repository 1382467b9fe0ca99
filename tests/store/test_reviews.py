"""Cards before people, what they passed over and how long they took: each comes back as it was noted."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from benchwright.domain.answer import Answer
from benchwright.domain.document import View
from benchwright.domain.item import Seed
from benchwright.store import items, reviews
from benchwright.store.database import Database
from benchwright.store.reviews import Lease, Word


@pytest.fixture(name="database")
async def _database() -> AsyncIterator[Database]:
    """Two items."""
    async with await Database.open(None) as database:
        for slot in range(2):
            await database.write(partial(items.add, seed=Seed(slot, 0, View("d", (0,)), "{}")))
        yield database


async def test_before_each_person_lies_the_card_that_was_last_laid_until_it_is_taken_away(database: Database) -> None:
    first, second = Lease("ada", (1, "x"), 10.0, 20.0), Lease("ada", (2, "y"), 15.0, 25.0)
    other = Lease("bob", (1, "y"), 12.0, 22.0)
    for lease in (first, other, second):
        await database.write(partial(reviews.lay, lease=lease))
    assert sorted(await database.read(reviews.last_cards), key=lambda lease: lease.who) == [second, other]
    await database.write(partial(reviews.free, who="ada"))
    assert await database.read(reviews.last_cards) == [other]


async def test_what_somebody_passed_over_is_noted_once_and_for_that_person_alone(database: Database) -> None:
    for place in ((1, "x"), (2, "x"), (1, "x")):
        await database.write(partial(reviews.skip, who="ada", place=place))
    assert await database.read(partial(reviews.skipped_cards, who="ada")) == {(1, "x"), (2, "x")}
    assert await database.read(partial(reviews.skipped_cards, who="bob")) == set()


async def test_the_time_that_an_answer_took_is_that_of_the_first_note(database: Database) -> None:
    for seconds in (7.5, 99.0):
        await database.write(partial(reviews.took, place=(1, "x"), who="human:ada", seconds=seconds))
    assert await database.read(reviews.times) == {(1, "x", "human:ada"): 7.5}


async def test_words_of_a_step_come_in_their_order_with_their_time(database: Database) -> None:
    said = [(2, Answer("s", "y", "bob", "{}")), (1, Answer("other", "", "m", "{}")), (1, Answer("s", "x", "ada", "{}"))]
    for hour, (seq, answer) in enumerate(said):
        await database.write(partial(items.say, seq=seq, answer=answer, now=f"{hour}:00"))
    assert await database.read(lambda connection: list(reviews.words(connection, "s"))) == [
        Word((2, "y"), said[0][1], "0:00"),
        Word((1, "x"), said[2][1], "2:00"),
    ]


async def test_an_item_is_followed_once_the_next_try_of_its_place_has_begun(database: Database) -> None:
    await database.write(partial(items.add, seed=Seed(1, 1, View("d", (0,)), "{}")))
    assert [await database.read(partial(reviews.has_successor, item=seq)) for seq in (1, 2, 3)] == [False, True, False]
