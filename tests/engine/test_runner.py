"""Runs: to the end, cut anywhere, paused, stopped; nothing lost, nothing doubled, nothing paid twice."""

import asyncio
import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import answer, document, pipeline

from benchwright.agents.choice import choose_class
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model, Quota
from benchwright.domain.document import whole
from benchwright.engine import runner as module
from benchwright.engine.outcome import ATTEMPTS, DEADLY
from benchwright.engine.plans import planner
from benchwright.engine.runner import How, Runner
from benchwright.errors import BadKey, BenchwrightError, DiskFull, RateLimited, Refused, Transient, Unusable
from benchwright.pipelines.base import Steady
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import campaigns, counts, documents, items, jobs
from benchwright.store.database import Connection


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)


async def sound(rig: Rig) -> None:
    """What must hold whenever nothing runs: no lost ticket, no vote twice, each reply in the ledger once."""

    def check(connection: Connection) -> None:
        assert items.orphans(connection) == []
        answers = connection.execute("SELECT count(*), count(DISTINCT item || step || about || who) FROM answers")
        total, distinct = answers.fetchone()
        assert total == distinct
        states = dict(connection.execute("SELECT state, count(*) FROM items GROUP BY state").fetchall())
        assert counts.of(connection, "item").get("", {}) == states

    await rig.database.read(check)


async def to_the_end(rig: Rig) -> module.Ended:
    """Run, decide, run ... until nothing waits."""
    while True:
        ended = await rig.run()
        await sound(rig)
        if ended.how is not How.WAITING:
            return ended
        assert await rig.decide_all()


async def test_a_campaign_ends_with_every_item_kept_or_discarded() -> None:
    async with rig(pipeline(), reports=6) as one:
        assert (await to_the_end(one)).how is How.DONE
        states = await one.states()
        assert len(states) == 6
        assert {json.loads(state)[0] for state in states.values()} <= {"kept", "discarded"}


async def test_the_oldest_item_goes_first_until_hardly_more_are_left_than_fit_then_all_go_by_turns() -> None:
    async with rig(pipeline(), reports=6) as one:
        runner = one.runner()
        runner.widths = dict.fromkeys(runner.widths, 1)
        await runner.run()
        writing = [request for request in one.paid.history if request.model.name == "writer"]
    reports = [re.search(r"report (\d)", str(request.messages)) for request in writing]
    served = "".join(found[1] for found in reports if found)
    assert served.startswith("00000")
    assert served.index("2") > served.index("1") + 4
    assert served.index("5") < served.rindex("4")
    assert "455" in served
    assert "554" in served


async def test_a_campaign_that_has_ended_asks_nothing_when_run_again() -> None:
    async with rig(pipeline()) as one:
        await to_the_end(one)
        before = len(one.paid.history)
        assert (await one.run()).how is How.DONE
        assert len(one.paid.history) == before


@pytest.mark.untraced
@pytest.mark.parametrize("cut", [0, 1, 2, 5, 11, 17, 23, 31])
async def test_a_run_cut_at_any_call_ends_as_if_it_had_not_been_cut(cut: int) -> None:
    async with rig(pipeline()) as one:
        await to_the_end(one)
        whole = await one.states()
        calls = len(one.paid.history)
    seen = Counter[str]()

    def failing(request: Request) -> str | Exception:
        seen[request.id] += 1
        return BadKey("gone") if seen.total() == cut + 1 else answer(request)

    async with rig(pipeline(), failing) as one:
        with pytest.raises(BadKey, match="gone"):
            await one.run()
        await to_the_end(one)
        assert await one.states() == whole
        assert len(one.paid.history) == calls + 1
        assert sum(n > 1 for n in seen.values()) == 1


@pytest.mark.untraced
async def test_what_arrives_out_of_order_changes_nothing() -> None:
    async with rig(pipeline(), reports=5) as one:
        await to_the_end(one)
        in_order = await one.states()

    class Slow:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        async def ask(self, request: Request) -> Reply:
            for _ in range(int(request.id[:2], 16) % 7):
                await asyncio.sleep(0)
            reply: Reply = await self.inner.ask(request)
            return reply

    async with rig(pipeline(), reports=5) as one:
        object.__setattr__(one.tools, "llm", Slow(one.tools.llm))
        await to_the_end(one)
        assert await one.states() == in_order


@pytest.mark.untraced
async def test_a_target_is_met_exactly_with_refills() -> None:
    async with rig(pipeline(quota=Quota(target=6, tries=4), no_correct="discard"), reports=40) as one:
        ended = await to_the_end(one)
        kept = [state for state in (await one.states()).values() if json.loads(state)[0] == "kept"]
        short = sum(n for _, n in await one.database.read(items.shortfalls))
        assert len(kept) + short == 6
        assert ended.how is (How.PARTIAL if short else How.DONE)


