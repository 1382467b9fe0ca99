"""Failed answers: listed, withdrawn so that they are asked again, and counted again where nobody answered."""

from collections.abc import Callable
from functools import partial

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Panel, Quota
from benchwright.engine import outcome
from benchwright.engine import runner as module
from benchwright.engine.again import AskAgain, ask_again
from benchwright.engine.failed_calls import FailedCall, Next, divide_error, list_failed_calls
from benchwright.engine.plans import planner
from benchwright.engine.runner import How
from benchwright.errors import Transient
from benchwright.store import counts, failures, items, jobs
from benchwright.store.database import Connection, Database

ONE = Panel(("red",))


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.0)


def but(step: str, said: Reply | Exception, report: str = "") -> Callable[[Request], str | Reply | Exception]:
    """Every answer but those in one step, about a document that has these words."""

    def script(request: Request) -> str | Reply | Exception:
        about = any(report in message.content for message in request.messages)
        return said if request.step == step and about else answer(request)

    return script


FILTERED = Reply("", finish="filtered", cost=0.5)


async def listed(here: Rig, wanted: AskAgain | None = None) -> list[FailedCall]:
    return await here.database.read(partial(list_failed_calls, wanted=wanted or AskAgain()))


async def again(here: Rig, wanted: AskAgain | None = None) -> str:
    """As a new process does before it works."""
    plan = planner(here.pipeline)
    said = await here.database.write(lambda c: ask_again(c, wanted or AskAgain(), plan, "later"))
    here.tools.plans.forget()
    return said


async def test_a_filtered_question_is_asked_again_and_its_item_is_made() -> None:
    async with rig(pipeline(panel=ONE), but("write_question", FILTERED)) as here:
        await here.run()
        found = await listed(here)
        assert {(one.role, one.model, one.cause, one.next, one.cost, one.reply) for one in found} == {
            ("write_question", "writer", "filtered", Next.ASK_AGAIN, 0.5, "")
        }
        assert [one.source for one in found] == [f"report-{number}.md" for number in range(3)]
        assert await listed(here, AskAgain("refused")) == await listed(here, AskAgain(model="red")) == []
        here.paid.answer = answer
        assert await again(here) == "asking again what failed: 3 calls"
        assert await here.database.read(items.orphans) == []
        assert (await here.run()).how in {How.DONE, How.WAITING}
        assert await listed(here) == []
        said = await here.database.read(lambda c: counts.of(c, "answer"))
        assert said["write_question"] == {"given": 3}
        assert await again(here) == "asking again what failed: 0 calls"


async def test_what_fails_again_and_again_signs_each_time_and_reads_the_same() -> None:
    async with rig(pipeline(panel=ONE), but("write_question", FILTERED), reports=1) as here:
        await here.run()
        first, states = await listed(here), await here.states()
        for _ in range(2):
            await again(here)
            assert await listed(here) != first
            await here.run()
            assert (await listed(here), await here.states()) == (first, states)
        who = "SELECT who FROM answers WHERE json_extract(body, '$.failure') IS NOT NULL ORDER BY seq"
        assert await here.database.read(lambda c: c.execute(who).fetchall()) == [
            ("writer#1",),
            ("writer#1~1",),
            ("writer#1~2",),
        ]
        assert {answer.by for answer in await here.database.read(lambda c: items.answers(c, 1))} == {"writer#1"}


async def test_what_was_withdrawn_counts_again_where_nobody_has_answered_since() -> None:
    async with rig(pipeline(panel=Panel(("red", "green"), 2)), but("check_option", FILTERED)) as here:
        await here.run()
        states, failed = await here.states(), await listed(here)
        assert failed
        await again(here)
        assert await here.states() != states
        assert await again(here, AskAgain(undo=True)) == (
            f"{len(failed)} failed calls that nobody has answered since will not be repeated"
        )
        assert (await here.states(), await listed(here)) == (states, failed)
        here.paid.answer = answer
        await again(here)
        await here.run()
        assert await again(here, AskAgain(undo=True)) == (
            "0 failed calls that nobody has answered since will not be repeated"
        )


async def test_a_failure_in_whose_place_the_next_try_has_begun_stays() -> None:
    async with rig(pipeline(panel=ONE, quota=Quota(tries=2)), but("write_question", FILTERED), reports=1) as here:
        await here.run()
        assert [one.next for one in await listed(here)] == [Next.STAYS, Next.ASK_AGAIN]
        said = "asking again what failed: 1 call; 1 other stay as they are: other items have taken the place of theirs"
        assert await again(here) == said


async def test_what_is_set_aside_or_had_no_answer_is_listed_once_and_is_the_next_runs() -> None:
    async with rig(pipeline(panel=ONE), but("write_question", Transient("gone"), "Report 1")) as here:
        assert (await here.run()).cause == "endpoint"
        [one] = await listed(here)
        assert (one.role, one.cause, one.why, one.next) == ("write_question", "unavailable", "gone", Next.RUN)
        assert await listed(here, AskAgain("filtered")) == await listed(here, AskAgain(model="red")) == []


async def test_a_ticket_of_code_that_is_set_aside_is_listed_too() -> None:
    async with rig(pipeline(panel=ONE), reports=1) as here:

        def operation(connection: Connection) -> None:
            runner = here.runner()
            runner.admission.open(connection)
            runner.admit(connection)
            jobs.exchange(connection, 1, [], [("find_facts//graphs/0", "graphs")])
            [ticket] = jobs.claim(connection, "graphs", 1, 0, 1)
            jobs.set_aside(connection, ticket, "the graph is gone")

        await here.database.write(operation)
        assert await here.database.read(failures.pending) == [
            failures.Pending(
                (await here.database.read(lambda c: items.get(c, 1))).id,
                1,
                "find_facts",
                "graphs",
                None,
                "the graph is gone",
            )
        ]


async def test_an_answer_that_is_there_is_not_taken_a_second_time() -> None:
    async with await Database.open(None) as database:
        assert await database.read(lambda c: failures.paid(c, None)) == (0.0, "")
    assert items.author("human:ada#1~2") == "human:ada#1~2"
    assert items.author("a~b#1") == "a~b#1"
    assert items.next_signature("a~1#1") == "a~1#1~1"
    assert items.next_signature("a#2~9") == "a#2~10"


@pytest.mark.parametrize(
    ("error", "found"),
    [
        ("too long: the prompt", ("too long", "the prompt")),
        ("Rejected: no", ("refused", "no")),
        ("Transient: gone: away", ("unavailable", "gone: away")),
        ("model 'writer': http://x failed", ("unavailable", "model 'writer': http://x failed")),
        ("never sent", ("unavailable", "never sent")),
        ("Strange: so", ("Strange", "so")),
    ],
)
def test_an_error_of_the_ledger_is_a_cause_and_words(error: str, found: tuple[str, str]) -> None:
    assert divide_error(error) == found
