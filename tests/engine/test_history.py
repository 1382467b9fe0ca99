"""The whole history of an item, as `explain` shows it."""

from dataclasses import replace

import pytest
from tests.rig import rig
from tests.scripted_recall import pipeline

from benchwright.domain.answer import Answer
from benchwright.domain.document import Document, Reading, View
from benchwright.domain.item import ItemState, Seed
from benchwright.domain.source import RecordRef
from benchwright.engine.history import History, Said, history, seed_json
from benchwright.engine.worker import find_call
from benchwright.errors import NotFound
from benchwright.pipelines.base import Due
from benchwright.pipelines.lookups import SEARCH, EntityAsk, look_up
from benchwright.store import items
from benchwright.store.database import Connection
from benchwright.store.jobs import Ticket


async def test_a_history_holds_the_document_and_each_answer_with_the_call_that_paid_for_it() -> None:
    async with rig(pipeline()) as one:
        await one.run()

        def operation(connection: Connection) -> None:
            row = next(items.pages(connection))
            found = history(connection, row.id[:12])
            assert (found.item, found.document.name) == (row, "report-0.md")
            assert "Sentence 0 of report 0" in found.reading.text
            assert [said.answer for said in found.said] == list(items.answers(connection, row.seq))
            assert found.cost == 0.0  # the scripted models cost nothing
            told = found.json()
            assert told["item"]["seed"]["view"]["masked"] == ()
            assert (told["document"]["name"], told["cost"]) == ("report-0.md", 0.0)
            assert [one["step"] for one in told["said"]] == [said.answer.step for said in found.said]
            assert all(one["call"]["reply"] for one in told["said"] if one["call"])
            with pytest.raises(NotFound):
                history(connection, "ffffffffffff")

        await one.database.read(operation)


def test_a_call_without_a_known_price_makes_the_cost_unknown() -> None:
    row = items.Row(1, "i", Seed(0, 0, ()), ItemState.OPEN, "", "", None)
    calls = [Said(Answer("step", "", "red#1", "{}"), {"cost": cost}) for cost in (0.5, None)]
    document = Document("", "", "", "", ())
    reading = Reading(View("", ()), "", (), "")
    assert History(row, document, reading, tuple(calls[:1])).cost == 0.5
    assert History(row, document, reading, tuple(calls)).cost is None


async def test_the_history_of_an_item_that_nobody_was_paid_for_costs_nothing() -> None:
    async with rig(pipeline()) as one:

        def operation(connection: Connection) -> None:
            items.add(connection, Seed(0, 0, ()))
            found = history(connection, next(items.pages(connection)).id)
            assert (found.cost, found.said, found.json()["cost"]) == (0, (), 0)

        await one.database.write(operation)


def test_a_seed_about_no_document_has_no_view() -> None:
    assert "view" not in seed_json(Seed(0, 0, RecordRef("r")))


async def test_what_code_answers_hangs_on_no_call() -> None:
    async with rig(pipeline()) as one:
        tools = replace(one.tools, services={SEARCH: silent})
        ticket = Ticket(1, 1, "", SEARCH, 1, 0, "", "", Seed(0, 0, RecordRef("r")))
        assert await find_call(tools, ticket, Due(look_up, EntityAsk("quelm", 3), SEARCH)) is None


async def silent(_: object, __: Seed) -> dict[str, object]:
    return {}