async def test_a_target_out_of_reach_ends_partial_with_its_causes() -> None:
    async with rig(pipeline(quota=Quota(target=3, tries=2)), lambda _: Refused("I will not")) as one:
        ended = await one.run()
        assert ended.how is How.PARTIAL
        assert "3 of 3" in ended.reason
        assert await one.database.read(items.shortfalls) == [("choose_class: refused", 3)]
        assert len(await one.states()) == 6


async def test_a_rate_limit_delays_without_costing_an_attempt() -> None:
    refused = iter(range(20))

    def limited(request: Request) -> str | Exception:
        return RateLimited(retry_after=0.001) if next(refused, None) is not None else answer(request)

    async with rig(pipeline(), limited) as one:
        object.__setattr__(one.tools, "now", Ticking(one.clock))
        await to_the_end(one)
        failed = await one.database.read(lambda connection: counts.of(connection, "answer"))
        assert all("failed" not in states for states in failed.values())


class Ticking:
    """A clock that goes on by a minute at every look."""

    def __init__(self, clock: Any) -> None:
        self.clock = clock

    def __call__(self) -> float:
        self.clock.now += 60
        return float(self.clock.now)


async def test_a_job_that_fails_in_a_second_run_too_is_recorded_and_gone_round() -> None:
    def poisoned(request: Request) -> str | Exception:
        return Transient("boom") if request.step == "choose_topic" else answer(request)

    async with rig(pipeline(), poisoned, reports=1) as one:
        object.__setattr__(one.tools, "now", Ticking(one.clock))
        assert (await one.run()).how is How.PAUSED
        before = len(one.paid.history)
        assert (await to_the_end(one)).how is How.PARTIAL
        assert [json.loads(state)[1] for state in (await one.states()).values()] == ["choose_topic: unavailable"]
        assert len(one.paid.history) - before == ATTEMPTS


@pytest.mark.untraced
async def test_a_job_that_fails_among_successes_is_set_aside_and_recorded_by_the_next_run() -> None:
    def poisoned(request: Request) -> str | Exception:
        poison = request.step == "choose_class" and "report 0" in request.messages[1].content
        return Transient("boom") if poison else answer(request)

    async with rig(pipeline(), poisoned, reports=15) as one:
        object.__setattr__(one.tools, "now", Ticking(one.clock))
        ended, began = await one.run(), one.clock.now
        assert (ended.how, ended.cause) == (How.PAUSED, "endpoint")
        assert one.clock.now - began < 60  # nobody rests for the sake of one request
        unfinished = await one.database.read(jobs.count_unfinished)
        assert unfinished["writer"] == {"failed": 1}
        await to_the_end(one)
        causes = [json.loads(state)[1] for state in (await one.states()).values()]
        assert causes.count("choose_class: unavailable") == 1


async def test_an_endpoint_that_never_answers_pauses_the_campaign_and_costs_no_item() -> None:
    down = True

    def endpoint(request: Request) -> str | Exception:
        return Transient("connection refused") if down else answer(request)

    async with rig(pipeline(), endpoint) as one:
        object.__setattr__(one.tools, "now", Ticking(one.clock))
        ended = await one.run()
        calls = len(one.paid.history)
        reason = f"connection refused; {calls} calls in a row have failed"
        assert ended == module.Ended(How.PAUSED, reason, "endpoint")
        assert calls < 20
        await sound_but_failed(one)
        down = False
        assert (await to_the_end(one)).how is How.DONE
        assert all("unavailable" not in state for state in (await one.states()).values())


async def sound_but_failed(rig: Rig) -> None:
    """Paused tickets are set aside, not lost: the next run revives them."""
    found = await rig.database.read(jobs.count_unfinished)
    assert found["writer"].get("failed")


async def test_an_unexpected_error_stops_the_run_and_is_raised_as_it_is() -> None:
    def bug(_: Request) -> str:
        raise ZeroDivisionError

    async with rig(pipeline(), bug) as one:
        with pytest.raises(ZeroDivisionError):
            await one.run()
        assert await one.database.read(jobs.live) == {"writer": 3}


async def test_a_reply_that_cannot_be_used_is_recorded_after_one_correction() -> None:
    async with rig(pipeline(), reports=1) as one:
        await to_the_end(one)
        await one.database.write(partial(documents.admit, document=document(1), view=whole(document(1))))
        one.paid.answer, before = (lambda _: "no object here"), len(one.paid.history)
        assert (await one.run()).how is How.DONE
        causes = [json.loads(state)[1] for state in (await one.states()).values()]
        assert causes.count("choose_class: no_json") == 1
        assert len(one.paid.history) - before == 2


