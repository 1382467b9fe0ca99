"""Batches in the engine, on the real store and in virtual time: a stop leaves them, the next run collects them."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests import clock
from tests.llm.post import Post
from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.agents.choice.check_option import agent as check_option
from benchwright.domain.call import Reply, Usage
from benchwright.domain.campaign import Panel
from benchwright.domain.document import View
from benchwright.domain.item import Seed
from benchwright.engine import runner as module
from benchwright.engine.outcome import ALONE
from benchwright.engine.record import StoreRecord, StoreShelf
from benchwright.engine.runner import How, claims
from benchwright.engine.status import status
from benchwright.engine.worker import goes_with_batch
from benchwright.errors import Transient
from benchwright.llm.batch.api import Outcome
from benchwright.llm.batch.batch import BATCH_MOST, Batch
from benchwright.llm.ledger import Departure, Ledger
from benchwright.llm.replies.repair import Repair
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import calls
from benchwright.store.jobs import Ticket

PATIENCE = 0.01  # real seconds for the database's thread


@pytest.fixture(autouse=True)
def look_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hours pass in these tests."""
    monkeypatch.setattr(module, "LOOK", 15.0)


def voting_in_batches() -> Recall:
    """The recall pipeline whose checkers are asked by batches."""
    made = pipeline()
    roles = dict(made.campaign.roles) | {"check_option": Panel(("red", "green", "blue"), 2, batch=True)}
    return replace(made, campaign=replace(made.campaign, roles=roles))


def post(**parts: object) -> Post:
    """A provider that says in batches what the scripted model says."""
    made = Post(**parts)  # type: ignore[arg-type]
    made.says = lambda _, call: Reply(answer(made.asked[call]), usage=Usage(10, 5))
    return made


@asynccontextmanager
async def batching(one: Rig, provider: Post) -> AsyncIterator[Rig]:
    """The rig with batches between its ledger and its models."""
    models = one.pipeline.campaign.models
    record = StoreRecord(one.database, clock.now)
    llm = Batch(Departure(one.paid, record), StoreShelf(one.database, clock.now), models, lambda _: provider, clock.now)

    def leave() -> int:
        llm.leave()
        return 0

    one.tools = replace(one.tools, llm=Repair(Ledger(llm, record)), now=clock.now, leave=leave)
    yield one
    await llm.aclose()


def sent(provider: Post) -> list[str]:
    return [call for _, rows in provider.sent for call in rows]


def test_voters_are_asked_by_batches_and_the_items_are_those_of_any_other_run() -> None:
    async def main() -> None:
        async with rig(pipeline()) as one:
            await one.run()
            wanted, asked = await one.states(), len(one.paid.history)
        provider = post()
        async with rig(voting_in_batches()) as one, batching(one, provider):
            await one.run()
            assert await one.states() == wanted
            assert len(one.paid.history) + len(sent(provider)) == asked
            assert {request.step for request in provider.asked.values()} == {"check_option"}
            assert "check_option" not in {request.step for request in one.paid.history}
            assert (await one.database.read(status)).batches == ()

    clock.run(main, PATIENCE)


def test_a_model_of_a_batch_role_takes_enough_tickets_to_fill_one() -> None:
    async def main() -> None:
        async with rig(voting_in_batches()) as one:
            assert one.runner().widths == dict.fromkeys(("red", "green", "blue"), BATCH_MOST) | {"writer": claims(4)}

    clock.run(main, PATIENCE)


@pytest.mark.untraced
def test_a_stop_leaves_a_batch_at_its_provider_and_the_next_run_collects_it() -> None:
    async def main() -> None:
        provider = post(takes=2000.0)
        async with rig(voting_in_batches()) as one:
            async with batching(one, provider):
                runner = one.runner()
                running = asyncio.create_task(runner.run())
                while len(provider.looks) < 5:  # noqa: ASYNC110 - virtual time
                    await asyncio.sleep(1)
                runner.pause("stopped by a signal")
                began = clock.now()
                ended = await running
                assert clock.now() - began < 60
                out = len(sent(provider))
                said = f"stopped by a signal; requests in batches at their providers: {out}, the next run collects them"
                assert (ended.how, ended.reason) == (How.PAUSED, said)
                told = await one.database.read(status)
                assert sum(batch.total for batch in told.batches) == out
                assert told.uncertain == 0
                counts = "SELECT state, count(*) FROM jobs WHERE state = 'running' OR attempt > 0 AND state = 'ready'"
                assert await one.database.read(lambda c: c.execute(counts).fetchall()) == [(None, 0)]
            async with batching(one, provider):
                assert (await one.run()).how in {How.DONE, How.WAITING}
            assert set(Counter(sent(provider)).values()) == {1}
            assert await one.database.read(calls.uncertain) == 0

    clock.run(main, PATIENCE)


def test_a_row_that_failed_is_recorded_and_goes_with_the_next_batch() -> None:
    async def main() -> None:
        provider = post()
        good, failed = provider.says, list[str]()

        def says(number: int, call: str) -> Outcome | None:
            if failed:
                return good(number, call)
            failed.append(call)
            return Transient("boom")

        provider.says = says
        async with rig(voting_in_batches(), reports=1) as one, batching(one, provider):
            assert (await one.run()).how in {How.DONE, How.WAITING}
            assert [call for call, times in Counter(sent(provider)).items() if times > 1] == failed

    clock.run(main, PATIENCE)


def test_batches_that_never_arrive_are_lost_and_their_rows_asked_alone_in_the_end() -> None:
    async def main() -> None:
        provider = post(troubles={"submit": [Transient("the connection failed")] * 1000})
        async with rig(voting_in_batches(), reports=1) as one, batching(one, provider):
            assert (await one.run()).how in {How.DONE, How.WAITING}
            assert "check_option" in {request.step for request in one.paid.history}
            sql = "SELECT DISTINCT state FROM batches"
            assert await one.database.read(lambda c: c.execute(sql).fetchall()) == [("lost",)]

    clock.run(main, PATIENCE)


@pytest.mark.parametrize(("attempt", "together"), [(1, True), (ALONE, True), (ALONE + 1, False)])
def test_what_failed_several_times_in_a_batch_is_asked_alone(attempt: int, together: bool) -> None:
    ticket = Ticket(1, 1, "", "red", attempt, 0.0, "", "", Seed(0, 0, View("d", ()), "{}"))
    assert goes_with_batch(voting_in_batches().campaign, ticket, Due(check_option, None, "red")) is together
    assert not goes_with_batch(pipeline().campaign, ticket, Due(check_option, None, "red"))
