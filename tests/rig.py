"""A recall campaign on the real store in memory: a scripted model behind the real ledger and wrappers that judge it."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.scripted_recall import answer, document

from benchwright.agents.choice.review_option import agent as review_option
from benchwright.domain.answer import Answer
from benchwright.domain.call import Reply, Request
from benchwright.domain.document import whole
from benchwright.domain.ids import canonical, seeded_random
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.record import StoreRecord
from benchwright.engine.runner import Ended, Runner
from benchwright.engine.worker import Tools
from benchwright.llm.ledger import Departure, Ledger
from benchwright.llm.limits.circuit import Circuit
from benchwright.llm.providers.scripted import Scripted
from benchwright.llm.replies.disown import Disown
from benchwright.llm.replies.rejections import Rejections
from benchwright.llm.replies.repair import Repair
from benchwright.llm.replies.spoil import Spoil
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import campaigns, documents, items, jobs
from benchwright.store.database import Connection, Database

Script = Callable[[Request], str | Reply | Exception]
NOW = 1_800_000_000.0


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@dataclass
class Rig:
    """A campaign with its tools; `paid` is the model behind the ledger."""

    pipeline: Recall
    database: Database
    paid: Scripted
    tools: Tools
    clock: Clock

    def runner(self, *, suspects: bool = False) -> Runner:
        return Runner(self.tools, suspects)

    async def run(self) -> Ended:
        """One run, begun as the application begins one."""
        rescued = await self.rescue()
        return await self.runner(suspects=bool(rescued.suspects)).run()

    async def rescue(self) -> jobs.Rescued:
        """What a new process does first."""
        return await self.database.write(lambda connection: jobs.rescue(connection, planner(self.pipeline)))

    async def die(self, most: int, times: int, queue: str = "writer") -> jobs.Rescued:
        """So many processes die, one after the other, each with the oldest tickets of a queue asked."""

        def operation(connection: Connection) -> jobs.Rescued:
            for ticket in jobs.claim(connection, queue, most, 0, 1):
                jobs.depart(connection, ticket.id)
            return jobs.rescue(connection, planner(self.pipeline))

        for _ in range(times):
            rescued = await self.database.write(operation)
        return rescued

    async def states(self) -> dict[str, str]:
        """Every item by its id."""
        rows = await self.database.read(lambda connection: list(items.pages(connection)))
        return {row.id: canonical([row.state, row.cause, row.body]) for row in rows}

    async def decide_all(self, reviewer: str = "ada") -> int:
        """People decide all that waits for them, each option by its text alone."""
        plan = planner(self.pipeline)
        waiting = await self.database.read(lambda connection: jobs.in_queue(connection, "human"))
        for seq, key in waiting:
            about = key.split("/")[1]
            said = canonical({"decision": seeded_random(about).choice(["keep", "reject"]), "reason": ""})
            decision = Answer(review_option.name, about, f"human:{reviewer}", said)
            decide = partial(jobs.decide, seq=seq, key=key, answer=decision, plan=plan, now="later")
            await self.database.write(decide)
        return len(waiting)


@asynccontextmanager
async def rig(
    pipeline: Recall, script: Script = answer, *, reports: int = 3, path: Path | None = None
) -> AsyncIterator[Rig]:
    """A campaign that has begun, its documents taken in."""
    async with await Database.open(path, create=True) as database:
        begun = await database.read(campaigns.find)
        if begun is None:
            recipe = pipeline.campaign.recipe()
            await database.write(lambda connection: campaigns.begin(connection, "test", "", recipe, "now", "0"))
        for number in range(reports):
            report = document(number)
            await database.write(partial(documents.admit, document=report, view=whole(report)))
        clock, paid = Clock(), Scripted(script)
        duplicates = Duplicates(pipeline.question_step, planner(pipeline))
        await database.write(lambda connection: duplicates.load(connection, "now"))
        record = StoreRecord(database, clock)
        circuit = Circuit(Departure(paid, record), pipeline.campaign.models.values(), clock)
        llm = Spoil(Rejections(Disown(Repair(Ledger(circuit, record)), record)))
        tools = Tools(pipeline.campaign, pipeline, database, llm, Readings(database), duplicates, clock, clock)
        yield Rig(pipeline, database, paid, tools, clock)
