"""Models that rest, and replies in doubt: what a run does with their jobs, and how it ends."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.rig import NOW, Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model, Panel
from benchwright.engine import runner as module
from benchwright.engine.plans import planner
from benchwright.engine.runner import Ended, How, Runner, claims
from benchwright.errors import BadReply, DiskFull, Exhausted, OverBudget, Transient, Unusable
from benchwright.llm.limits import circuit
from benchwright.store import items, jobs


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)


async def tickets(rig: Rig) -> list[tuple[str, str, int, int]]:
    """Queue, state, attempt, blame of every ticket that is not done."""
    sql = "SELECT queue, state, attempt, blame FROM jobs WHERE state <> 'done' ORDER BY id"
    return await rig.database.read(lambda c: c.execute(sql).fetchall())


async def to_the_end(rig: Rig) -> Ended:
    ended = await rig.run()
    while ended.how is How.WAITING:
        assert await rig.decide_all()
        ended = await rig.run()
    return ended


async def test_a_used_up_quota_ends_the_run_as_paused_with_its_time_and_the_next_run_asks_just_the_rest() -> None:
    async with rig(pipeline(), reports=4) as one:
        await to_the_end(one)
        whole, calls = await one.states(), len(one.paid.history)
    left = iter(range(7))

    def scarce(request: Request) -> str | Exception:
        return answer(request) if next(left, None) is not None else Exhausted("no more", 3600)

    async with rig(pipeline(), scarce, reports=4) as one:
        ended = await one.run()
        assert ended == Ended(How.PAUSED, "no more", "quota", "2027-01-15T09:00:00+00:00")
        assert {(state, attempt) for _, state, attempt, _ in await tickets(one)} == {("ready", 0)}
        assert await one.database.read(items.orphans) == []
        before = len(one.paid.history)
        one.paid.answer = answer
        assert (await to_the_end(one)).how is How.DONE
        assert await one.states() == whole
        assert len(one.paid.history) - before == calls - 7


async def test_without_credit_nobody_knows_when_there_is_more() -> None:
    async with rig(pipeline(), lambda _: Exhausted("no credit")) as one:
        assert await one.run() == Ended(How.PAUSED, "no credit", "quota")
        assert len(one.paid.history) == 3  # what was in flight together


async def test_other_models_go_on_while_one_rests() -> None:
    def half(request: Request) -> str | Exception:
        return Exhausted("no more", 3600) if request.model.name == "red" else answer(request)

    async with rig(pipeline(), half, reports=3) as one:
        said: list[str] = []
        await one.rescue()
        ended = await Runner(one.tools, say=said.append).run()
        assert (ended.how, ended.cause) == (How.PAUSED, "quota")
        assert {queue for queue, *_ in await tickets(one) if queue != "human"} == {"red"}
        assert {request.model.name for request in one.paid.history} == {"writer", "red", "green", "blue"}
        assert said == ["red rests for 3600 s: no more"]
        one.paid.answer = answer
        assert (await to_the_end(one)).how is How.DONE


async def test_of_several_models_that_rest_the_one_that_is_back_first_is_told() -> None:
    waits = {"red": None, "green": 7200.0, "blue": 3600.0}

    def scarce(request: Request) -> str | Exception:
        name = request.model.name
        return Exhausted(f"{name} is used up", waits[name]) if name in waits else answer(request)

    async with rig(pipeline(), scarce, reports=1) as one:
        assert await one.run() == Ended(How.PAUSED, "blue is used up", "quota", "2027-01-15T09:00:00+00:00")


async def test_a_full_disk_when_a_ticket_is_given_back_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise DiskFull

    monkeypatch.setattr(jobs, "give_back", full)
    async with rig(pipeline(), lambda _: Exhausted("no more", 3600)) as one:
        with pytest.raises(DiskFull):
            await one.run()


async def test_a_short_rest_ends_within_the_run() -> None:
    refusals = iter([Exhausted("wait", module.PATIENCE)] * 3)

    async with rig(pipeline(), lambda request: next(refusals, None) or answer(request)) as one:
        running = asyncio.create_task(one.run())
        await asyncio.sleep(0.2)
        assert len(one.paid.history) == 3
        one.clock.now = NOW + module.PATIENCE
        assert (await running).how is not How.PAUSED
        assert len(one.paid.history) > 6


async def test_an_endpoint_that_is_down_costs_no_attempt_and_is_asked_less_and_less() -> None:
    down = True

    def flaky(request: Request) -> str | Exception:
        return Transient("gone") if down else answer(request)

    async with rig(pipeline(), flaky) as one:
        running = asyncio.create_task(one.run())
        for _ in range(12):
            await asyncio.sleep(0.03)
            one.clock.now += 20
        asked = len(one.paid.history)
        assert circuit.IN_A_ROW <= asked < 3 * circuit.IN_A_ROW
        down = False
        while not running.done():
            await asyncio.sleep(0.01)
            one.clock.now += 20
        assert (await running).how is not How.PAUSED
        assert all("unavailable" not in state for state in (await one.states()).values())


async def test_a_spent_budget_pauses_the_run_once_what_is_in_flight_has_come_home() -> None:
    def capped(request: Request) -> str | Exception:
        return OverBudget("0.10 of 1.00 left") if "report 2" in request.messages[1].content else answer(request)

    async with rig(pipeline(), capped) as one:
        assert await one.run() == Ended(How.PAUSED, "0.10 of 1.00 left", "budget")
        states = await tickets(one)
        assert {(state, attempt) for _, state, attempt, _ in states} == {("ready", 0)}
        answered = "SELECT (SELECT count(*) FROM answers) = (SELECT count(*) FROM calls WHERE state = 'done')"
        assert await one.database.read(lambda c: c.execute(answered).fetchone()) == (1,)
        one.paid.answer = answer
        assert (await to_the_end(one)).how is How.DONE


async def test_a_model_that_never_replies_usably_stops_the_run_and_its_items_are_as_if_it_had_not_been_asked() -> None:
    async with rig(pipeline(), lambda _: "Sure! Here it is.", reports=30) as one:
        with pytest.raises(Unusable, match=r"'writer': 20 of 20 replies did not parse \(no_json 20\)"):
            await one.run()
        in_work = claims(one.pipeline.campaign.models["writer"].width)
        assert len(one.paid.history) <= 2 * (20 + in_work - 1)  # each with its correction, and what was in work beside
        assert {(state, attempt) for _, state, attempt, _ in await tickets(one)} == {("ready", 0)}
        assert await one.database.read(lambda c: c.execute("SELECT count(*) FROM answers").fetchone()) == (0,)
        paid = len(one.paid.history)
        with pytest.raises(Unusable):
            await one.run()
        assert len(one.paid.history) > paid  # what could not be used is no answer
        assert all(json.loads(state)[0] == "open" for state in (await one.states()).values())


@pytest.mark.untraced
async def test_with_another_model_what_was_in_doubt_is_asked_anew(tmp_path: Path) -> None:
    file = tmp_path / "campaign.db"
    async with rig(pipeline(), lambda _: "no object", reports=25, path=file) as one:
        with pytest.raises(Unusable):
            await one.run()
    models = dict(pipeline().campaign.models)
    models["writer"] = Model("writer", "direct", "better", "http://127.0.0.1:9/v1", width=4)
    async with rig(pipeline(models=models), reports=25, path=file) as one:
        assert (await to_the_end(one)).how is How.DONE
        states = [json.loads(state) for state in (await one.states()).values()]
        assert len(states) == 25
        assert not [cause for _, cause, _ in states if "no_json" in cause]


async def test_a_bad_reply_among_good_ones_is_recorded_as_soon_as_a_good_one_comes() -> None:
    def mostly(request: Request) -> str:
        return "no object" if "report 0" in request.messages[1].content else answer(request)

    async with rig(pipeline(), mostly, reports=6) as one:
        runner = one.runner()
        ended = await runner.run()
        assert ended.how is not How.PAUSED
        assert not runner.doubts.count("writer")
        causes = [json.loads(state)[1] for state in (await one.states()).values()]
        assert causes.count("choose_class: no_json") == 1


async def test_what_is_in_doubt_when_a_run_pauses_is_handed_back_and_asked_anew() -> None:
    async with rig(pipeline(), reports=9) as one:
        runner = one.runner()

        def pausing(request: Request) -> str:
            if runner.doubts.count():
                runner.pause("stopped")
            return "no object"

        one.paid.answer = pausing
        assert (await runner.run()).reason == "stopped"
        one.paid.answer = answer
        assert {(state, attempt) for _, state, attempt, _ in await tickets(one)} == {("ready", 0)}
        assert await one.database.read(lambda c: c.execute("SELECT count(*) FROM answers").fetchone()) == (0,)
        assert (await to_the_end(one)).how is How.DONE
        assert not [state for state in (await one.states()).values() if "no_json" in state]


async def test_a_good_reply_after_the_verdict_records_nothing_more() -> None:
    """It was in flight when the model was given up."""

    class Late:
        """The first call answers last, and well."""

        def __init__(self) -> None:
            self.given_up = asyncio.Event()
            self.asked = 0

        async def ask(self, request: Request) -> Reply:
            self.asked += 1
            if self.asked == 1:
                await self.given_up.wait()
                return Reply(answer(request), call="x")
            if self.asked < 4:
                raise BadReply("no", cause="no_json")
            self.given_up.set()
            raise Unusable("never")

    async with rig(pipeline(), reports=8) as one:
        object.__setattr__(one.tools, "llm", Late())
        with pytest.raises(Unusable, match="never"):
            await one.run()
        answers = await one.database.read(lambda c: c.execute("SELECT count(*) FROM answers").fetchone())
        assert answers == (1,)


async def test_a_job_that_processes_died_with_does_not_hammer_a_model_that_rests() -> None:
    async with rig(pipeline(), lambda _: Exhausted("no more", 3600), reports=2) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        await one.die(1, 3)
        ended = await one.runner(suspects=True).run()
        assert (ended.how, ended.cause) == (How.PAUSED, "quota")
        assert len(one.paid.history) == 2  # the suspect, and its neighbour beside it
        assert (await tickets(one))[0] == ("writer", "ready", 0, 3.0)


async def test_no_ticket_that_is_claimed_when_its_model_goes_to_rest_asks_it() -> None:
    """As when others are claimed while a reply is awaited that says so; each would ask an exhausted model once more."""
    async with rig(pipeline(), lambda _: Exhausted("no more", 3600), reports=3) as one:
        runner = one.runner()
        await one.database.write(runner.admit)
        await one.die(2, 6)
        ended = await one.runner(suspects=True).run()
        assert (ended.how, ended.cause) == (How.PAUSED, "quota")
        assert len(one.paid.history) == 2  # the suspect, and its neighbour beside it
        assert {state for _, state, *_ in await tickets(one)} == {"ready"}


async def test_a_provider_s_failures_are_no_deaths_and_a_new_run_counts_them_anew() -> None:
    def failing(request: Request) -> str | Exception:
        return Exhausted("enough") if len(one.paid.history) > 2 else Transient("boom")

    async with rig(pipeline(), failing, reports=1) as one:
        running = asyncio.create_task(one.run())
        while not running.done():
            await asyncio.sleep(0.01)
            one.clock.now += 60
        assert (await running).reason == "enough"
        assert await tickets(one) == [("writer", "ready", 2, 0)]
        await one.database.write(lambda c: jobs.rescue(c, planner(one.pipeline)))
        assert await tickets(one) == [("writer", "ready", 0, 0)]


async def test_a_blamed_job_of_a_dead_endpoint_pauses_the_run_even_when_others_worked_on_for_long() -> None:
    """Only the ticket that was set aside is left, and its model's rest is over by then."""

    def dead(request: Request) -> str | Exception:
        return Transient("gone") if request.model.name == "red" else answer(request)

    panel = Panel(("red",), 2)
    async with rig(pipeline(panel=panel), dead, reports=1) as one:
        running = asyncio.create_task(one.run())
        while not running.done():
            await asyncio.sleep(0.005)
            one.clock.now += 700
        ended = await running
        assert (ended.how, ended.cause, ended.until) == (How.PAUSED, "endpoint", "")
        assert "gone" in ended.reason
        assert [state for queue, state, *_ in await tickets(one) if queue == "red"] == ["failed"]


async def test_an_answer_that_is_there_already_is_not_taken_twice() -> None:
    """As when a worker that was thought dead has handed in the same."""
    insert = "INSERT INTO answers (item, step, about, who, body, at) VALUES (1, ?, '', 'writer#1', ?, 'earlier')"

    class Doubled:
        def __init__(self, one: Rig) -> None:
            self.inner, self.database = one.tools.llm, one.database

        async def ask(self, request: Request) -> Reply:
            reply = await self.inner.ask(request)
            if request.step == "choose_class":
                await self.database.write(lambda c: c.execute(insert, (request.step, reply.text)))
            return reply

    async with rig(pipeline(), reports=1) as one:
        object.__setattr__(one.tools, "llm", Doubled(one))
        assert (await one.run()).how is not How.PAUSED
        sql = "SELECT at FROM answers WHERE step = 'choose_class'"
        assert await one.database.read(lambda c: c.execute(sql).fetchall()) == [("earlier",)]
