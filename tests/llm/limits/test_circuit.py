"""An endpoint that fails again and again is left alone, tried now and then, and asked again once it answers."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.call import Message, Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadKey, BenchwrightError, Down, Exhausted, RateLimited, Refused, Transient
from benchwright.llm.limits.circuit import FIRST, IN_A_ROW, LASTING, LONGEST, Breaker, Circuit

MODEL = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1")
OTHER = replace(MODEL, name="other", target="other")
SHARING = replace(MODEL, name="warm", temperature=1.0)
MODELS = (MODEL, OTHER, SHARING)
GONE = Transient("gone")


def request(model: Model = MODEL, text: str = "Q") -> Request:
    return Request(model, (Message("user", (text,)),), {})


class Endpoint:
    """Answers, or raises what `error` says; each call takes one turn of the loop."""

    def __init__(self) -> None:
        self.error: BenchwrightError | None = GONE
        self.asked = 0

    async def ask(self, request: Request) -> Reply:
        self.asked += 1
        await asyncio.sleep(0)
        if self.error and request.model is not OTHER:
            raise self.error
        return Reply("yes")


class Place:
    """A circuit before an endpoint, with a clock to turn."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.number = 0
        self.endpoint = Endpoint()
        self.circuit = Circuit(self.endpoint, MODELS, lambda: self.time)

    async def ends(self, model: Model = MODEL) -> BenchwrightError | str:
        """What becomes of a call."""
        self.number += 1
        try:
            return (await self.circuit.ask(request(model, str(self.number)))).text
        except BenchwrightError as error:
            return error

    async def opened(self) -> Down:
        """Fail until the endpoint is left alone."""
        for _ in range(IN_A_ROW - 1):
            assert await self.ends() is GONE
        found = await self.ends()
        assert isinstance(found, Down)
        return found


async def test_five_failures_in_a_row_open_it_and_then_calls_fail_without_being_made() -> None:
    place = Place()
    last = await place.opened()
    assert (last.asked, last.lasting, last.retry_after) == (True, False, FIRST)
    assert str(last) == "gone; 5 calls in a row have failed"
    place.time += 4
    for model in (MODEL, SHARING):
        refused = await place.ends(model)
        assert isinstance(refused, Down)
        assert (refused.asked, refused.retry_after) == (False, FIRST - 4)
    assert place.endpoint.asked == IN_A_ROW
    assert await place.ends(OTHER) == "yes"  # another endpoint


ANSWERS: list[BenchwrightError | None] = [None, RateLimited(), Exhausted(), Refused(), BadKey()]


@pytest.mark.parametrize("answer", ANSWERS)
async def test_any_answer_ends_a_row_of_failures(answer: BenchwrightError | None) -> None:
    place = Place()
    for _ in range(3):
        for _ in range(IN_A_ROW - 1):
            assert await place.ends() is GONE
        place.endpoint.error = answer
        assert await place.ends() == (answer or "yes")
        place.endpoint.error = GONE


async def test_after_its_rest_one_call_tries_and_the_others_wait_for_what_it_finds() -> None:
    place = Place()
    await place.opened()
    place.time += FIRST
    found = await asyncio.gather(*(place.ends() for _ in range(10)))
    assert place.endpoint.asked == IN_A_ROW + 1
    assert [isinstance(one, Down) and one.asked for one in found] == [True] + [False] * 9
    assert all(isinstance(one, Down) and one.retry_after == 2 * FIRST for one in found)
    place.time += 2 * FIRST
    place.endpoint.error = None
    assert await asyncio.gather(*(place.ends() for _ in range(10))) == ["yes"] * 10
    place.endpoint.error = GONE
    assert (await place.opened()).retry_after == FIRST  # all is forgotten


async def test_calls_in_flight_when_it_opens_do_not_make_its_rest_longer() -> None:
    place = Place()
    found = await asyncio.gather(*(place.ends() for _ in range(20)))
    assert [one is GONE for one in found] == [True] * 4 + [False] * 16
    assert all(isinstance(one, Down) and one.asked and one.retry_after == FIRST for one in found[4:])


async def test_a_reply_that_was_in_flight_when_it_opened_closes_it() -> None:
    place = Place()
    slow = asyncio.Event()

    class Slow:
        async def ask(self, request: Request) -> Reply:
            await slow.wait()
            return Reply("late")

    place.circuit.inner = Slow()
    late = asyncio.create_task(place.ends())
    await asyncio.sleep(0)
    place.circuit.inner = place.endpoint
    await place.opened()
    slow.set()
    assert await late == "late"
    assert await place.ends() is GONE


async def test_who_waits_for_a_try_that_is_given_up_tries_in_its_place() -> None:
    place = Place()
    await place.opened()
    place.time += FIRST
    place.endpoint.error = None
    first = asyncio.create_task(place.ends())
    second = asyncio.create_task(place.ends())
    await asyncio.sleep(0)
    first.cancel()
    assert await second == "yes"


async def test_rests_grow_to_a_limit_and_after_ten_minutes_it_is_down_for_long() -> None:
    place = Place()
    found, rests = await place.opened(), [FIRST]
    began = place.time
    while not found.lasting:
        place.time += found.retry_after or 0
        answer = await place.ends()
        assert isinstance(answer, Down)
        found = answer
        rests.append(found.retry_after or 0)
    assert rests == [10, 20, 40, 80, 160, 300, 300]
    assert LASTING <= place.time - began < LASTING + 60
    assert place.endpoint.asked == IN_A_ROW + 6


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 400)), max_size=60))
def test_whatever_happens_it_rests_only_after_a_row_of_failures_and_for_a_bounded_time(
    events: list[tuple[bool, float]],
) -> None:
    breaker, now, row = Breaker(), 0.0, 0
    for good, passes in events:
        now += passes + 1
        row = 0 if good else row + 1
        breaker.record_answer() if good else breaker.record_failure(now, "gone", str(now))
        assert bool(breaker.rest) == (row >= IN_A_ROW)
        assert 0 <= breaker.rest <= LONGEST
        assert not breaker.rest or 0 <= (breaker.down(now, asked=True).retry_after or 0) <= LONGEST


async def test_twenty_thousand_failures_leave_nothing_behind() -> None:
    place = Place()
    found = [await place.ends() for _ in range(20_000)]
    assert place.endpoint.asked == IN_A_ROW
    assert len({type(one) for one in found}) == 2
