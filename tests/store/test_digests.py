"""What another program changes in a database whose pages stay sound is found out before it is exported."""

from functools import partial

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import pipeline

from benchwright.engine.runner import How
from benchwright.errors import StoreFailed
from benchwright.store.database import Connection
from benchwright.store.digests import demand_unchanged

CHANGES = {
    "document": "UPDATE documents SET body = replace(body, 'report', 'rapport') WHERE place = 0",
    "title": "UPDATE documents SET titles = '[]' WHERE place = 0",
    "item": "UPDATE items SET body = replace(body, 'a', 'b') WHERE state = 'kept' AND slot = 0",
    "answer": "UPDATE answers SET body = replace(body, 'a', 'b')",
    "author": "UPDATE answers SET who = who || '1' WHERE who LIKE 'human:%'",
}


async def end(one: Rig) -> None:
    while (await one.run()).how is How.WAITING:
        await one.decide_all()


def meddle(connection: Connection, sql: str) -> None:
    for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    connection.execute(sql)


@pytest.mark.parametrize("change", CHANGES)
async def test_what_was_changed_is_named_and_not_exported(change: str) -> None:
    async with rig(pipeline(), reports=8) as one:
        await end(one)
        await one.database.read(demand_unchanged)
        await one.database.write(partial(meddle, sql=CHANGES[change]))
        with pytest.raises(StoreFailed, match=r"changed by another program: (document|item|an answer about item) "):
            await one.database.read(demand_unchanged)


async def test_rows_of_earlier_versions_pass() -> None:
    async with rig(pipeline()) as one:
        await end(one)
        sql = "UPDATE items SET digest = NULL, body = replace(body, 'a', 'b')"
        await one.database.write(partial(meddle, sql=sql))
        await one.database.read(demand_unchanged)
