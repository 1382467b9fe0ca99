"""People decide while a campaign runs: their decisions take effect at once, and nobody waits for anybody."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.review.campaign import NOW, Desk, begun
from tests.scripted_recall import answer

from benchwright.domain.call import Reply, Request
from benchwright.domain.opinion import Opinion
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.readings import Readings
from benchwright.engine.runner import Ended, How, Runner
from benchwright.engine.worker import Tools
from benchwright.llm.gateway import Llm
from benchwright.llm.providers.scripted import Scripted
from benchwright.llm.replies.repair import Repair
from benchwright.review import desk as cards
from benchwright.store.database import Database


@dataclass
class Held:
    """A model that keeps all requests about the last report until it is let go."""

    inner: Llm
    go: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[str] = field(default_factory=list)

    async def ask(self, request: Request) -> Reply:
        if "Report 3" in request.messages[1].content:
            await self.go.wait()
        self.asked.append(request.step)
        return await self.inner.ask(request)


async def run(desk: Desk, model: Llm) -> Ended:
    duplicates = Duplicates(desk.pipeline.question_step, desk.plan)
    tools = Tools(desk.pipeline.campaign, desk.pipeline, desk.database, model, Readings(desk.database), duplicates)
    return await Runner(tools).run()


async def decide_all(desk: Desk, decision: str) -> int:
    """Decide all that waits, over a connection of one's own, as the desk does."""
    count = 0
    terms = desk.terms
    while card := await desk.database.write(partial(cards.next_card, desk=terms, person="human:ada", now=1.0)):
        said = Opinion("human:ada", {"decision": decision})
        name = card.case.name
        await desk.database.write(partial(cards.decide, desk=terms, name=name, said=said, now=1.0, at=NOW))
        count += 1
    return count


async def until(check: Callable[[], Awaitable[bool]]) -> None:
    """Look again and again until it is so; the test's time limit ends what never is."""
    while not await check():  # noqa: ASYNC110 - what is waited for happens in a database
        await asyncio.sleep(0.02)


@asynccontextmanager
async def under_way(path: Path) -> AsyncIterator[tuple[Desk, Held, "asyncio.Task[Ended]"]]:
    """A campaign that runs, one report of which waits for its model, and people who have a database of their own."""
    async with await Database.open(path, create=True) as first, await Database.open(path) as second:
        desk, people, model = await begun(first), Desk.of(second), Held(Repair(Scripted(answer)))
        running = asyncio.create_task(run(desk, model))

        async def wait() -> bool:
            return "waiting" in (await people.states()).values()

        await until(wait)
        yield people, model, running
        model.go.set()
        await running


async def test_what_people_keep_ends_items_while_the_campaign_runs(tmp_path: Path) -> None:
    async with under_way(tmp_path / "campaign.db") as (people, _, running):
        waiting = [item for item, state in (await people.states()).items() if state == "waiting"]

        async def kept() -> bool:
            await decide_all(people, "keep")
            states = await people.states()
            return any(states[item] == "kept" for item in waiting)

        await until(kept)
        assert not running.done()


async def test_what_people_reject_is_written_anew_while_the_campaign_runs(tmp_path: Path) -> None:
    async with under_way(tmp_path / "campaign.db") as (people, model, running):
        before = model.asked.count("design_distractors")

        async def again() -> bool:
            await decide_all(people, "reject")
            return model.asked.count("design_distractors") > before + 3

        await until(again)
        assert not running.done()


async def test_a_campaign_that_waits_for_people_alone_ends_so_and_goes_on_later(desk: Desk) -> None:
    ended = await desk.run()
    waiting = len(await desk.cards())
    assert (ended.how, ended.reason) == (How.WAITING, f"people owe {waiting} decisions")
    while (ended := await desk.run()).how is How.WAITING:
        assert await decide_all(desk, "keep")
    assert ended.how is How.DONE
