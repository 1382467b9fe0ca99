"""The last two votes of 200 items at once: what follows is planned exactly once (QUEUE test 14)."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.rig import NOW, Rig, rig
from tests.scripted_recall import answer, campaign

from benchwright.agents.base import request
from benchwright.agents.choice.check_option import agent as check_option
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.engine.plans import Plans, planner
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import items, jobs
from benchwright.store.database import Connection
from benchwright.store.jobs import Planner, Ticket
from benchwright.store.sources import Corpus

ITEMS = 200
NOTES = (
    "CREATE TEMP TABLE notes (item INTEGER, key TEXT, state TEXT)",
    """CREATE TEMP TRIGGER born AFTER INSERT ON main.jobs
       BEGIN INSERT INTO notes VALUES (NEW.item, NEW.key, NEW.state); END""",
    """CREATE TEMP TRIGGER moved AFTER UPDATE OF state ON main.jobs WHEN NEW.state <> OLD.state
       BEGIN INSERT INTO notes VALUES (NEW.item, NEW.key, NEW.state); END""",
)


def recall() -> Recall:
    """Two checkers, one run: their votes are the last two of each item."""
    return Recall.of(campaign(panel=Panel(("red", "green")), quota=Quota()), Path())


def noting(connection: Connection) -> None:
    """From here on every state that a ticket takes is noted."""
    for statement in NOTES:
        connection.execute(statement)


def noted(connection: Connection) -> Counter[tuple[int, str, str]]:
    """How often each ticket took each state."""
    return Counter(connection.execute("SELECT item, key, state FROM notes").fetchall())


def begun(connection: Connection, pipeline: Recall, plan: Planner) -> None:
    """All items, with their first tickets."""
    outlines = Corpus(connection)
    for seed in pipeline.admit(outlines, items.progress(connection, 1, ITEMS)):
        seq = items.add(connection, seed)
        assert seq is not None
        jobs.advance(connection, seq, plan)


def claimed(connection: Connection) -> list[Ticket]:
    """Every ticket that a model owes."""
    return [ticket for name in ("writer", "red", "green") for ticket in jobs.claim(connection, name, 10_000, NOW, 60)]


async def said(one: Rig, ticket: Ticket) -> Answer:
    """What the scripted model answers to a ticket."""
    owed = await one.tools.plans.due(one.database, ticket)
    assert owed
    content, model = await one.tools.readings.get(ticket.seed.about), one.pipeline.campaign.models[owed.to]
    call = request(owed.agent, owed.ask, content, model, owed.run, one.pipeline.campaign.seed)
    return Answer(owed.agent.name, owed.about, owed.by, call.accept(answer(call)))


async def all_at_once(one: Rig, tickets: Sequence[Ticket]) -> None:
    """All answers arrive in the same moment, in any order."""
    complete = one.tools.plans.complete
    arriving = [partial(complete, ticket=ticket, answer=await said(one, ticket), now="now") for ticket in tickets]
    Random(14).shuffle(arriving)
    assert all(await asyncio.gather(*map(one.database.write, arriving)))


async def test_the_last_two_votes_of_200_items_at_once_plan_what_follows_exactly_once() -> None:
    async with rig(recall(), reports=ITEMS) as one:
        plan = planner(one.pipeline)
        await one.database.write(lambda connection: begun(connection, one.pipeline, plan))
        tickets = await one.database.write(claimed)
        while not all(ticket.key.startswith("check_option") for ticket in tickets):
            await all_at_once(one, tickets)
            tickets = await one.database.write(claimed)
        assert sorted(Counter(ticket.seq for ticket in tickets).values()) == [2] * ITEMS
        await one.database.write(noting)
        await all_at_once(one, tickets)
        notes = await one.database.read(noted)
        assert set(notes.values()) == {1}
        votes = {(ticket.seq, ticket.key, "done") for ticket in tickets}
        follow_ups = notes.keys() - votes
        assert votes < notes.keys()
        await one.database.read(lambda connection: owed_exactly(connection, plan, follow_ups))


def owed_exactly(connection: Connection, plan: Planner, follow_ups: set[tuple[int, str, str]]) -> None:
    """The tickets written are what a fresh look at each item's answers owes, untried."""
    expected, queues = set(), set()
    for seq in items.seqs(connection, unfinished=False):
        owed = plan(items.get(connection, seq).seed, items.answers(connection, seq))
        if not isinstance(owed, Ending):
            expected |= {(seq, key, "ready") for key, _ in owed}
            queues |= {queue for _, queue in owed}
    assert follow_ups == expected
    assert {HUMAN, "writer"} <= queues
    assert connection.execute("SELECT DISTINCT attempt FROM jobs WHERE state = 'ready'").fetchall() == [(0,)]


class Early:
    """Of five votes, three that agree settle the item, and what is still asked is called off."""

    def begin(self, _: Seed) -> int:
        return 0

    def fold(self, votes: int, _: Answer) -> int:
        return votes + 1

    def plan(self, votes: int) -> Sequence[Due] | Ending:
        if votes >= 3:
            return Ending(ItemState.DISCARDED, "settled")
        return [Due(check_option, None, "writer", run=run) for run in range(5)]


async def test_an_early_end_calls_off_the_rest_exactly_once() -> None:
    early: Any = Early()
    async with rig(recall(), reports=ITEMS) as one:
        await one.database.write(lambda connection: begun(connection, one.pipeline, planner(early)))
        await one.database.write(noting)
        tickets = await one.database.write(lambda connection: jobs.claim(connection, "writer", 10_000, NOW, 60))
        for ticket in tickets:
            if ticket.key.endswith("/4"):
                await one.database.write(partial(jobs.delay, job=ticket, until=NOW + 60, counted=True))
        complete = Plans(early).complete
        arriving = [
            partial(complete, ticket=ticket, answer=Answer("vote", "", ticket.key, "{}"), now="now")
            for ticket in tickets
            if not ticket.key.endswith("/4")
        ]
        Random(14).shuffle(arriving)
        await asyncio.gather(*map(one.database.write, arriving))
        notes = await one.database.read(noted)
        assert set(notes.values()) == {1}
        states = Counter(state for _, _, state in notes)
        assert states == {"running": 5 * ITEMS, "delayed": ITEMS, "moot": ITEMS, "done": 4 * ITEMS}
        moved = await one.database.read(items.causes)
        assert moved == [("discarded", "settled", ITEMS)]
