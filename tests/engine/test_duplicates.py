"""Near-duplicate questions across items: which of them falls, and what is no question."""

import json
from collections.abc import Callable

from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Request
from benchwright.engine.duplicates import STEP
from benchwright.store import items


def asking(text: str) -> Callable[[Request], str]:
    """The usual models, but whose writer always gives this question; of an empty one it cites nothing."""
    said = {"rationale": "because", "evidence": [1, 2] if text else [], "question": text}
    return lambda request: json.dumps(said) if request.step == "write_question" else answer(request)


async def marked(here: Rig) -> list[tuple[int, int]]:
    """The tries, (attempt, slot), that were marked as near-duplicates."""
    found = await here.database.read(lambda connection: list(items.answers_of_step(connection, STEP)))
    return sorted({order for _, _, order, _ in found})


async def causes(here: Rig) -> set[str]:
    rows = await here.database.read(lambda connection: list(items.pages(connection)))
    return {row.cause for row in rows}


async def test_of_items_with_one_question_all_but_the_first_try_fall() -> None:
    async with rig(pipeline(), asking("Which well of Ulvey was it?")) as here:
        await here.run()
        tries = await marked(here)

        assert tries
        assert (0, 0) not in tries


async def test_items_without_a_question_are_no_near_duplicates_of_each_other() -> None:
    async with rig(pipeline(), asking("")) as here:
        await here.run()

        assert len(await here.states()) > 1
        assert await marked(here) == []
        assert STEP not in await causes(here)
