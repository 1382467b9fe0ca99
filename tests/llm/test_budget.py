"""A cap is never exceeded by what is paid; calls wait for those in flight rather than end; the message says it all."""

import asyncio
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.budget import Amount, nano
from benchwright.domain.call import Message, Reply, Request, Usage
from benchwright.domain.campaign import Budget as Cap
from benchwright.domain.campaign import Model
from benchwright.errors import ConfigError, OverBudget, Transient
from benchwright.llm.budget import Budget, Earlier, demand_price, most

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:9/v1", max_tokens=100, price_in=0.0, price_out=2000.0)
USAGE = Usage(5, 100)
DIME = 0.2  # what a call of MODEL costs at most: a hundred tokens of reply


def request(number: int = 0, model: Model = MODEL) -> Request:
    return Request(model, (Message("user", (f"Q{number}",)),), {})


class Flights:
    """Calls that land when the test says so; each costs `share` of its most, or fails."""

    def __init__(self) -> None:
        self.open: list[asyncio.Future[Reply]] = []

    async def ask(self, request: Request) -> Reply:
        self.open.append(asyncio.get_running_loop().create_future())
        return await self.open[-1]

    def land(self, cost: float | None = DIME, usage: Usage = USAGE) -> None:
        self.open.pop(0).set_result(Reply("yes", usage=usage, cost=cost))

    def fail(self) -> None:
        self.open.pop(0).set_exception(Transient("no answer"))


async def settled() -> None:
    """Let everything that can go on go on."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_no_more_leave_than_fit_and_the_others_wait_for_those_in_flight() -> None:
    flights = Flights()
    budget = Budget(flights, Cap(usd=1.0))
    asked = [asyncio.create_task(budget.ask(request(n))) for n in range(8)]
    await settled()
    assert len(flights.open) == 5
    for _ in range(3):  # each costs half of its most
        flights.land(DIME / 2)
        await settled()
    assert len(flights.open) == 3
    while flights.open:
        flights.land()
        await settled()
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert [isinstance(outcome, OverBudget) for outcome in outcomes] == [False] * 6 + [True] * 2
    assert budget.account.spent.nano == nano(0.9)
    assert budget.account.reserved == Amount()


async def test_a_failed_call_gives_back_what_it_had_reserved() -> None:
    flights = Flights()
    budget = Budget(flights, Cap(usd=0.2))
    first, second = (asyncio.create_task(budget.ask(request(n))) for n in range(2))
    await settled()
    assert len(flights.open) == 1
    flights.fail()
    await settled()
    assert len(flights.open) == 1
    flights.land()
    with pytest.raises(Transient):
        await first
    assert (await second).text == "yes"


async def test_a_call_that_was_cut_off_counts_as_paid() -> None:
    flights = Flights()
    budget = Budget(flights, Cap(usd=1.0))
    cut = asyncio.create_task(budget.ask(request()))
    await settled()
    cut.cancel()
    await asyncio.wait([cut])
    assert budget.account.spent.nano == nano(DIME)


async def test_a_reply_that_nobody_counted_costs_what_was_reserved_for_it() -> None:
    flights = Flights()
    budget = Budget(flights, Cap(usd=1.0, tokens=1000))
    asked = asyncio.create_task(budget.ask(request()))
    await settled()
    flights.land(None, Usage())
    await asked
    assert budget.account.spent == most(request())


@pytest.mark.parametrize(
    ("cap", "told"),
    [
        (Cap(usd=0.5), "'m' may cost $0.2000, and of [budget] usd = 0.5 $0.4000 are spent: raise it"),
        (Cap(tokens=250), "'m' may take 109 tokens, and of [budget] tokens = 250 200 are spent: raise it"),
    ],
)
async def test_the_error_names_the_cap_what_is_spent_and_the_way_out(cap: Cap, told: str) -> None:
    budget = Budget(Flights(), cap, Earlier(Amount(nano(0.4), 200)))
    with pytest.raises(OverBudget) as caught:
        await budget.ask(request())
    assert told in str(caught.value)
    assert "run again" in str(caught.value)


async def test_what_earlier_runs_spent_counts_and_what_a_provider_still_works_on_is_reserved_once() -> None:
    flights = Flights()
    held = {request(1).id: most(request(1))}
    budget = Budget(flights, Cap(usd=0.6), Earlier(Amount(nano(0.2)), held))
    again, new, third = (asyncio.create_task(budget.ask(request(n))) for n in (1, 2, 3))
    await settled()
    assert len(flights.open) == 2
    flights.land()
    flights.land()
    await asyncio.gather(again, new)
    with pytest.raises(OverBudget):
        await third
    assert budget.account.spent.nano == nano(0.6)


async def test_a_tokenizer_that_makes_more_tokens_than_estimated_is_reckoned_with() -> None:
    flights = Flights()
    budget = Budget(flights, Cap(tokens=1000))
    first = asyncio.create_task(budget.ask(request()))
    await settled()
    flights.land(usage=Usage(200, 18))
    await first
    assert budget.highest_cost(request(1)).tokens == 218
    assert budget.highest_cost(request(1, replace(MODEL, name="other"))).tokens == 109


async def test_without_a_cap_nothing_is_counted() -> None:
    flights = Flights()
    budget = Budget(flights, Cap())
    asked = asyncio.create_task(budget.ask(request()))
    await settled()
    flights.land()
    await asked
    assert budget.account.spent == Amount()


def test_a_cap_in_money_demands_a_price_of_every_model_and_one_in_tokens_does_not() -> None:
    unknown = replace(MODEL, price_in=None, price_out=None)
    demand_price(MODEL, Cap(usd=1.0))
    demand_price(unknown, Cap(tokens=1))
    with pytest.raises(ConfigError, match=r"'m': no price is known, so \[budget\] usd = 20 cannot be kept: give it"):
        demand_price(unknown, Cap(usd=20.0))


def test_the_most_that_a_call_may_come_to_has_its_schema_in_it() -> None:
    asked = request()
    wide = replace(asked, schema={"type": "object", "description": "x" * 300})
    assert most(wide).tokens - most(asked).tokens > 100
    assert most(replace(asked, model=replace(MODEL, price_in=None, price_out=None))).nano == 0


@given(
    st.integers(1, 40),
    st.lists(st.tuples(st.fractions(0, 1), st.booleans(), st.integers(0, 3)), min_size=1, max_size=25),
)
def test_whatever_replies_cost_and_whenever_they_come_the_cap_holds(
    dimes: int, plan: list[tuple[Fraction, bool, int]]
) -> None:
    async def run() -> None:
        flights, cap = Flights(), Cap(usd=dimes / 20)
        budget = Budget(flights, cap)
        asked = [asyncio.create_task(budget.ask(request(n))) for n in range(len(plan))]
        paid = 0
        for share, fails, pauses in plan:
            for _ in range(pauses):
                await asyncio.sleep(0)
            if flights.open:
                cost = float(share) * DIME
                flights.fail() if fails else flights.land(cost)
                paid += 0 if fails else nano(cost)
                await settled()
            assert budget.account.spent.nano == paid <= nano(dimes / 20)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert budget.account.spent.nano <= nano(dimes / 20)

    asyncio.run(run())
