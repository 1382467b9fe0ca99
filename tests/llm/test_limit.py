"""No more calls at once, a minute, or tokens a minute than an endpoint allows."""

import asyncio
from dataclasses import replace

import pytest

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest
from benchwright.llm.endpoint import endpoints
from benchwright.llm.limit import Limit
from benchwright.llm.tokens import prompt_tokens

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:1/v1", width=2, max_tokens=8)


def request(n: int = 0, model: Model = MODEL, text: str = "Q") -> Request:
    return Request(model, (Message("user", (f"{text}{n}",)),), {})


class Busy:
    """A model that takes a little time; `most` were in work at once, `times` is when each began."""

    def __init__(self, takes: float = 0.01) -> None:
        self.takes = takes
        self.now = self.most = 0
        self.times: list[float] = []

    async def ask(self, request: Request) -> Reply:
        self.times.append(asyncio.get_running_loop().time())
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(self.takes)
        self.now -= 1
        return Reply("yes")

    @property
    def lasted(self) -> float:
        return self.times[-1] - self.times[0]


async def ask_all(limit: Limit, requests: list[Request]) -> None:
    await asyncio.gather(*map(limit.ask, requests))


async def test_no_more_calls_are_in_flight_than_the_model_is_wide() -> None:
    busy = Busy()
    await ask_all(Limit(busy, [MODEL]), [request(n) for n in range(8)])
    assert (busy.most, len(busy.times)) == (2, 8)


async def test_entries_of_one_endpoint_share_its_limits_and_others_have_their_own() -> None:
    warm = replace(MODEL, name="warm", temperature=1.0, width=5)
    other = replace(MODEL, name="other", target="m-2", width=3)
    busy = Busy()
    models = [MODEL, warm, other]
    await ask_all(Limit(busy, models), [request(n, model) for n in range(6) for model in models])
    assert busy.most == 2 + 3


def test_what_entries_share_is_the_tightest_limit_and_the_longest_context() -> None:
    one = replace(MODEL, rpm=10, context=100, timeout=5.0)
    two = replace(MODEL, rpm=20, tpm=30, context=200, timeout=1.0, width=1)
    (shared,) = endpoints([one, two]).values()
    assert (shared.rpm, shared.tpm, shared.context, shared.timeout, shared.width) == (10, 30, 200, 5.0, 1)
    (alone,) = endpoints([MODEL, MODEL]).values()
    assert (alone.rpm, alone.tpm) == (None, None)


async def test_requests_a_minute_are_spread_evenly() -> None:
    busy = Busy(0)
    await ask_all(Limit(busy, [replace(MODEL, rpm=1200)]), [request(n) for n in range(5)])
    assert busy.lasted >= 4 * 0.05 * 0.9


async def test_tokens_a_minute_hold_back_what_goes_beyond_them() -> None:
    each = prompt_tokens(request()) + MODEL.max_tokens
    fits = replace(MODEL, tpm=6 * 2 * each)  # two may go at once, then one every five seconds
    busy = Busy(0)
    limit = Limit(busy, [fits])
    await ask_all(limit, [request(n) for n in range(2)])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await limit.ask(request(2))
    assert len(busy.times) == 2


async def test_a_prompt_longer_than_a_burst_waits_for_its_tokens_part_by_part() -> None:
    long = request(text="x" * 600)  # about 210 tokens, of which a burst is 40
    busy = Busy(0)
    gate = Limit(busy, [replace(MODEL, tpm=60_000)])
    await gate.ask(long)
    small = Limit(busy, [replace(MODEL, tpm=240)])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await small.ask(long)
    assert len(busy.times) == 1


async def test_a_prompt_that_no_minute_can_hold_is_refused_with_advice() -> None:
    limit = Limit(Busy(), [replace(MODEL, tpm=100)])
    with pytest.raises(BadRequest, match=r"'m': a prompt of about 1\d\d\d tokens .* raise tpm, or use shorter"):
        await limit.ask(request(text="x" * 3000))


async def test_a_reply_longer_than_a_minute_allows_is_let_through_at_the_full_price_of_a_minute() -> None:
    greedy = replace(MODEL, tpm=100, max_tokens=10_000)
    limit = Limit(Busy(), [greedy])
    assert next(iter(limit.gates.values())).reserved(request(model=greedy)) == 100


async def test_a_cancelled_call_gives_its_place_back() -> None:
    busy = Busy(10)
    limit = Limit(busy, [replace(MODEL, width=1)])
    first = asyncio.create_task(limit.ask(request(1)))
    await asyncio.sleep(0.01)
    first.cancel()
    await asyncio.wait([first])
    busy.takes = 0
    assert (await limit.ask(request(2))).text == "yes"
