"""Another rule over the votes on record: what it would make of a campaign is what it makes of it when applied."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest
from tests.rig import Rig, rig
from tests.scripted_recall import answer, pipeline

from benchwright.domain.call import Request
from benchwright.domain.campaign import Panel, Quota
from benchwright.domain.vote import Routed, Rule, Tally, route
from benchwright.engine.checkers import measure_checkers
from benchwright.engine.runner import How
from benchwright.engine.whatif import WhatIf, demand_votes, look, replan_slots, whatif, with_route
from benchwright.errors import Refused, UsageError
from benchwright.pipelines.base import state_of
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import items

NOW = Rule(Fraction(2, 3), Fraction(1, 3), 2)
STRICT = Rule(Fraction(5, 6), Fraction(2, 3), 2)
LAX = Rule(Fraction(1, 3), Fraction(1, 6))


def recall(rule: Rule = NOW, waves: str = "eager", **others: object) -> Recall:
    terms = {"rule": rule, "waves": waves, "quota": Quota(target=6, tries=2), "min_options": 2}
    return pipeline(**{**terms, **others})


def under(made: Recall, rule: Rule, panel: Panel | None = None) -> Recall:
    """The same campaign under another rule, or with another panel."""
    roles = dict(made.campaign.roles) | ({"check_option": panel} if panel else {})
    return Recall.of(replace(made.campaign, rule=rule, roles=roles), Path())


async def looked(here: Rig, then: Recall) -> WhatIf:
    return await here.database.read(lambda connection: whatif(connection, here.pipeline, then))


async def states(here: Rig) -> Counter[str]:
    """The states of the last tries as stored."""
    rows = await here.database.read(lambda c: [items.get(c, seq) for seq in items.latest(c)])
    return Counter(row.state for row in rows)


async def ratios(here: Rig, made: Recall) -> list[str]:
    """The ratio of every option that passed the gates, under a pipeline."""

    def operation(connection: object) -> list[str]:
        found = []
        for row in items.pages(connection):  # type: ignore[arg-type]
            state = state_of(made, row.seed, items.answers(connection, row.seq))  # type: ignore[arg-type]
            body = made.body(state)
            found += [one.ratio for one in (body.options if body else ()) if not one.gate]
        return found

    return await here.database.read(operation)


async def test_the_same_rule_changes_nothing() -> None:
    async with rig(recall()) as here:
        assert (await here.run()).how in {How.WAITING, How.DONE, How.PARTIAL}
        found = await looked(here, here.pipeline)

        assert found.now == found.then
        assert found.now.items == await states(here)
        assert all(now == then for now, then in found.moved)
        assert (found.now.votes, found.now.things["open"]) == (0, 0)
        assert not await here.database.write(lambda c: replan_slots(c, here.pipeline))


@pytest.mark.untraced
@pytest.mark.parametrize("rule", [STRICT, LAX], ids=["strict", "lax"])
async def test_with_all_votes_on_record_every_option_gets_the_route_that_its_ratio_has_under_the_new_rule(
    rule: Rule,
) -> None:
    async with rig(recall()) as here:
        await here.run()
        then = under(here.pipeline, rule)
        found = await looked(here, then)

        expected: Counter[str] = Counter()
        tenths: Counter[int] = Counter()
        for ratio in await ratios(here, then):
            keep, cast = map(int, ratio.split("/"))
            expected[route(Tally(keep, cast), rule) if cast else "unasked"] += 1
            tenths[10 * keep // cast if cast else -1] += 1
        assert found.then.things == expected
        assert found.then.things != found.now.things
        assert {tenth: n.total() for tenth, n in found.then.ratios.items()} == {
            t: n for t, n in tenths.items() if t >= 0
        }
        assert sum(found.moved.values()) == expected.total()


@pytest.mark.untraced
@pytest.mark.parametrize("rule", [STRICT, LAX], ids=["strict", "lax"])
async def test_what_it_would_make_of_the_items_is_what_it_makes_of_them_when_applied(rule: Rule) -> None:
    async with rig(recall()) as here:
        await here.run()
        await here.decide_all()
        await here.run()
        then = under(here.pipeline, rule)
        before, found = await here.states(), await looked(here, then)
        moved = await here.database.write(lambda c: replan_slots(c, then))

        assert await states(here) == found.then.items
        assert moved
        after = await here.states()
        assert any(before[name] == after[name] for name in before)  # the rest is left as it was
        assert not await here.database.write(lambda c: replan_slots(c, then))


@pytest.mark.untraced
async def test_of_an_early_stopped_campaign_open_options_are_counted_as_open_and_settled_by_asking_as_many_at_most(
    tmp_path: Path,
) -> None:
    path = tmp_path / "campaign.db"
    async with rig(recall(LAX, "frugal", quota=Quota(target=6), refills=0), path=path) as here:
        await here.run()
        then = under(here.pipeline, STRICT)
        found = await looked(here, then)
        assert found.then.things["open"] > 0
        assert found.then.votes >= found.then.things["open"]
        assert found.now.things["open"] == 0
        await here.database.write(lambda c: replan_slots(c, then))
        assert (await states(here))["open"] == found.then.items["open"] > 0
    async with rig(then, path=path) as here:
        await here.run()
        after = await looked(here, then)
        asked = sum(len(call.schema["properties"]["verdicts"]["properties"]) for call in here.paid.history)
        assert 0 < asked <= found.then.votes
        assert after.then.things["open"] == after.then.votes == 0
        kept, gone = after.then.things["keep"], after.then.things["reject"] + after.then.things["unasked"]
        assert kept >= found.then.things["keep"]  # what was settled stays so
        assert gone >= found.then.things["reject"]


async def test_an_item_that_ends_the_same_with_other_votes_is_stored_anew_and_has_not_moved() -> None:
    async with rig(recall()) as here:
        await here.run()
        fewer = under(here.pipeline, NOW, Panel(("red", "blue"), 2))
        last = await here.database.read(items.latest)
        before = {seq: await here.database.read(partial(items.get, seq=seq)) for seq in last}
        moved = await here.database.write(lambda c: replan_slots(c, fewer))
        after = {seq: await here.database.read(partial(items.get, seq=seq)) for seq in last}

        pairs = [(before[seq], after[seq]) for seq in last]
        assert any(old.state == new.state and old.body != new.body for old, new in pairs)
        assert moved == Counter((old.state, new.state) for old, new in pairs if old.state != new.state)


async def test_an_earlier_try_whose_slot_has_gone_on_is_not_taken_back() -> None:
    async with rig(recall(Rule(Fraction(1), Fraction(1), 2), min_options=4, refills=0)) as here:
        await here.run()
        last = set(await here.database.read(items.latest))
        rows = await here.database.read(lambda c: list(items.pages(c)))
        given_up = {row.id: row.state for row in rows if row.seq not in last}
        assert given_up

        await here.database.write(lambda c: replan_slots(c, under(here.pipeline, Rule(Fraction(0), Fraction(0)))))

        rows = await here.database.read(lambda c: list(items.pages(c)))
        assert {row.id: row.state for row in rows if row.id in given_up} == given_up
        assert {row.state for row in rows if row.seq in last} != {"discarded"}


def test_an_option_that_nobody_has_voted_on_has_no_ratio() -> None:
    found = look([], [Routed("unasked", None, 0, ""), Routed("keep", Fraction(1), 0, "keep")])

    assert found.things == {"unasked": 1, "keep": 1}
    assert found.ratios == {10: {"keep": 1}}


def test_votes_that_are_lacking_leave_a_thing_open_only_while_its_item_asks_for_them() -> None:
    lacking, routed = Routed("", None, 2, ""), Routed("keep", Fraction(1), 1, "")

    assert with_route(lacking, asked=True) == Routed("open", None, 2, "")
    assert with_route(lacking, asked=False) == Routed("unasked", None, 0, "")
    assert with_route(routed, asked=True) == replace(routed, lacks=0)


class Unvoted(Recall):
    """A pipeline in which no yes/no vote stands under the campaign's rule."""

    roles = ()


