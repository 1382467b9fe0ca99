"""No more calls at once, a minute, or tokens a minute than an endpoint allows; and no fewer."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import clock
from tests.llm.traffic import MODEL, Provider, ask_all, busiest, limit, request

from benchwright.domain.call import Reply, Request, Usage
from benchwright.errors import BadRequest, Down, Exhausted, RateLimited, Transient
from benchwright.llm.limits.limit import Gate, Limit
from benchwright.llm.limits.tokens import Expected, prompt_tokens
from benchwright.llm.providers.endpoint import endpoints
from benchwright.llm.providers.scripted import Scripted


def gate(llm: Limit) -> Gate:
    """The only one."""
    (found,) = llm.gates.values()
    return found


def sent(provider: Provider) -> list[tuple[float, int]]:
    return [(when, 1) for when, _ in provider.arrived]


def at_rest(llm: Limit) -> bool:
    """No place, no timer and no one in line is left behind."""
    return all(one.flying == 0 and not one.line and one.timer is None for one in llm.gates.values())


# ------------------------------------------------------------------------------------------------------------- width


def test_no_more_calls_are_in_flight_than_the_model_is_wide() -> None:
    provider = Provider()
    clock.run(lambda: ask_all(limit(provider, width=2), [request(n) for n in range(8)]))
    assert (provider.most, provider.times) == (2, [0, 0, 1, 1, 2, 2, 3, 3])


def test_entries_of_one_endpoint_share_its_limits_and_others_have_their_own() -> None:
    narrow = replace(MODEL, width=2)
    warm = replace(MODEL, name="warm", temperature=1.0, width=5)
    other = replace(MODEL, name="other", target="m-2", width=3)
    models = [narrow, warm, other]
    provider = Provider()
    clock.run(lambda: ask_all(Limit(provider, models), [request(n, model) for n in range(6) for model in models]))
    assert provider.most == 2 + 3


def test_what_entries_share_is_the_tightest_limit_and_the_longest_context() -> None:
    one = replace(MODEL, rpm=10, context=100, timeout=5.0, width=9)
    two = replace(MODEL, rpm=20, tpm=30, context=200, timeout=1.0, width=1, adaptive=True)
    (shared,) = endpoints([one, two]).values()
    assert (shared.rpm, shared.tpm, shared.context, shared.timeout, shared.width) == (10, 30, 200, 5.0, 1)
    assert shared.adaptive
    (alone,) = endpoints([MODEL, MODEL]).values()
    assert (alone.rpm, alone.tpm) == (None, None)


def test_an_adaptive_model_begins_small_and_opens_up_with_each_reply() -> None:
    provider = Provider()
    clock.run(lambda: ask_all(limit(provider, width=32, adaptive=True), [request(n) for n in range(60)]))
    assert [provider.times.count(second) for second in range(4)] == [4, 8, 16, 32]


def test_a_local_model_has_its_width_from_the_start() -> None:
    local = replace(MODEL, provider="local", base_url="", width=9, adaptive=True)
    provider = Provider()
    clock.run(lambda: ask_all(Limit(provider, [local]), [request(n, local) for n in range(9)]))
    assert provider.most == 9


def test_refusals_narrow_the_width_and_successes_bring_it_back() -> None:
    """Two hundred refusals, then fifty jobs that are asked again as the queue would."""
    provider = Provider(says=lambda n: RateLimited() if n < 200 else 10)
    llm = limit(provider, width=16, adaptive=True)
    narrowest = [16]

    async def job(n: int) -> Reply:
        while True:
            try:
                return await llm.ask(request(n))
            except RateLimited:
                narrowest.append(gate(llm).width.now)
                await asyncio.sleep(1)

    async def main() -> list[Reply]:
        return await asyncio.gather(*map(job, range(50)))

    assert len(clock.run(main)) == 50
    assert (min(narrowest), gate(llm).width.now) == (1, 16)
    assert at_rest(llm)


@pytest.mark.parametrize("adaptive", [True, False])
def test_while_an_endpoint_cools_down_nobody_leaves(adaptive: bool) -> None:
    provider = Provider(says=lambda n: RateLimited("slow down", 30) if n == 0 else 10)
    llm = limit(provider, width=2, adaptive=adaptive)

    async def main() -> list[Reply | BaseException]:
        asked = asyncio.create_task(ask_all(llm, [request(n) for n in range(5)]))
        await asyncio.sleep(2)
        (traffic,) = llm.traffic()
        assert traffic.cooling == clock.EPOCH + 31
        assert (traffic.width, traffic.most, traffic.waiting) == (1 if adaptive else 2, 2, 3)
        return await asked

    replies = clock.run(main)
    assert [type(reply) for reply in replies] == [RateLimited, *[Reply] * 4]
    assert provider.times[2] == 31
    assert llm.gates
    assert at_rest(llm)


async def test_a_cool_down_ends_by_the_real_clock_too() -> None:
    answers: list[str | Exception] = ["yes", RateLimited("slow down", 0.05)]
    llm = Limit(Scripted(lambda _: answers.pop()), [replace(MODEL, rpm=60)])
    with pytest.raises(RateLimited):
        await llm.ask(request(1))
    began = time.monotonic()
    assert (await llm.ask(request(2))).text == "yes"
    assert 0.04 <= time.monotonic() - began < 1


def test_a_rate_limit_is_raised_as_it_came() -> None:
    error = RateLimited("slow down", 7)
    llm = limit(Provider(says=lambda _: error))
    with pytest.raises(RateLimited) as raised:
        clock.run(lambda: llm.ask(request()))
    assert raised.value is error


def test_when_the_quota_is_used_up_nobody_stays_in_line() -> None:
    provider = Provider(says=lambda n: 10 if n < 3 else Exhausted("no credit", 3600))
    llm = limit(provider, width=3)
    replies = clock.run(lambda: ask_all(llm, [request(n) for n in range(100)]))
    errors = [reply for reply in replies if isinstance(reply, Exhausted)]
    assert len(errors) == 97
    assert {(str(error), error.retry_after) for error in errors} == {("no credit", 3600)}
    assert len(provider.arrived) == 6
    assert at_rest(llm)


# ------------------------------------------------------------------------------------------ requests, tokens a minute


def binding(provider: Provider, begin: float, end: float, rpm: int, tpm: int) -> float:
    """How much of the limit that binds was used in the minutes that end between these, in the mean."""
    first = provider.arrived[0][0]
    requests, tokens = sent(provider), provider.used

    def minute(events: Sequence[tuple[float, int]], ends: float) -> int:
        return sum(n for when, n in events if ends - 60 < when - first <= ends)

    ends = [begin + step / 2 for step in range(int(2 * (end - begin)))]
    return sum(max(minute(requests, at) / rpm, minute(tokens, at) / tpm) for at in ends) / len(ends)


@pytest.mark.parametrize("order", ["long first", "long last", "mixed"])
def test_long_and_tiny_prompts_together_exceed_no_minute_and_leave_none_unused(order: str) -> None:
    requests: list[Request] = []
    for round_ in range(8):
        part = [request(0, prompt=5500)] + [request(n, prompt=10) for n in range(1, 60)]
        if order == "mixed":
            Random(round_).shuffle(part)
        requests += part[::-1] if order == "long last" else part
    provider = Provider(says=lambda n: 12 + n % 7)
    llm = limit(provider, rpm=60, tpm=6000)
    clock.run(lambda: ask_all(llm, requests))
    assert len(provider.arrived) == 480
    assert busiest(sent(provider)) <= 60
    assert busiest(provider.used) <= 6000
    end = provider.times[-60]  # what is left then does not fill the minutes
    assert binding(provider, 60, end, 60, 6000) >= 0.95
    assert at_rest(llm)


def test_a_minute_of_requests_is_used_again_as_soon_as_it_is_over() -> None:
    provider = Provider()
    clock.run(lambda: ask_all(limit(provider, rpm=60), [request(n) for n in range(300)]))
    assert busiest(sent(provider)) == 60
    assert provider.times[-1] / 4 / 60 <= 1 / 0.95


def test_a_long_prompt_has_its_turn_though_short_ones_keep_coming() -> None:
    provider = Provider()
    llm = limit(provider, tpm=1000)

    async def main() -> float:
        async def stream(n: int) -> None:
            await asyncio.sleep(n / 4)
            await llm.ask(request(n, prompt=20))

        others = [asyncio.create_task(stream(n)) for n in range(600)]
        await asyncio.sleep(60)
        began = clock.now()
        await llm.ask(request(prompt=900))
        waited = clock.now() - began
        await asyncio.gather(*others)
        return waited

    # What was in line before it takes its time; then it waits for one minute at most.
    in_line = 240 - 1000 / 30
    assert clock.run(main) <= 61 + in_line / (1000 / 30) * 61
    assert busiest(provider.used) <= 1000


def test_short_ones_leave_before_a_long_one_only_where_it_need_not_wait_longer() -> None:
    provider = Provider(takes=lambda _: 0.1)
    llm = limit(provider, tpm=1000, max_tokens=10)

    async def main() -> None:
        await llm.ask(request(prompt=300))
        await asyncio.sleep(5)
        await ask_all(llm, [request(prompt=700), *(request(n, prompt=70) for n in range(9))])

    clock.run(main)
    # There is room for eight short ones at once, but beside the long one, a minute after the first, only for three.
    assert [prompt_tokens(asked) for _, asked in provider.arrived] == [300, *[70] * 3, 700, *[70] * 6]
    assert provider.times[3] < 6
    assert 60 <= provider.times[4] <= 61
    assert busiest(provider.used) <= 1000


def test_a_narrow_endpoint_keeps_its_only_place_for_the_first_in_line() -> None:
    provider = Provider(takes=lambda _: 50.0)
    llm = limit(provider, tpm=1000, max_tokens=10, width=1)
    clock.run(lambda: ask_all(llm, [request(prompt=800), request(prompt=800), request(prompt=20)]))
    assert [prompt_tokens(asked) for _, asked in provider.arrived] == [800, 800, 20]


def test_a_prompt_that_no_minute_can_hold_is_refused_with_advice() -> None:
    llm = limit(Provider(), tpm=100)
    with pytest.raises(BadRequest, match=r"'m': a prompt of about 1000 tokens .* raise tpm, or use shorter"):
        clock.run(lambda: llm.ask(request(prompt=1000)))
    assert at_rest(llm)


def test_a_reply_longer_than_a_minute_allows_is_let_through_at_the_full_price_of_a_minute() -> None:
    llm = limit(Provider(), tpm=100, max_tokens=10_000)
    assert gate(llm).tokens_to_reserve(request(model=replace(MODEL, max_tokens=10_000))) == 100


def test_expected_replies_are_learnt_for_each_step_and_never_exceed_what_is_allowed() -> None:
    expected = Expected()
    assert expected.reply("write", 500) == 500
    for _ in range(50):
        expected.learn("write", 100)
    assert expected.reply("write", 500) == 100
    assert expected.reply("write", 50) == 50
    assert expected.reply("check", 500) == 500
    for n in range(50):
        expected.learn("write", 80 + 40 * (n % 2))
    assert 120 <= expected.reply("write", 500) <= 150


def test_a_reply_that_used_more_than_was_reserved_counts_in_full() -> None:
    provider = Provider(says=lambda n: 400)
    llm = limit(provider, tpm=1000, max_tokens=10)
    clock.run(lambda: ask_all(llm, [request(n, prompt=90) for n in range(2)]))
    assert gate(llm).book.window.tokens == 2 * 490


def test_what_a_reply_used_beyond_its_reservation_counts_for_a_minute_from_then_on() -> None:
    provider = Provider(takes=lambda _: 30.0, says=lambda n: 800)
    llm = limit(provider, tpm=1000, max_tokens=10)

    async def main() -> None:
        await llm.ask(request(1, prompt=90))
        await llm.ask(request(2, prompt=290))

    clock.run(main)
    assert 90 <= provider.times[1] <= 91


def test_a_provider_that_counts_no_tokens_is_taken_to_use_what_was_reserved() -> None:
    class Silent(Provider):
        async def ask(self, request: Request) -> Reply:
            return replace(await super().ask(request), usage=Usage())

    llm = limit(Silent(), tpm=1000)
    clock.run(lambda: llm.ask(request(prompt=90)))
    assert gate(llm).book.window.tokens == 110


def test_a_refused_call_used_a_request_but_no_tokens_and_a_failed_one_may_have_used_both() -> None:
    errors = [RateLimited("slow"), Transient("dropped")]
    llm = limit(Provider(says=lambda n: errors[n]), tpm=1000, rpm=10)
    clock.run(lambda: ask_all(llm, [request(prompt=90), request(prompt=90)]))
    window = gate(llm).book.window
    assert (window.requests, window.tokens) == (2, 110)


def test_what_an_endpoint_that_is_down_was_not_asked_counts_for_nothing() -> None:
    llm = limit(Provider(says=lambda n: Down("down", asked=n == 0)), tpm=1000, rpm=10)
    clock.run(lambda: ask_all(llm, [request(prompt=90) for _ in range(5)]))
    window = gate(llm).book.window
    assert (window.requests, window.tokens) == (1, 110)
    assert at_rest(llm)


# ------------------------------------------------------------------------------------ nothing held, nothing left behind


def test_nested_work_completes_at_width_one() -> None:
    provider = Provider()
    llm = limit(provider, width=1)

    async def question(n: int) -> int:
        await llm.ask(request(n))
        checks = await asyncio.gather(*(llm.ask(request(10 * n + check)) for check in range(4)))
        return len(checks)

    async def item() -> int:
        await llm.ask(request(0))
        return sum(await asyncio.gather(*(question(n) for n in range(1, 6))))

    assert clock.run(item) == 20
    assert (provider.most, len(provider.arrived)) == (1, 26)


@pytest.mark.parametrize(("width", "rpm"), [(1, 1000), (9, 1)])
def test_the_line_is_not_looked_at_while_nothing_can_change(width: int, rpm: int) -> None:
    looks: list[float] = []

    def now() -> float:
        looks.append(clock.now())
        return looks[-1]

    llm = Limit(Provider(takes=lambda _: 1000.0), [replace(MODEL, width=width, rpm=rpm)], now=now)
    clock.run(lambda: ask_all(llm, [request(n) for n in range(9)]))
    assert len(looks) <= 9 * 4  # when it joins, when a minute is over, and twice when it has ended


ENDS = {
    "in line": (0.5, 1),
    "in flight": (1.5, 2),
    "at once": (0.0, 1),
}


@pytest.mark.parametrize("when", ENDS)
def test_a_cancelled_call_gives_its_place_back(when: str) -> None:
    after, arrived = ENDS[when]
    provider = Provider()
    llm = limit(provider, width=1, rpm=100, tpm=1000)

    async def main() -> None:
        first = asyncio.create_task(llm.ask(request(1)))
        second = asyncio.create_task(llm.ask(request(2)))
        await asyncio.sleep(after)
        second.cancel()
        await asyncio.wait([first, second])
        assert second.cancelled()
        assert len(provider.arrived) == arrived
        assert (await llm.ask(request(3))).text == "yes"

    clock.run(main)
    assert at_rest(llm)


def test_a_call_that_is_cancelled_in_the_moment_of_its_turn_has_asked_for_nothing() -> None:
    provider = Provider()
    llm = limit(provider, width=1, rpm=100, tpm=1000)

    async def main() -> None:
        async def ends_and_cancels() -> None:
            await llm.ask(request(1))
            second.cancel()  # its turn was given just now, and it has not gone on yet

        first = asyncio.create_task(ends_and_cancels())
        await asyncio.sleep(0)
        second = asyncio.create_task(llm.ask(request(2)))
        third = asyncio.create_task(llm.ask(request(3)))
        await asyncio.wait([first, second, third])
        assert second.cancelled()
        assert third.result().text == "yes"

    clock.run(main)
    assert len(provider.arrived) == gate(llm).book.window.requests == 2
    assert at_rest(llm)


@pytest.mark.parametrize(("gives_up", "tpm", "expected"), [(1, 9000, [90, 20, 30]), (2, 1000, [90, 30, 700])])
def test_who_is_cancelled_in_the_moment_in_which_the_line_moves_is_passed_over(
    gives_up: int, tpm: int, expected: list[int]
) -> None:
    class Cancels(Provider):
        async def ask(self, request: Request) -> Reply:
            reply = await super().ask(request)
            tasks[gives_up].cancel()  # it does not know yet when this call lands and the line moves
            return reply

    provider = Cancels(says=lambda n: 600 if n == 0 else 10)
    llm = limit(provider, width=1 if gives_up == 1 else 2, tpm=tpm)
    tasks: list[asyncio.Task[Reply]] = []

    async def main() -> None:
        model = replace(MODEL, max_tokens=10)
        first = request(prompt=90, model=replace(MODEL, max_tokens=600))
        others = [request(prompt=prompt, model=model) for prompt in (700, 20, 30)]  # the first of them has no room
        tasks[:] = [asyncio.create_task(llm.ask(asked)) for asked in [first, *others]]
        await asyncio.wait(tasks)

    clock.run(main)
    assert [prompt_tokens(asked) for _, asked in provider.arrived] == expected
    assert [task.cancelled() or task.result().text for task in tasks].count("yes") == 3
    assert at_rest(llm)


def test_who_gives_up_in_the_moment_in_which_the_quota_is_used_up_is_just_cancelled() -> None:
    llm = limit(Provider(says=lambda _: Exhausted("no credit")), width=1)

    async def main() -> None:
        async def ends_and_cancels() -> None:
            with pytest.raises(Exhausted):
                await llm.ask(request(1))
            for task in waiting[:2]:
                task.cancel()  # after the end of the line, but before they know

        first = asyncio.create_task(ends_and_cancels())
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(llm.ask(request(n))) for n in range(4)]
        await asyncio.sleep(0.5)
        waiting[2].cancel()
        asyncio.get_running_loop().call_at(1.0, waiting[3].cancel)  # before it, in the same turn of the loop
        await asyncio.wait([first, *waiting])
        assert all(task.cancelled() for task in waiting)

    clock.run(main)
    assert at_rest(llm)


def test_two_thousand_calls_leave_no_task_and_no_place_behind() -> None:
    chance = Random(1)
    ends: list[int | Exception] = [10, 10, 10, 10, Transient("gone"), RateLimited("slow", 0.2)]
    fates = [chance.choice(ends) for _ in range(2000)]
    llm = limit(Provider(takes=lambda _: chance.random(), says=lambda n: fates[n]), width=50, rpm=1000, adaptive=True)

    async def main() -> int:
        tasks = [asyncio.create_task(llm.ask(request(n))) for n in range(2000)]
        for task in chance.sample(tasks, 300):
            asyncio.get_running_loop().call_later(200 * chance.random(), task.cancel)
        await asyncio.wait(tasks)
        assert all(task.cancelled() or task.exception() or task.result() for task in tasks)
        return len(asyncio.all_tasks())

    assert clock.run(main) == 1
    assert at_rest(llm)


Plan = list[
    tuple[float, int, float, float | None]
]  # when asked, the prompt's tokens, how long it takes, when cancelled
PLANS = st.lists(
    st.tuples(st.floats(0, 90), st.integers(10, 450), st.floats(0, 80), st.one_of(st.none(), st.floats(0, 150))),
    max_size=30,
)


@settings(deadline=None)
@given(PLANS, st.integers(1, 8), st.integers(1, 40), st.sampled_from([1, 3, 50]))
def test_whatever_is_asked_no_minute_exceeds_its_limits(plan: Plan, rpm: int, said: int, width: int) -> None:
    """Replies are as long as those before, so that none overshoots; cancelled calls count all the same."""
    provider = Provider(takes=lambda n: plan[n % len(plan)][2], says=lambda _: said)
    llm = limit(provider, rpm=rpm, tpm=500, width=width, max_tokens=40)

    async def one(begin: float, prompt: int, cancelled: float | None) -> None:
        await asyncio.sleep(begin)
        async with asyncio.timeout(cancelled):
            await llm.ask(request(prompt=prompt, model=replace(MODEL, max_tokens=40)))

    async def main() -> None:
        jobs = (one(begin, prompt, cancelled) for begin, prompt, _, cancelled in plan)
        await asyncio.gather(*jobs, return_exceptions=True)

    clock.run(main)
    assert provider.most <= width
    assert busiest(sent(provider)) <= rpm
    assert busiest(provider.used) <= 500
    assert at_rest(llm)


def test_what_is_shown_of_an_endpoint() -> None:
    llm = limit(Provider(), width=2, rpm=100, tpm=1000)

    async def main() -> None:
        asked = asyncio.create_task(ask_all(llm, [request(n, prompt=90) for n in range(3)]))
        await asyncio.sleep(0.5)
        (traffic,) = llm.traffic()
        assert (traffic.model, traffic.width, traffic.most) == ("m", 2, 2)
        assert (traffic.flying, traffic.waiting, traffic.cooling) == (2, 1, None)
        assert (traffic.requests, traffic.tokens) == (2, 220)
        await asked
        (traffic,) = llm.traffic()
        assert (traffic.flying, traffic.requests, traffic.tokens) == (0, 3, 300)
        await asyncio.sleep(62)
        (traffic,) = llm.traffic()
        assert (traffic.requests, traffic.tokens) == (0, 0)

    clock.run(main)


def test_a_storm_of_refusals_is_told_once_a_minute_and_a_few_are_not() -> None:
    said: list[tuple[float, str]] = []

    async def main(refusals: int, wait: float | None) -> None:
        provider = Provider(says=lambda number: RateLimited("slow", wait) if number < refusals else 10)
        told = lambda line: said.append((clock.now() - clock.EPOCH, line))  # noqa: E731
        llm = Limit(provider, [replace(MODEL, width=4)], say=told, now=clock.now)
        for number in range(refusals + 1):
            await asyncio.gather(llm.ask(request(number)), return_exceptions=True)

    clock.run(lambda: main(5, None))
    assert said == []
    clock.run(lambda: main(100, 5.0))
    assert len(said) == 1 + (100 - 20) * 6 // 60
    assert "refuses 20 calls in a row, too fast for it; the next leaves in 5 s" in said[0][1]
    said.clear()
    clock.run(lambda: main(1, 590.0))
    told = f"{MODEL.name}: the endpoint refuses a call, too fast for it; the next leaves in 590 s"
    assert [line for _, line in said] == [told]
