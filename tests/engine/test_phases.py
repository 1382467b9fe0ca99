"""Phases: what each draws on is fixed at its barrier, whatever a run meets on its way there."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.phased.pipeline import PAIRS, QUERIES, Pairs, answer, campaign, item_of
from tests.phased.rig import Rig, phased, write_records

from benchwright.domain.call import Request
from benchwright.domain.campaign import Quota
from benchwright.domain.source import ItemRef, RecordRef, as_reading
from benchwright.engine import runner as module
from benchwright.engine.barrier import Admission
from benchwright.engine.runner import Ended, How, Runner
from benchwright.engine.status import status
from benchwright.errors import BadKey, NotFound, Refused
from benchwright.store import items, jobs, phases, sources
from benchwright.store.database import Connection

RECORDS = 6


@pytest.fixture(autouse=True)
def look_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LOOK", 0.005)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_records(tmp_path, RECORDS)
    return tmp_path


def pairs(quota: Quota | None = None, asks_people: float = 0.0) -> Pairs:
    return Pairs(campaign(quota), asks_people=asks_people)


async def begun(one: Rig) -> tuple[phases.Phase, ...]:
    return await one.database.read(phases.every)


async def test_the_second_phase_draws_on_the_kept_items_of_the_first_in_their_order(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        assert await one.run() == Ended(How.DONE)
        rows = await one.database.read(lambda c: list(items.pages(c)))
        queries = [row.id for row in rows if row.seed.phase == QUERIES]
        asked = [item_of(row.seed) for row in rows if row.seed.phase == PAIRS]
        assert len(queries) == RECORDS
        assert asked == [name for name in queries for _ in range(2)]
        assert [row.seed.slot for row in rows] == [*range(RECORDS), *range(2 * RECORDS)]
        assert one.lines == [f"phase pairs begins on {RECORDS} kept items"]


async def test_what_a_phase_draws_on_is_on_record_under_its_hash(folder: Path) -> None:
    async with phased(pairs(), folder) as one, phased(pairs(), folder) as other:
        await one.run()
        await other.run()
        first, second = await begun(one)
        assert first == phases.Phase(0, QUERIES, RECORDS)
        assert (second.name, second.wanted, second.drawn, second.without) == (PAIRS, 2 * RECORDS, RECORDS, 0)
        assert second.inputs
        assert await begun(other) == (first, second)


async def test_no_pair_begins_before_every_query_has_ended(folder: Path) -> None:
    steps: list[str] = []

    def noting(request: Request) -> str:
        steps.append(request.step)
        return answer(request)

    async with phased(pairs(), folder, noting) as one:
        await one.run()
    assert steps == ["write_query"] * RECORDS + ["grade_pair"] * 2 * RECORDS


async def test_agents_see_the_query_and_the_record_of_a_pair(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        await one.run()
        row = next(row for row in await one.database.read(lambda c: list(items.pages_of(c, PAIRS))))
        text = as_reading(await one.tools.readings.get(row.seed.about)).text
        assert text.startswith("query: what is ")
        assert "title: report 0" in text
        assert row.seed.about == (ItemRef(item_of(row.seed)), RecordRef(row.seed.about[1].record))  # type: ignore[index,union-attr]
        name = await one.database.read(partial(sources.name_of, about=row.seed.about))
        assert name == f"item {item_of(row.seed)[:10]} + records.jsonl:1"


def refusing(share: int) -> tuple[Counter[str], "partial[str | Exception]"]:
    """A model that declines some queries for good."""
    seen = Counter[str]()

    def script(request: Request) -> str | Exception:
        seen[request.id] += 1
        declines = request.step == "write_query" and int(request.id[:4], 16) % share == 0
        return Refused("I will not") if declines else answer(request)

    return seen, partial(script)


async def test_discarded_queries_are_refilled_before_the_barrier_falls_and_are_no_part_of_the_next_phase(
    folder: Path,
) -> None:
    _, script = refusing(2)
    async with phased(pairs(Quota(target=9, tries=3)), folder, script) as one:
        ended = await one.run()
        queries = await one.database.read(lambda c: list(items.pages_of(c, QUERIES)))
        kept = [row.id for row in queries if row.state == "kept"]
        assert any(row.seed.attempt for row in queries)
        _, second = await begun(one)
        assert (second.drawn, second.wanted) == (len(kept), 2 * len(kept))
        short = 9 - len(kept)
        assert ended == (
            Ended(How.PARTIAL, f"{short} of 9 items of phase queries could not be made") if short else Ended(How.DONE)
        )
        found = await one.database.read(status)
        assert (found.wanted, found.items["kept"]) == (9 + second.wanted, len(kept) + second.wanted)
        assert [phase.items.get("kept") for phase in found.phases] == [len(kept), second.wanted]


async def test_where_nothing_is_kept_the_next_phase_begins_on_nothing_and_the_run_ends_short(folder: Path) -> None:
    _, script = refusing(1)
    async with phased(pairs(), folder, script) as one:
        short = Ended(How.PARTIAL, "no item was kept for the phase pairs to begin with")
        assert [await one.run(), await one.run()] == [short, short]
        _, second = await begun(one)
        assert (second.drawn, second.wanted) == (0, 0)


async def test_items_that_wait_for_people_hold_their_barrier_and_the_run_says_so(folder: Path) -> None:
    async with phased(pairs(asks_people=0.5), folder) as one:
        ended = await one.run()
        waiting = await one.database.read(lambda c: len(jobs.in_queue(c, "human")))
        assert 0 < waiting < RECORDS
        assert ended == Ended(
            How.WAITING, f"people owe {waiting} decisions before the phase pairs can begin", phase=PAIRS
        )
        assert await one.decide_all(1) == 1
        assert (await one.run()).phase == (PAIRS if waiting > 1 else "")
        assert len(await begun(one)) == 1
        assert (await one.to_the_end()).how is How.DONE
        assert len(await begun(one)) == 2


async def test_a_phase_may_begin_without_the_items_that_wait_which_are_no_part_of_it_for_good(folder: Path) -> None:
    quota = Quota(wait_for_people=False)
    async with phased(pairs(quota, asks_people=0.5), folder) as one:
        ended = await one.run()
        _, second = await begun(one)
        assert second.without > 0
        assert second.drawn == RECORDS - second.without
        assert ended == Ended(How.WAITING, f"people owe {second.without} decisions")
        without = f"without {second.without} that wait for people"
        assert one.lines == [f"phase pairs begins on {second.drawn} kept items, {without}"]
        before = [end for end in await one.ends() if end[1] == PAIRS]
        assert (await one.to_the_end()).how is How.DONE
        assert [end for end in await one.ends() if end[1] == PAIRS] == before
        assert (await begun(one))[1] == second


async def test_a_phase_does_not_begin_without_people_as_long_as_nothing_is_kept(folder: Path) -> None:
    async with phased(pairs(Quota(wait_for_people=False), asks_people=1.0), folder) as one:
        words = f"people owe {RECORDS} decisions before the phase pairs can begin"
        assert await one.run() == Ended(How.WAITING, words, phase=PAIRS)
        while not await one.database.read(lambda c: list(items.pages(c, "kept"))):
            assert await one.decide_all(1)
        await one.run()
        _, second = await begun(one)
        assert second.drawn == 1
        assert (await one.to_the_end()).how is How.DONE


def cut_off(script: "partial[str | Exception]", left: Iterator[int], request: Request) -> str | Exception:
    return script(request) if next(left, None) is not None else BadKey("gone")


@pytest.mark.untraced
@pytest.mark.parametrize("people", [0.0, 0.4])
@pytest.mark.parametrize("wait", [True, False])
async def test_a_run_cut_at_any_call_exports_the_same_set(folder: Path, people: float, *, wait: bool) -> None:
    quota = Quota(target=7, tries=3, wait_for_people=wait)
    _, script = refusing(4)
    async with phased(pairs(quota, people), folder, script) as one:
        await one.to_the_end()
        whole, calls, recorded = await one.ends(), len(one.paid.history), await begun(one)
    for cut in range(calls):
        cutting = partial(cut_off, script, iter(range(cut)))
        path = folder / f"{cut}-{people}-{wait}.db"
        async with phased(pairs(quota, people), folder, cutting, path=path) as one:
            with suppress(BadKey):
                await one.to_the_end()
        async with phased(pairs(quota, people), folder, script, path=path) as one:
            await one.to_the_end()
            assert await one.ends() == whole
            assert await begun(one) == recorded


@pytest.mark.parametrize("when", ["draw", "want", "add", "go_on"])
async def test_a_death_within_the_transaction_of_a_barrier_leaves_it_standing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    async with phased(pairs(), folder) as one:
        await one.run()
        whole = await one.ends()

    async with phased(pairs(), folder) as one:
        with monkeypatch.context() as patch:
            room = {"draw": phases, "want": phases, "add": items, "go_on": jobs}[when]
            usual = getattr(room, when)

            def sometimes(connection: Connection, *args: object) -> object:
                at_the_barrier = connection.execute("SELECT count(*) FROM phases").fetchone() == (2,)
                if at_the_barrier or when == "draw":
                    raise BadKey("died")
                return usual(connection, *args)

            patch.setattr(room, when, sometimes)
            with pytest.raises(BadKey, match="died"):
                await one.run()
            assert len(await begun(one)) == 1
        assert (await one.run()).how is How.DONE
        assert await one.ends() == whole


async def test_a_pilot_makes_items_of_the_first_phase_only(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        assert await one.run(slots=RECORDS + 1) == Ended(How.PAUSED, "a pilot ends before the phase pairs")
        assert len(await begun(one)) == 1
        assert {phase for _, phase, _ in await one.ends()} == {QUERIES}


async def test_a_query_that_changes_after_its_barrier_is_seen_as_it_was_then(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        await one.run()
        [first, *_] = await one.database.read(lambda c: list(items.pages_of(c, QUERIES)))
        await one.database.write(lambda c: c.execute("UPDATE items SET body = '{}' WHERE seq = ?", (first.seq,)))
        assert await one.database.read(lambda c: phases.item_body(c, first.id)) == first.body
        drawn = await one.database.read(lambda c: [outline.body for outline in phases.Inputs(c, 1)])
        assert drawn[0] == first.body


async def test_an_item_without_a_body_is_seen_by_nobody(folder: Path) -> None:
    async with phased(pairs(asks_people=1.0), folder) as one:
        await one.run()
        [first, *_] = await one.database.read(lambda c: list(items.pages(c)))
        for name in (first.id, "nobody"):
            with pytest.raises(NotFound, match=f"no finished item {name}"):
                await one.database.read(partial(phases.item_body, item=name))


async def test_more_items_wanted_by_a_changed_campaign_are_recorded_at_the_next_run(folder: Path) -> None:
    async with phased(pairs(asks_people=1.0), folder) as one:
        await one.run()
        more = replace(one.pipeline, campaign=replace(one.pipeline.campaign, quota=Quota(per_document=2)))
        await one.database.write(Admission(more.campaign, more, one.tools.plans).open)
        [first] = await begun(one)
        assert first.wanted == 2 * RECORDS


async def test_a_campaign_that_has_ended_asks_nothing_when_run_again(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        await one.run()
        before = len(one.paid.history)
        assert (await one.run()).how is How.DONE
        assert len(one.paid.history) == before
        assert json.loads((await one.ends())[0][2])[0] == "kept"


async def test_items_begin_even_before_a_run_has_opened_the_first_phase(folder: Path) -> None:
    async with phased(pairs(), folder) as one:
        runner = Runner(one.tools)
        assert (await one.database.write(runner.admit)).items == RECORDS


async def test_each_agent_is_shown_its_sources_in_its_own_frame(folder: Path) -> None:
    asked: dict[str, str] = {}

    def noting(request: Request) -> str:
        asked.setdefault(request.step, request.messages[1].content)
        return answer(request)

    async with phased(pairs(), folder, noting) as one:
        await one.run()
    assert asked["write_query"].startswith("<record>\ntext: In week 0 there were 0 cases.\ntitle: report 0\n</record>")
    assert asked["grade_pair"].startswith("<record>\nquery: what is ")
    assert asked["grade_pair"].count("<record>") == 2