async def test_a_pause_asked_for_by_another_process_finishes_what_runs() -> None:
    async with rig(pipeline(), reports=6) as one:

        def pausing(request: Request) -> str:
            pauses.append(asyncio.ensure_future(one.database.write(lambda c: campaigns.pause(c, paused=True))))
            return answer(request)

        pauses: list[asyncio.Future[None]] = []
        one.paid.answer = pausing
        assert (await one.run()).how is How.PAUSED
        calls = len(one.paid.history)
        assert calls < 12
        assert not (await one.database.read(jobs.count_unfinished))["writer"].get("running")
        await one.database.write(lambda connection: campaigns.pause(connection, paused=False))
        one.paid.answer = answer
        assert (await to_the_end(one)).how is How.DONE


async def test_aborting_hands_back_what_runs_untried() -> None:
    async with rig(pipeline()) as one:
        arrived = asyncio.Event()

        class Stuck:
            async def ask(self, request: Request) -> Reply:
                arrived.set()
                await asyncio.sleep(60)
                raise AssertionError(request)

        inner = one.tools.llm
        object.__setattr__(one.tools, "llm", Stuck())
        runner = Runner(one.tools)
        running = asyncio.create_task(runner.run())
        await arrived.wait()
        runner.pause("stopped")
        runner.abort()
        assert await running == module.Ended(How.PAUSED, "stopped")
        rows = await one.database.read(lambda c: c.execute("SELECT state, attempt FROM jobs").fetchall())
        assert rows == [("ready", 0)] * 3
        object.__setattr__(one.tools, "llm", inner)
        await to_the_end(one)


