"""What a campaign will come to: intervals, limits, and both ways to a sample."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.foreign.campaign import campaign as strangers_campaign
from tests.foreign.pipeline import Pairs, registered
from tests.rig import rig
from tests.scripted_recall import answer, campaign, pipeline

from benchwright.config import load
from benchwright.domain.call import Reply, Request, Usage
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.engine.estimate import (
    Range,
    Sample,
    cached_share,
    describe_prices,
    duration,
    estimate,
    interval,
    measure_slots,
    times,
)
from benchwright.engine.pilot import estimate_from_pilot, part_of
from benchwright.engine.rough import refusals, rough, spread
from benchwright.engine.runner import Ended, How
from benchwright.engine.status import status
from benchwright.errors import CorpusError, UsageError
from benchwright.store.calls import Share

URL = "http://127.0.0.1:9/v1"
WRITER = Model("writer", "direct", "writer", URL, width=4, price_in=1.0, price_out=2.0)


def share(slot: int, step: str = "ask", model: str = "writer", **numbers: float | None) -> Share:
    values: dict[str, Any] = {"calls": 1, "prompt": 100, "completion": 10, "cached": 0, "thinking": 0, "cost": 0.5}
    return Share(slot, step, model, **values | {"latency": 2.0} | numbers)


def sample(*shares: Share, decisions: dict[int, int] | None = None) -> Sample:
    return Sample(tuple(sorted({one.slot for one in shares})), shares, decisions or {})


def one_model(**limits: Any) -> Campaign:
    return replace(campaign({"writer": replace(WRITER, **limits)}, Panel(("writer",))))


def test_what_is_known_is_no_guess() -> None:
    assert interval([1.0, 3.0], 2) == Range(4.0, 4.0, 4.0)
    assert interval([1.0, 3.0], 1) == Range(4.0, 4.0, 4.0)


def test_one_item_says_what_is_likely_and_not_how_wide_it_is() -> None:
    assert interval([2.0], 10) == Range(2.0, None, 20.0)


def test_few_items_say_less_than_many_and_never_less_than_was_spent() -> None:
    few, many = interval([1.0, 3.0], 100), interval([1.0, 3.0] * 20, 100)
    assert few.likely == many.likely == 200.0
    assert few.low == 4.0
    assert few.high
    assert many.high
    assert 40.0 < many.low < 200.0 < many.high < few.high


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    chance, held = Random(7), 0
    for _ in range(400):
        values = [chance.gauss(10, 3) for _ in range(60)]
        found = interval(values[:6], 60)
        held += found.low <= sum(values) <= (found.high or 0)
    assert 0.91 <= held / 400 <= 0.99


def test_an_estimate_adds_up_roles_models_money_and_people() -> None:
    shares = (share(0), share(1), share(0, "check", "judge", cost=None), share(1, "check", "judge", cost=None))
    found = estimate([sample(*shares, decisions={1: 2})], one_model(), 4, ["note"], "budget")
    assert (found.items, found.sampled, found.stopped, found.notes) == (4, 2, "budget", ("note",))
    assert [(line.role, line.model, line.cost and line.cost.likely) for line in found.lines] == [
        ("ask", "writer", 2.0),
        ("check", "judge", None),
    ]
    assert found.calls == Range(8, 8, 8)
    assert (found.cost.likely, found.unpriced) == (2.0, ("judge",))
    assert (found.decisions.likely, found.minutes.likely) == (4.0, 6.0)
    assert found.json()["lines"][0]["role"] == "ask"


def test_an_unknown_price_is_null_in_json_and_never_zero() -> None:
    known, unknown = share(0), share(0, "check", "judge", cost=None)
    values = estimate([sample(known, unknown)], one_model(), 1, []).json()
    assert (values["cost"], values["known_cost"]["low"], values["lines"][1]["cost"]) == (None, 0.5, None)
    assert estimate([sample(known)], one_model(), 1, []).json()["cost"]["low"] == 0.5


def test_the_cached_share_of_a_line_is_that_of_its_role_and_model() -> None:
    shares = share(0, cached=25), share(0, "check", cached=75), share(0, "check", "judge", cached=0)
    found = estimate([sample(*shares)], one_model(), 1, [])
    assert {(line.role, line.model): line.cached for line in found.lines} == {
        ("ask", "writer"): 0.25,
        ("check", "writer"): 0.75,
        ("check", "judge"): 0.0,
    }


def test_two_plays_give_the_lowest_and_the_highest() -> None:
    low, high = sample(share(0), share(1)), sample(share(0, calls=3, cost=None), share(1, calls=5, latency=4.0))
    found = estimate([low, high], one_model(), 10, [])
    assert found.calls == Range(10, 40)
    assert found.seconds == Range(5.0, 7.5)


def test_time_is_what_the_busiest_endpoint_needs_within_its_limits_and_at_least_one_items() -> None:
    found = sample(*(share(slot) for slot in range(2)), share(0, "later"))
    assert duration(found, one_model(), 200) == 6.0 * 100 / 4
    assert duration(found, one_model(rpm=60), 200) == 300.0
    assert duration(found, one_model(rpm=60, tpm=3300), 200) == 600.0
    assert duration(found, one_model(width=1000), 200) == 4.0
    assert duration(sample(share(0, model="gone")), one_model(), 1) == 2.0
    assert duration(Sample((0,), (), {}), one_model(), 1) == 0.0


def test_nothing_measured_takes_no_time() -> None:
    found = estimate([Sample((0,), (), {})], one_model(), 2, [])
    assert (found.seconds, found.lines, found.calls) == (Range(0, 0, 0), (), Range(0, None, 0))


def test_small_sums() -> None:
    assert cached_share([]) == 0.0
    assert cached_share([share(0, cached=25)]) == 0.25
    assert times(Range(1, None), 3) == Range(3, None)
    assert describe_prices(one_model()) == ["writer: $1 in, $2 out, $1 cached, per million tokens"]
    assert describe_prices(one_model(price_in=None, price_out=None)) == [
        "writer: price unknown; give it price_in and price_out"
    ]


def mended(request: Request) -> str:
    """Every first question is bad, and good when it is asked again."""
    good = request.messages[-1].content.startswith("Your reply") or request.step != "write_question"
    return answer(request) if good else "no json"


async def test_a_pilot_counts_repairs_and_only_items_that_have_ended() -> None:
    async with rig(pipeline(), mended, reports=4) as one:
        object.__setattr__(one.tools, "slots", 2)
        ended = await one.run()
        found = await one.database.read(lambda connection: measure_slots(connection, 1))
        assert found.slots == (0, 1)
        spent = (await one.database.read(status)).spending
        assert sum(found.each(lambda share: share.calls)) == pytest.approx(sum(row.calls for row in spent))
        assert found.each(lambda share: share.calls, ("write_question", "writer")) == [2.0, 2.0]
        paused = part_of(ended, 2, await one.database.read(status))
        assert paused == Ended(How.PAUSED, "the pilot of 2 items has ended")
        assert part_of(paused, 9, await one.database.read(status)) == paused
        assert part_of(ended, 4, await one.database.read(status)) == ended
        whole = await one.database.read(
            lambda connection: estimate_from_pilot(connection, one.pipeline, one.pipeline.campaign, 2, paused)
        )
        assert (whole.items, whole.sampled, whole.stopped) == (4, 2, "")
        early = await one.database.read(
            lambda connection: estimate_from_pilot(connection, one.pipeline, one.pipeline.campaign, 3, paused)
        )
        assert early.stopped == "the pilot of 2 items has ended"
        asked = len(one.paid.history)
        object.__setattr__(one.tools, "slots", 4)
        await one.run()
        assert len({request.id for request in one.paid.history}) == len(one.paid.history) > asked


async def test_a_pilot_in_which_no_item_has_ended_has_nothing_to_tell() -> None:
    async with rig(pipeline()) as one:
        with pytest.raises(UsageError, match="nothing to measure: asked to pause"):
            await one.database.read(
                lambda connection: estimate_from_pilot(
                    connection, one.pipeline, one.pipeline.campaign, 2, Ended(How.PAUSED, "asked to pause")
                )
            )


async def test_a_slot_with_a_try_left_has_not_ended() -> None:
    def nothing(request: Request) -> str | Reply:
        return Reply("", finish="refused", usage=Usage(1, 1), call=request.id)

    async with rig(pipeline(quota=Quota(tries=2)), nothing, reports=1) as one:
        await one.run()
        assert (await one.database.read(partial(measure_slots, tries=2))).slots == (0,)
        assert (await one.database.read(partial(measure_slots, tries=3))).slots == ()


def corpus(folder: Path, count: int) -> None:
    for number in range(count):
        text = f"# Report {number}\n\n## Findings\n\nIn valley {number} people fell ill. Most of them were young.\n"
        (folder / f"report-{number:02}.md").write_text(text, "utf-8")


async def test_a_rough_estimate_reckons_with_what_the_pipeline_expects_and_writes_nothing(tmp_path: Path) -> None:
    corpus(tmp_path, 30)
    plays = pipeline(models={"writer": WRITER}, panel=Panel(("writer",), 3, batch=True))
    said: list[str] = []
    found = await rough(plays.campaign, plays, tmp_path, said.append)
    assert (found.items, found.sampled) == (30, 12)
    assert [line.role for line in found.lines] == [
        role for role in plays.campaign.roles if role not in {"check_stem", "check_evidence"}
    ]
    check = found.lines[-1]
    assert check.calls.low == 60  # two waves settle an option on which all agree
    assert check.calls.high
    assert check.calls.high > 60
    assert found.calls.low == 30 * 5 + 60
    assert 0 < found.cost.low < (found.cost.high or 0)
    assert found.decisions.low == 0
    assert any("batch" in note for note in found.notes)
    assert len(list(tmp_path.iterdir())) == 30


async def test_a_target_of_many_items_from_few_documents_is_reckoned_too(tmp_path: Path) -> None:
    corpus(tmp_path, 2)
    plays = pipeline(
        models={"writer": replace(WRITER, price_in=None)}, panel=Panel(("writer",)), quota=Quota(target=40)
    )
    found = await rough(plays.campaign, plays, tmp_path, print)
    assert (found.items, found.sampled) == (40, 2)
    assert all(line.cost is None for line in found.lines)
    assert found.unpriced == ("writer",)


async def test_a_corpus_without_a_document_has_no_estimate(tmp_path: Path) -> None:
    (tmp_path / "empty.md").write_text("", "utf-8")
    plays = pipeline()
    with pytest.raises(CorpusError):
        await rough(plays.campaign, plays, tmp_path, print)


def test_documents_are_taken_at_even_distances() -> None:
    assert spread("abcdefgh", 4) == list("aceg")
    assert spread("ab", 4) == ["a", "b"]


async def test_more_attempts_and_longer_documents_cost_more(tmp_path: Path) -> None:
    corpus(tmp_path, 2)
    once, thrice = (
        pipeline(models={"writer": WRITER}, panel=Panel(("writer",)), quota=Quota(1, tries=n)) for n in (1, 3)
    )
    few, many = [await rough(one.campaign, one, tmp_path, print) for one in (once, thrice)]
    assert few.calls.low == many.calls.low
    assert (many.calls.high, many.decisions.high) == (3 * (few.calls.high or 0), 3 * (few.decisions.high or 0))
    (tmp_path / "report-00.md").write_text("# Long\n\n" + "It rained in the valley. " * 200, "utf-8")
    assert (await rough(once.campaign, once, tmp_path, print)).prompt.low > few.prompt.low


async def test_a_model_in_this_process_is_reckoned_slower(tmp_path: Path) -> None:
    corpus(tmp_path, 1)
    local = replace(WRITER, provider="local")
    slow, fast = (pipeline(models={"writer": one}, panel=Panel(("writer",))) for one in (local, WRITER))
    first, second = [await rough(one.campaign, one, tmp_path, print) for one in (slow, fast)]
    assert first.seconds.low > second.seconds.low


def test_files_that_a_run_would_refuse_are_shown_with_their_reasons_the_first_of_them() -> None:
    few = {"a.md": "is empty", "b.bin": "is binary"}
    assert list(refusals(few, 2)) == ["refused a.md: is empty", "refused b.bin: is binary"]
    *shown, rest = refusals({f"{number}.md": "is empty" for number in range(13)}, 13)
    assert (len(shown), rest) == (10, "and 3 more files refused")


async def test_a_later_phase_is_reckoned_by_as_many_items_as_it_wants_of_all_that_the_one_before_may_keep(
    tmp_path: Path,
) -> None:
    with registered():
        plays = Pairs.of(load(strangers_campaign(tmp_path, URL)), tmp_path)
    with (tmp_path / "records.jsonl").open("a", encoding="utf-8") as records:
        records.write("no record\n")
    said: list[str] = []
    found = await rough(plays.campaign, plays, tmp_path, said.append)

    assert [line.partition(": ")[0] for line in said] == ["refused records.jsonl:7"]
    assert found.items == 18  # a query for each of six records, and two pairs with each query
    calls = {(line.role, line.model): (line.calls.low, line.calls.high) for line in found.lines}
    assert calls["write_query", "writer"] == pytest.approx((6, 6))
    assert calls["grade_pair", "second"] == pytest.approx((12, 12))
    assert (found.decisions.low, found.decisions.high) == pytest.approx((0, 12))
