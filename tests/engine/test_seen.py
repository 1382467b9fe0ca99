"""An item as its kind takes it, whether it has ended or not."""

from tests.rig import Rig, rig
from tests.scripted_recall import document, pipeline

from benchwright.domain.document import whole
from benchwright.domain.item import Seed
from benchwright.engine.seen import read_item
from benchwright.pipelines.kind import Seen
from benchwright.store import items
from benchwright.store.database import Connection


async def seen(here: Rig) -> list[tuple[items.Row, Seen, int]]:
    """Every item as it is stored and as its kind takes it, with how many answers are read of it."""

    def read(connection: Connection) -> list[tuple[items.Row, Seen, int]]:
        rows = items.pages(connection)
        pairs = ((row, read_item(connection, here.pipeline, row)) for row in rows)
        return [(row, item, len(item.read_answers())) for row, item in pairs]

    return await here.database.read(read)


async def test_a_kept_item_comes_with_the_body_that_was_stored_and_its_answers_when_they_are_asked_for() -> None:
    async with rig(pipeline()) as here:
        await here.run()
        await here.decide_all()
        kept = [found for found in await seen(here) if found[0].state == "kept"]

        assert kept
        for row, item, answers in kept:
            assert (item.id, item.seed, item.state, item.cause) == (row.id, row.seed, row.state, row.cause)
            assert item.body is not None
            assert here.pipeline.kind.write(item.body) == row.body
            assert answers > len(item.body.options)


async def test_an_item_in_the_making_comes_as_far_as_its_answers_tell() -> None:
    async with rig(pipeline(), reports=8) as here:
        await here.run()
        waiting = [(row, item) for row, item, _ in await seen(here) if row.state == "waiting"]

        assert waiting
        for row, item in waiting:
            assert row.body is None
            assert "human" in {one.fate for one in item.body.options}  # type: ignore[union-attr]


async def test_of_an_item_about_which_nothing_was_said_there_is_no_body() -> None:
    async with rig(pipeline()) as here:
        seed = Seed(0, 0, whole(document(0)))
        await here.database.write(lambda connection: items.add(connection, seed))
        ((_, item, answers),) = await seen(here)

        assert (item.seed, item.body, answers) == (seed, None, 0)