async def test_a_full_disk_at_a_claim_lets_the_calls_in_flight_come_home(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig(pipeline(), reports=6) as one:
        claims = 0
        real = jobs.claim

        def claim(*arguments: Any) -> Any:
            nonlocal claims
            claims += 1
            if claims > 6:
                raise DiskFull
            return real(*arguments)

        monkeypatch.setattr(jobs, "claim", claim)
        with pytest.raises(DiskFull):
            await one.run()
        running = await one.database.read(
            lambda c: c.execute("SELECT count(*) FROM jobs WHERE state = 'running'").fetchone()
        )
        assert running == (0,)
        done = await one.database.read(
            lambda c: c.execute("SELECT count(*) FROM calls WHERE state = 'done'").fetchone()
        )
        assert done == (len(one.paid.history),)


async def test_a_job_that_kills_the_process_every_time_is_given_up() -> None:
    async with rig(pipeline(), reports=2) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        await one.die(1, 3)
        suspect = partial(jobs.claim_suspect, queues=["writer"], until=1)
        for _ in range(DEADLY - 3):
            ticket = await one.database.write(suspect)
            assert ticket
            await one.database.write(partial(jobs.depart, job=ticket.id))
            await one.rescue()
        assert (await to_the_end(one)).how is How.DONE
        causes = [json.loads(state)[1] for state in (await one.states()).values()]
        assert causes.count("choose_class: crashed") == 1
        assert len(causes) == 2


@pytest.mark.parametrize(("flying", "deaths", "suspects"), [(1, 2, 0), (1, 3, 1), (2, 5, 0), (2, 6, 2), (40, 20, 0)])
async def test_those_that_a_process_died_with_share_the_blame(flying: int, deaths: int, suspects: int) -> None:
    async with rig(pipeline(), reports=50) as one:
        runner = one.runner()
        runner.widths = {"writer": 50}
        await one.database.write(runner.admit)
        assert await one.die(flying, deaths) == (flying, suspects)


async def test_a_ticket_that_was_claimed_and_not_asked_is_blamed_for_nothing() -> None:
    async with rig(pipeline(), reports=2) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        for _ in range(5):
            await one.database.write(lambda c: jobs.claim(c, "writer", 1, 0, 1))
            assert await one.rescue() == (0, 0)


async def test_a_suspect_that_its_process_died_with_takes_the_blame_of_its_neighbours() -> None:
    async with rig(pipeline(), reports=3) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        await one.die(1, 3)

        def operation(connection: Connection) -> jobs.Rescued:
            suspect = jobs.claim_suspect(connection, ["writer"], 1)
            assert suspect
            for ticket in [suspect, *jobs.claim(connection, "writer", 9, 0, 1)]:
                jobs.depart(connection, ticket.id)
            return jobs.rescue(connection, planner(one.pipeline))

        assert await one.database.write(operation) == (3, 1)
        assert await one.database.read(partial(execute, "SELECT blame FROM jobs ORDER BY id")) == [
            (4.0,),
            (0.0,),
            (0.0,),
        ]


async def test_suspects_are_asked_one_at_a_time_beside_the_others() -> None:
    async with rig(pipeline(), reports=9) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        await one.die(4, 12)
        suspects = {job for (job,) in await one.database.read(partial(execute, "SELECT id FROM jobs WHERE blame >= 3"))}
        await one.database.write(partial(execute, "UPDATE items SET state = 'discarded' WHERE seq = 2"))
        await one.database.write(partial(execute, "UPDATE jobs SET state = 'moot', lease = NULL WHERE item = 2"))
        busy: list[tuple[bool, int, int]] = []

        class Slow:
            def __init__(self, inner: Any) -> None:
                self.inner, self.flying = inner, list[int]()

            async def ask(self, request: Request) -> Reply:
                self.flying.append(request.job)
                suspected = [job for job in self.flying if job in suspects]
                busy.append((request.job in suspects, len(suspected), len(self.flying)))
                await asyncio.sleep(0.002)
                self.flying.remove(request.job)
                reply: Reply = await self.inner.ask(request)
                return reply

        object.__setattr__(one.tools, "llm", Slow(one.tools.llm))
        await to_the_end(one)
        assert len(suspects) == 4
        assert {together for mine, together, _ in busy if mine} == {1}
        assert max(flying for mine, _, flying in busy[:8] if not mine) > 2
        assert all("crashed" not in state for state in (await one.states()).values())


def execute(sql: str, connection: Connection) -> list[Any]:
    return connection.execute(sql).fetchall()


async def test_a_ticket_that_is_no_longer_owed_when_claimed_is_dropped() -> None:
    async with rig(pipeline(), reports=1) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        old = "INSERT INTO jobs (item, key, queue, state) VALUES (1, 'old//writer/0', 'writer', 'ready')"
        await one.database.write(partial(execute, old))
        await to_the_end(one)
        row = await one.database.read(lambda c: c.execute("SELECT state FROM jobs WHERE key LIKE 'old%'").fetchone())
        assert row == ("moot",)


async def test_an_open_item_for_which_nothing_is_owed_is_an_error_not_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async with rig(pipeline(), reports=1) as one:
        monkeypatch.setattr(items, "orphans", lambda _: [1])
        with pytest.raises(BenchwrightError, match="nothing is owed"):
            await one.runner().run()


async def test_a_lost_ticket_is_written_again_by_the_next_run() -> None:
    async with rig(pipeline(), reports=2) as one:
        await one.database.write(lambda c: one.runner().admit(c))
        await one.database.write(partial(execute, "UPDATE jobs SET state = 'moot'"))
        assert (await to_the_end(one)).how is How.DONE


async def test_memory_stays_flat_because_items_begin_only_as_others_end(monkeypatch: pytest.MonkeyPatch) -> None:
    peak = 0
    real = jobs.claim

    def claim(connection: Connection, *rest: Any) -> Any:
        nonlocal peak
        peak = max(peak, counts.of(connection, "item").get("", {}).get("open", 0))
        return real(connection, *rest)

    monkeypatch.setattr(jobs, "claim", claim)
    names = ("writer", "red", "green", "blue")
    one_at_a_time = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1", width=1) for name in names}
    async with rig(pipeline(models=one_at_a_time), reports=10) as one:
        await one.run()
        assert peak == 2 * sum(one.runner().widths.values()) == 8


@pytest.mark.untraced
async def test_two_campaigns_on_files_do_not_touch_each_other(tmp_path: Path) -> None:
    async with rig(pipeline(), path=tmp_path / "a.db") as one, rig(pipeline(), path=tmp_path / "b.db") as two:
        await asyncio.gather(to_the_end(one), to_the_end(two))
        assert await one.states() == await two.states()


class Measured(Recall):
    """It measures who can choose a class: a model that never can is recorded as such."""

    roles = tuple(
        replace(role, steady=Steady.RECORD) if role.name == choose_class.agent.name else role for role in Recall.roles
    )


async def test_a_model_that_can_never_answer_stops_the_run_unless_that_is_a_finding() -> None:
    def useless(request: Request) -> str:
        return "no object here" if request.step == "choose_class" else answer(request)

    async with rig(pipeline(), useless, reports=24) as one:
        with pytest.raises(Unusable):
            await one.run()
    measured = Measured.of(one.pipeline.campaign, Path())
    async with rig(measured, useless, reports=24) as one:
        ended = await one.run()
        assert (ended.how, ended.reason[:27]) == (How.PARTIAL, "every call to a model faile")
        causes = Counter(json.loads(state)[1] for state in (await one.states()).values())
        assert causes == {"choose_class: no_json": 24}
