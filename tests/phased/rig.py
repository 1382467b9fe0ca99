"""A campaign of pairs on the real store: records from a file, a scripted model, people who decide by chance."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tests.phased.pipeline import Pairs, answer

from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.call import Request
from benchwright.domain.ids import canonical, seeded_random
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.intake import take_in
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.record import StoreRecord
from benchwright.engine.runner import Ended, How, Runner
from benchwright.engine.worker import Tools
from benchwright.llm.ledger import Ledger
from benchwright.llm.providers.scripted import Scripted
from benchwright.store import campaigns, items, jobs
from benchwright.store.database import Connection, Database

Script = Callable[[Request], str | Exception]


@dataclass
class Rig:
    """A campaign with its tools; `lines` is what the run has said."""

    pipeline: Pairs
    tools: Tools
    paid: Scripted
    lines: list[str]

    @property
    def database(self) -> Database:
        return self.tools.database

    async def run(self, slots: float | None = None) -> Ended:
        """One run, begun as the application begins one."""
        tools = self.tools if slots is None else replace(self.tools, slots=slots)
        await self.database.write(partial(jobs.rescue, plan=planner(self.pipeline)))
        return await Runner(tools, say=self.lines.append).run()

    async def to_the_end(self) -> Ended:
        """Run, decide, run ... until nothing waits."""
        while (ended := await self.run()).how is How.WAITING:
            assert await self.decide_all()
        return ended

    async def decide_all(self, most: int = 10**6) -> int:
        """People decide what waits for them, each query by its item alone."""

        def decide(connection: Connection) -> int:
            waiting = jobs.in_queue(connection, HUMAN)[:most]
            for seq, key in waiting:
                word = seeded_random(items.get(connection, seq).id).choice(["keep", "keep", "reject"])
                said = Answer("pass_query", "", "human:ada", canonical({"decision": word}))
                jobs.decide(connection, seq, key, said, planner(self.pipeline), "later")
            return len(waiting)

        return await self.database.write(decide)

    async def ends(self) -> list[tuple[str, str, str]]:
        """The set: every item in order, by its phase, how it ended and with which body."""
        rows = await self.database.read(lambda connection: list(items.pages(connection)))
        return [(row.id, row.seed.phase, canonical([row.state, row.cause, row.body])) for row in rows]


def write_records(folder: Path, count: int) -> None:
    """A file of so many records."""
    lines = (
        canonical({"title": f"report {n}", "text": f"In week {n} there were {n * 7} cases."}) for n in range(count)
    )
    (folder / "records.jsonl").write_text("\n".join(lines) + "\n")


@asynccontextmanager
async def phased(
    pipeline: Pairs, folder: Path, script: Script = answer, *, path: Path | None = None
) -> AsyncIterator[Rig]:
    """A campaign that has begun, its corpus in `folder` taken in."""
    async with await Database.open(path, create=True) as database:
        if await database.read(campaigns.find) is None:
            recipe = pipeline.campaign.recipe()
            await database.write(lambda connection: campaigns.begin(connection, "test", "", recipe, "now", "0"))
        lines: list[str] = []
        await take_in(database, pipeline.campaign, pipeline, folder, lines.append)
        paid = Scripted(script)
        llm = Ledger(paid, StoreRecord(database))
        duplicates = Duplicates("", planner(pipeline))
        tools = Tools(pipeline.campaign, pipeline, database, llm, Readings(database), duplicates)
        yield Rig(pipeline, tools, paid, lines)
