"""What is kept in mind of items changes no item: with it, without it, cut anywhere, while people and others write."""

import asyncio
import os
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.answer import Answer
from benchwright.domain.call import Request
from benchwright.domain.campaign import Quota
from benchwright.domain.ids import canonical, seeded_random
from benchwright.domain.vote import Rule
from benchwright.engine import runner as module
from benchwright.engine.plans import Plans, planner
from benchwright.engine.runner import How
from benchwright.errors import BadKey, NotFound
from benchwright.pipelines.base import Due, Pipeline
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import items, jobs
from benchwright.store.database import Connection, Database
from benchwright.store.jobs import Ticket

SEEDS = range(int(os.environ.get("MEMORY_RUNS", "2")))  # of each form
REPORTS = 4


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.002)


class Forgetful(Plans):
    """Forgets all before each operation."""

    async def due(self, database: Database, ticket: Ticket) -> Due | None:
        self.forget()
        return await super().due(database, ticket)

    def complete(self, connection: Connection, ticket: Ticket, answer: Answer, now: str) -> bool:
        self.forget()
        return super().complete(connection, ticket, answer, now)

    def advance(self, connection: Connection, seq: int) -> None:
        self.forget()
        super().advance(connection, seq)


def plans_of(how: str, made: Pipeline) -> Plans:
    """What keeps items in mind: as usual, nothing, or very few."""
    return {"usual": Plans(made), "nothing": Forgetful(made), "few": Plans(made, 2)}[how]


def recall() -> Recall:
    """A campaign in which people decide much, and slots are tried twice."""
    return pipeline(quota=Quota(target=6, tries=2), rule=Rule(Fraction(1), Fraction(1, 4), 2), no_correct="discard")


@dataclass
class Others:
    """Processes beside the run: people who answer, and operations that fail among those that are good."""

    chance: Random
    cut: int
    here: Rig | None = None
    calls: int = 0
    writes: "list[asyncio.Future[Any]]" = field(default_factory=list)

    def __call__(self, request: Request) -> str | Exception:
        assert self.here
        self.calls += 1
        if self.calls == self.cut:
            return BadKey("gone")
        if self.chance.random() < 0.3:
            self.write(self.decide)
        if self.chance.random() < 0.2:
            self.write(self.fail)
        return answer(request)

    def write(self, operation: Any) -> None:
        assert self.here
        self.writes.append(asyncio.ensure_future(self.here.database.write(operation)))

    def fail(self, connection: sqlite3.Connection) -> None:
        """A good operation's beginning, then an error."""
        connection.execute("UPDATE items SET detail = 'half done'")
        raise NotFound

    def decide(self, connection: sqlite3.Connection) -> None:
        """A person decides one or two things, from another process: two of one item share a commit."""
        assert self.here
        for seq, key in jobs.in_queue(connection, "human")[: self.chance.randrange(1, 3)]:
            decide_as_ada(connection, self.here, seq, key)


def decide_as_ada(connection: sqlite3.Connection, here: Rig, seq: int, key: str) -> None:
    """What `Rig.decide_all` says."""
    step, about = key.split("/")[:2]
    del step
    said = canonical({"decision": seeded_random(about).choice(["keep", "reject"]), "reason": ""})
    decision = Answer("review_option", about, "human:ada", said)
    jobs.decide(connection, seq, key, decision, planner(here.pipeline), "later")


async def finished(here: Rig, how: str) -> dict[str, str]:
    """Every item once all is done; each run has a memory of its own, as each process has."""
    while True:
        plans = plans_of(how, here.pipeline)
        object.__setattr__(here.tools, "plans", plans)
        here.database.undone[:] = [plans.forget]
        with suppress(BadKey):
            if (await here.run()).how is not How.WAITING:
                return await here.states()
            await here.decide_all()


@pytest.mark.untraced
@pytest.mark.parametrize("how", ["usual", "nothing", "few"])
@pytest.mark.parametrize("seed", SEEDS)
async def test_a_run_makes_the_same_items_whatever_it_keeps_in_mind(how: str, seed: int) -> None:
    async with rig(recall(), reports=REPORTS) as here:
        whole = await finished(here, "nothing")
        calls = len(here.paid.history)
    chance = Random(f"{how}/{seed}")
    others = Others(chance, chance.randrange(1, calls))
    async with rig(recall(), others, reports=REPORTS) as others.here:
        found = await finished(others.here, how)
        await asyncio.gather(*others.writes, return_exceptions=True)
        assert found == whole
        assert await others.here.database.read(items.orphans) == []
