"""Readings, signals, duplicates, status: the engine's smaller parts."""

import asyncio
import json
import os
import signal
from dataclasses import replace

import pytest
from tests.rig import rig
from tests.scripted_recall import answer, document, pipeline

from benchwright.domain.call import Request
from benchwright.domain.document import View
from benchwright.domain.source import Passage, as_reading
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.plans import planner
from benchwright.engine.readings import EACH, Readings
from benchwright.engine.runner import How, Runner
from benchwright.engine.signals import stopped_by_signals
from benchwright.engine.status import status
from benchwright.errors import BenchwrightError, OverBudget
from benchwright.store import campaigns, items
from benchwright.store.database import Connection


async def test_the_latest_readings_are_kept_as_far_as_they_fit_and_the_oldest_forgotten() -> None:
    async with rig(pipeline()) as one:
        views = [View(document(n).id, (0,)) for n in range(3)]
        size = max([len(as_reading(await Readings(one.database).get(view)).text) for view in views]) + EACH
        readings = Readings(one.database, 2 * size)
        first = [await readings.get(view) for view in views]
        assert "Sentence 0 of report 0" in as_reading(first[0]).text
        assert await readings.get(views[2]) is first[2]
        assert await readings.get(views[0]) is not first[0]
        assert await readings.get(views[0]) == first[0]


async def test_a_reading_larger_than_the_room_is_kept_alone_and_read_once_for_several_who_ask() -> None:
    async with rig(pipeline()) as one:
        readings, view = Readings(one.database, 1), View(document(0).id, (0,))
        found = await asyncio.gather(readings.get(view), readings.get(view))
        assert found[0] == found[1]
        assert await readings.get(view) in found


async def test_passages_of_one_document_are_read_from_the_one_reading_that_is_kept() -> None:
    async with rig(pipeline()) as one:
        readings, view = Readings(one.database), View(document(0).id, (0,))
        passage = as_reading(await readings.get(Passage(view, 1, 2)))
        whole = as_reading(await readings.get(view))
        assert [sentence.text for sentence in passage.sentences] == [one.text for one in whole.sentences[:2]]


async def test_signals_pause_first_and_abort_when_repeated() -> None:
    async with rig(pipeline()) as one:
        runner = Runner(replace(one.tools, leave=lambda: 1))
        sleeping = asyncio.create_task(asyncio.sleep(60))
        runner.tasks[sleeping] = "writer"
        said: list[str] = []
        with stopped_by_signals(runner, said.append):
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(0.01)
            assert runner.stopping is not None
            assert runner.stopping.how is How.PAUSED
            assert not sleeping.cancelled()
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(0.01)
        assert sleeping.cancelled()
        assert said[0].startswith("finishing 1 call in flight")
        assert "handing back" in said[1]
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


def same_question(request: Request) -> str:
    """Two of the reports lead to the same question."""
    if request.step != "write_question":
        return answer(request)
    which = "every clinic" if "report 2" in request.messages[1].content.partition("</document>")[0] else "the clinic"
    return json.dumps({"rationale": "r", "evidence": [1], "question": f"How many people did {which} see?"})


async def test_of_two_near_duplicate_questions_the_one_of_the_later_slot_falls() -> None:
    async with rig(pipeline(), same_question) as one:
        await one.run()
        await one.decide_all()
        rows = await one.database.read(lambda c: list(items.pages(c)))
        assert [row.cause == "near-duplicate question" for row in rows] == [False, True, False]
        assert rows[1].detail == f"of item {rows[0].id}"


async def test_a_duplicate_that_an_interrupted_run_left_unmarked_is_marked_by_the_next() -> None:
    async with rig(pipeline(), same_question) as one:
        unmarked = Duplicates("nothing", planner(one.pipeline))
        object.__setattr__(one.tools, "duplicates", unmarked)
        await one.run()
        again = Duplicates(one.pipeline.question_step, planner(one.pipeline))
        await one.database.write(lambda c: again.load(c, "now"))
        causes = [row.cause for row in await one.database.read(lambda c: list(items.pages(c)))]
        assert causes.count("near-duplicate question") == 1


async def test_a_finding_of_a_transaction_that_was_undone_is_made_again() -> None:
    async with rig(pipeline(), same_question) as one:
        object.__setattr__(one.tools, "duplicates", Duplicates("nothing", planner(one.pipeline)))
        await one.run()
        again = Duplicates(one.pipeline.question_step, planner(one.pipeline))

        def undone(connection: Connection) -> None:
            again.load(connection, "now")
            raise BenchwrightError

        with pytest.raises(BenchwrightError):
            await one.database.write(undone)
        assert all(cause != "near-duplicate question" for _, cause, _ in (await one.database.read(status)).causes)
        await one.database.write(lambda c: again.load(c, "now"))
        assert ("discarded", "near-duplicate question", 1) in (await one.database.read(status)).causes


async def test_the_status_tells_answers_about_items_in_the_making_apart() -> None:
    def dear(request: Request) -> str | Exception:
        return OverBudget() if request.step == "check_option" else answer(request)

    async with rig(pipeline(), dear) as one:
        await one.run()
        found = await one.database.read(status)
        assert found.making == sum(states["given"] for states in found.answers.values()) >= 5
        assert (found.items, found.projected, found.cached) == ({"open": 3}, None, 0.0)


async def test_the_status_tells_counts_money_and_what_waits() -> None:
    async with rig(pipeline(), reports=4) as one:
        await one.run()
        found = await one.database.read(status)
        assert found.wanted == 4
        assert found.documents == 4
        assert sum(found.items.values()) == 4
        assert (found.tries, found.making, found.settled_items) == (1, 0, 4)
        assert found.projected == found.cost == 0.0
        assert found.people == found.queues.get("human", {}).get("ready", 0)
        assert sum(spent.calls for spent in found.spending) == len(one.paid.history)
        assert found.cost == 0
        assert found.json()["people"] == found.people
        recorded = await one.database.read(campaigns.get)
        assert found.began == recorded.began


async def test_before_the_corpus_is_in_nobody_knows_how_many_items_are_wanted() -> None:
    async with rig(pipeline(), reports=0) as one:
        assert (await one.database.read(status)).wanted is None
