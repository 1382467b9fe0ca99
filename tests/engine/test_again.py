"""A checker that is down: its substitute votes, the option says so, and the next run asks the checker again."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Request
from benchwright.domain.campaign import Model, Panel
from benchwright.domain.vote import Rule
from benchwright.engine import runner as module
from benchwright.engine.again import ask_checkers_again
from benchwright.engine.plans import planner
from benchwright.engine.runner import How
from benchwright.errors import Down, Transient
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import items

GONE = Down("nobody there", lasting=True)


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)


TO_PEOPLE = Rule(Fraction(1), Fraction(0), 2)  # but for options that all agree on, people decide


def with_substitute(name: str = "spare", rule: Rule | None = None) -> Recall:
    """Three checkers, of which one has a substitute that sits on no panel."""
    names = ("writer", "red", "green", "blue", "spare")
    # Too narrow for the five failures at once at which the endpoint itself is left alone.
    models = {one: Model(one, "direct", one, "http://127.0.0.1:9/v1", width=2, family=one) for one in names}
    models["red"] = replace(models["red"], substitute=name)
    return pipeline(models=models, panel=Panel(("red", "green", "blue"), 2), rule=rule)


def without(*down: str, error: Exception = GONE) -> Callable[[Request], str | Exception]:
    def script(request: Request) -> str | Exception:
        return error if request.model.name in down else answer(request)

    return script


async def voters(here: Rig, state: str = "") -> set[str]:
    """Who has voted, of the items as they stand."""

    def operation(connection: object) -> set[str]:
        found: set[str] = set()
        for row in items.pages(connection, state):  # type: ignore[arg-type]
            body = here.pipeline.body(state_of(here.pipeline, row.seed, items.answers(connection, row.seq)))  # type: ignore[arg-type]
            votes = (vote for one in (body.options if body else ()) for vote in one.votes)
            found |= {vote.by.partition("#")[0] for vote in votes}
        return found

    return await here.database.read(operation)


@pytest.mark.parametrize("error", [Down("nobody there", lasting=True), Transient("gone")], ids=["down", "failing"])
async def test_the_panel_goes_on_with_a_substitute_and_the_options_say_so(error: Exception) -> None:
    async with rig(with_substitute(), without("red", error=error)) as here:
        running = asyncio.create_task(here.run())
        while not running.done():
            await asyncio.sleep(0.005)
            here.clock.now += 700
        ended = await running

        assert ended.how in {How.DONE, How.WAITING}
        assert await voters(here) == {"spare", "green", "blue"}
        bodies = [row.body for row in await here.database.read(lambda c: list(items.pages(c, "kept"))) if row.body]
        degraded = {one for body in bodies for option in body["options"] for one in option["degraded"]}
        assert degraded == {"spare#1 for red#1", "spare#2 for red#2"}


async def test_without_a_substitute_the_run_pauses() -> None:
    async with rig(with_substitute(""), without("red")) as here:
        assert (await here.run()).cause == "endpoint"


async def test_where_the_substitute_is_down_too_the_run_pauses() -> None:
    async with rig(with_substitute(), without("red", "spare")) as here:
        assert (await here.run()).cause == "endpoint"


async def test_what_a_checker_that_is_down_owes_in_other_roles_waits_for_it() -> None:
    """Nobody writes in its place, so nothing is given up: it writes once it is back."""
    made = with_substitute()
    roles = dict(made.campaign.roles) | {"write_question": Panel(("red",))}

    def script(request: Request) -> str | Exception:
        down = request.step == "check_option" or request.id > "8"  # it writes the first few
        return GONE if request.model.name == "red" and down else answer(request)

    async with rig(Recall.of(replace(made.campaign, roles=roles), Path()), script, reports=8) as here:
        assert (await here.run()).cause == "endpoint"
        failed = "SELECT DISTINCT step FROM answers WHERE body LIKE '%\"failure\"%'"
        assert await here.database.read(lambda c: c.execute(failed).fetchall()) in ([], [("check_option",)])
        owed = (
            "SELECT DISTINCT key LIKE 'write_question/%' FROM jobs WHERE queue = 'red' AND state IN ('ready', 'failed')"
        )
        assert await here.database.read(lambda c: c.execute(owed).fetchall()) == [(1,)]
        here.paid.answer = answer
        assert (await here.run()).how in {How.DONE, How.WAITING}


async def test_once_it_is_back_it_is_asked_again_about_what_has_not_ended_and_its_votes_take_the_place() -> None:
    async with rig(with_substitute(rule=TO_PEOPLE), without("red")) as here:
        await here.run()
        waiting = await voters(here, "waiting")
        assert "spare" in waiting
        ended = await voters(here, "kept")
        here.paid.answer = answer
        plan = planner(here.pipeline)
        assert await here.database.write(lambda c: ask_checkers_again(c, here.pipeline, plan, "later")) > 0
        assert await here.database.write(lambda c: ask_checkers_again(c, here.pipeline, plan, "later")) == 0
        here.tools.plans.forget()  # as in a new process
        assert await here.database.read(items.orphans) == []
        await here.run()

        assert await voters(here, "waiting") <= {"red", "green", "blue"}
        assert ended <= await voters(here, "kept")
