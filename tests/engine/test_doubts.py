"""Requests that an endpoint rejects: what they say of their tickets, and what of the endpoint."""

import json
from math import inf

import pytest
from tests.rig import rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Request
from benchwright.domain.item import Seed
from benchwright.engine import outcome
from benchwright.engine import runner as module
from benchwright.engine.doubts import Doubts
from benchwright.engine.outcome import Doubt, Rejection, Rest
from benchwright.engine.runner import Claimed, How, Rested, Runner
from benchwright.errors import BadRequest, Rejected, Unsent, Unusable
from benchwright.store import jobs
from benchwright.store.jobs import Ticket

REJECTED = Rejection("filtered", "no", BadRequest("no"))


def ticket(step: str, number: int) -> Ticket:
    return Ticket(number, 1, f"{step}//writer/0", "writer", 1, 0, "", "item", Seed(0, 0, ()))


async def test_an_answer_clears_bad_replies_of_its_model_and_rejections_of_its_role_alone() -> None:
    doubts = Doubts()
    for number, fate in enumerate((Doubt("schema", "x"), REJECTED)):
        doubts.add(ticket("write_question", number), fate)
    assert [one.id for one, _ in doubts.take(ticket("choose_class", 7))] == [0]
    async with rig(pipeline(), reports=1) as one:
        assert await one.database.read(doubts.find_fault) is None  # it has answered something
    assert [one.id for one, _ in doubts.take(ticket("write_question", 8))] == [1]
    assert doubts.count() == 0


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.0)


@pytest.mark.parametrize("step", ["choose_class", "write_question"])
async def test_a_request_that_is_rejected_among_others_is_recorded(step: str) -> None:
    def particular(request: Request) -> str | Exception:
        bad = request.step == step and "report 0" in request.messages[1].content
        return Rejected("no", "filtered") if bad else answer(request)

    async with rig(pipeline(), particular, reports=4) as one:
        ended = await one.run()
        assert ended.how in {How.DONE, How.WAITING}
        causes = [json.loads(state)[1] for state in (await one.states()).values()]
        assert causes.count(f"{step}: filtered") == 1


async def test_a_model_that_accepts_nothing_stops_the_run_with_what_it_met_and_nothing_is_recorded() -> None:
    async with rig(pipeline(), lambda _: Rejected("no", "refused", BadRequest("no")), reports=2) as one:
        with pytest.raises(BadRequest, match=r"^item \w{10} \(.*\): no$"):
            await one.run()
        assert await one.database.read(jobs.live) == {"writer": 2}
        assert await one.database.read(lambda c: c.execute("SELECT count(*) FROM answers").fetchone()) == (0,)
        one.paid.answer = answer
        assert (await one.run()).how in {How.DONE, How.WAITING}


async def test_a_model_of_which_no_reply_can_be_used_stops_the_run_however_few_they_are() -> None:
    async with rig(pipeline(), lambda _: "no object", reports=1) as one:
        with pytest.raises(Unusable, match=r"no reply could be used \(no_json 1\)"):
            await one.run()
        assert await one.database.read(jobs.live) == {"writer": 1}


async def test_a_ticket_that_was_claimed_before_its_model_went_to_rest_is_given_back_unasked() -> None:
    async with rig(pipeline(), reports=1) as one:
        runner = one.runner()
        await one.database.write(runner.admit)
        [claimed] = await one.database.write(lambda c: jobs.claim(c, "writer", 1, one.clock.now, 60))
        runner.rests["writer"] = Rested(inf, Rest(None, "quota", "no more"))
        await runner.serve(claimed)
        assert not one.paid.history
        assert await one.database.read(jobs.count_unfinished) == {"writer": {"ready": 1}}


async def test_a_look_that_was_not_begun_before_the_run_stopped_claims_nothing() -> None:
    class Late(Runner):
        async def look(self) -> Claimed:
            raise Unsent

    async with rig(pipeline(), reports=1) as one:
        found = await Late(one.tools).look_safely()
        assert found == Claimed((), 0, paused=True)