def test_where_nothing_is_decided_by_yes_or_no_another_rule_is_refused_in_words() -> None:
    demand_votes(recall())
    with pytest.raises(UsageError, match=r"no option of this kind is decided by yes/no votes under \[rule\]"):
        demand_votes(Unvoted.of(recall().campaign, Path()))


@pytest.mark.untraced
async def test_without_a_checker_its_votes_do_not_count() -> None:
    async with rig(recall()) as here:
        await here.run()
        fewer = under(here.pipeline, NOW, Panel(("red", "blue"), 2))
        found = await looked(here, fewer)

        assert max(int(ratio.split("/")[1]) for ratio in await ratios(here, fewer)) == 4
        assert found.then.things != found.now.things


async def test_what_people_decided_is_counted_by_the_route_of_now_and_of_then() -> None:
    async with rig(recall(Rule(Fraction(9, 10), Fraction(1, 10), 2))) as here:
        await here.run()
        decided = await here.decide_all()
        found = await looked(here, under(here.pipeline, LAX))

        assert set(found.now.people) == {"human"}
        assert sum(found.now.people["human"].values()) == decided > 0
        assert set(found.then.people) <= {"keep", "human", "reject"}
        assert sum(n.total() for n in found.then.people.values()) == decided
        assert len(found.then.people) > 1


def refusing(request: Request) -> str:
    """The usual models, but none of them writes a question."""
    if request.step == "write_question":
        raise Refused
    return answer(request)


async def test_an_item_without_a_question_has_nothing_that_was_voted_on() -> None:
    async with rig(recall(), refusing) as here:
        await here.run()
        found = await looked(here, here.pipeline)

        assert (set(found.now.items), found.now.things) == ({"discarded"}, Counter())
        assert await here.database.read(partial(measure_checkers, pipeline=here.pipeline)) == ()


def stamping(request: Request) -> str:
    """The usual checkers, but one that says the same to everything."""
    said = answer(request)
    return (
        said.replace('"wrong"', '"correct"').replace('"flawed"', '"correct"').replace('"cannot_say"', '"correct"')
        if request.step == "check_option" and request.model.name == "green"
        else said
    )


async def test_checkers_are_measured_from_the_store_planted_options_included() -> None:
    async with rig(recall(planted=1.0), stamping) as here:
        await here.run()
        (found,) = await here.database.read(partial(measure_checkers, pipeline=here.pipeline))

        assert {one.model for one in found.checkers} == {"red", "green", "blue"}
        (green,) = (one for one in found.checkers if one.model == "green")
        assert "rubber stamp" in green.flag
        assert green.false_positives.n == green.false_positives.of > 0
        assert green.true_positives.of == green.false_positives.of
        assert len(found.pairs) == 3
        assert found.alpha.value is not None
