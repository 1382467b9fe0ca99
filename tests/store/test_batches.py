"""Batches: what may be at a provider is found again; what came of it is in the ledger, whoever waits for it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial

import pytest

from benchwright.domain.batch import Gone, OpenBatch
from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.store import batches, calls
from benchwright.store.database import Connection, Database

MODEL = Model("judge", "direct", "judge-1", "http://127.0.0.1:9/v1")
REQUESTS = [Request(MODEL, (Message("user", (f"question {n}",)),), {}, step="check_option") for n in range(3)]
ROWS = {request.id: request for request in REQUESTS}
BATCH = OpenBatch("ours", "judge", 100.0, 200.0, {request.id: "judge" for request in REQUESTS})


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    async with await Database.open(None) as opened:
        await opened.write(partial(batches.prepare, batch=BATCH, rows=ROWS, now="now"))
        yield opened


def states(connection: Connection) -> Sequence[tuple[str, str]]:
    return connection.execute("SELECT state, reason FROM batches ORDER BY at").fetchall()


async def test_a_batch_that_was_prepared_is_found_with_its_calls_and_their_models(database: Database) -> None:
    assert await database.read(batches.open_batches) == [BATCH]
    assert await database.read(batches.batch_progress) == (Gone("ours", "judge", False, 0, 3, 100.0),)


async def test_a_submitted_batch_is_found_under_its_providers_name(database: Database) -> None:
    held = replace(BATCH, remote="batch_1", expires=300.0)
    await database.write(partial(batches.submit, batch=held))
    await database.write(partial(batches.progress, name="ours", done=2))
    assert await database.read(batches.open_batches) == [held]
    assert await database.read(batches.batch_progress) == (Gone("ours", "judge", True, 2, 3, 100.0),)


async def test_what_a_collected_batch_brought_is_in_the_ledger(database: Database) -> None:
    await database.write(partial(batches.submit, batch=replace(BATCH, remote="batch_1")))
    reply = Reply("{}", usage=Usage(10, 2), cost=0.5, call=REQUESTS[0].id)
    outcomes: dict[str, Reply | str] = {REQUESTS[0].id: reply, REQUESTS[1].id: "Transient: it expired"}
    await database.write(partial(batches.collect, name="ours", outcomes=outcomes))
    assert await database.read(partial(calls.find, call=REQUESTS[0].id)) == reply
    found = await database.read(partial(calls.get, call=REQUESTS[1].id))
    assert found
    assert (found["state"], found["error"]) == ("failed", "Transient: it expired")
    assert await database.read(batches.open_batches) == []
    assert await database.read(states) == [("collected", "")]
    assert [spent.calls for spent in await database.read(calls.spending_by_model)] == [1]


async def test_a_lost_batch_says_why_and_its_calls_may_go_with_another(database: Database) -> None:
    await database.write(partial(batches.lose, name="ours", reason="it never arrived"))
    assert await database.read(batches.open_batches) == []
    found = await database.read(partial(calls.get, call=REQUESTS[0].id))
    assert found
    assert (found["state"], found["error"]) == ("failed", "it never arrived")
    second = replace(BATCH, name="second", at=101.0)
    await database.write(partial(batches.prepare, batch=second, rows=ROWS, now="later"))
    assert await database.read(batches.open_batches) == [second]
    assert await database.read(states) == [("lost", "it never arrived"), ("preparing", "")]


async def test_a_batch_that_is_over_stays_so(database: Database) -> None:
    await database.write(partial(batches.lose, name="ours", reason="no"))
    await database.write(partial(batches.submit, batch=replace(BATCH, remote="late")))
    await database.write(partial(batches.collect, name="ours", outcomes={}))
    assert await database.read(states) == [("lost", "no")]
