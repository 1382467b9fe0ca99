"""What a call costs, and that nobody's guess passes for a price."""

from dataclasses import replace
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.call import Usage
from benchwright.domain.campaign import Model
from benchwright.llm.prices import Price, cost, most, price

DIRECT = Model("m", "direct", "stub", base_url="http://127.0.0.1:9/v1")
HOSTED = Model("h", "litellm", "openai/gpt-4o-mini")
LOCAL = Model("l", "local", "smollm2")
OWN = replace(DIRECT, price_in=1.0, price_out=2.0)
USAGE = Usage(prompt=1_000_000, completion=500_000)


def prices(*amounts: str) -> Price:
    return Price(*map(Decimal, amounts))


def test_a_price_is_the_campaigns_own_or_the_lists_or_unknown_and_never_zero_by_default() -> None:
    assert price(replace(DIRECT, price_in=1.5, price_out=2.0)) == prices("1.5", "2", "1.5")
    assert price(replace(DIRECT, price_in=1.5, price_out=2.0, price_cached=0.1)) == prices("1.5", "2", "0.1")
    assert price(LOCAL) == prices("0", "0", "0")
    assert price(HOSTED) == prices("0.15", "0.6", "0.075")
    assert price(replace(HOSTED, target="gpt-4o-mini")) == prices("0.15", "0.6", "0.075")
    assert price(replace(DIRECT, target="gpt-4o-mini", base_url="https://api.openai.com/v1")) is not None
    assert price(replace(HOSTED, target="openai/never-heard-of")) is None


def test_a_server_of_ones_own_is_not_billed_as_another_whatever_its_model_is_called() -> None:
    assert price(replace(DIRECT, target="gpt-4o-mini")) is None
    assert cost(replace(DIRECT, target="gpt-4o-mini"), USAGE) is None


def test_a_call_costs_its_tokens_and_an_uncounted_one_is_unknown() -> None:
    assert cost(OWN, USAGE) == 2
    assert cost(LOCAL, USAGE) == cost(LOCAL, Usage()) == 0
    assert cost(HOSTED, USAGE) == Decimal("0.45")
    assert cost(DIRECT, USAGE) is None
    assert cost(HOSTED, Usage()) is None
    assert cost(OWN, Usage()) is None


def test_what_is_put_into_a_cache_costs_a_quarter_more_and_the_most_reckons_with_that() -> None:
    written = Usage(1_000_000, 0, cached=400_000, written=400_000)
    assert cost(replace(OWN, price_cached=0.5), written) == Decimal("0.9")
    assert most(OWN, 1_000_000, 0, written=True) == Decimal("1.25")
    claude = Model("c", "litellm", "anthropic/claude-sonnet-4-5")
    assert cost(claude, Usage(1_000_000, written=1_000_000)) == cost(claude, Usage(1_000_000)) * Decimal("1.25")  # type: ignore[operator]


def test_tokens_from_the_cache_cost_what_the_campaign_or_the_list_says() -> None:
    cached = replace(USAGE, cached=1_000_000)
    assert cost(HOSTED, cached) == Decimal("0.375")
    assert cost(OWN, cached) == 2
    assert cost(replace(OWN, price_cached=0.25), cached) == Decimal("1.25")
    assert cost(replace(OWN, price_cached=0.25), replace(USAGE, cached=400_000)) == Decimal("1.7")


def test_reasoning_is_part_of_the_reply_and_billed_with_it() -> None:
    assert cost(OWN, replace(USAGE, thinking=400_000)) == cost(OWN, USAGE)


def test_own_prices_are_counted_to_the_last_digit() -> None:
    odd = replace(DIRECT, price_in=0.1, price_out=0.7)
    assert sum(cost(odd, Usage(3, 1)) or 0 for _ in range(10)) == Decimal("0.00001")


def test_a_model_in_this_process_may_be_given_a_price() -> None:
    assert cost(replace(LOCAL, price_in=1.0, price_out=2.0), USAGE) == 2


def test_a_batch_takes_half_of_the_campaigns_own_price_and_what_the_list_says_of_batches() -> None:
    assert cost(OWN, USAGE, batch=True) == 1
    listed = replace(HOSTED, target="anthropic/claude-sonnet-4-5")
    assert cost(listed, USAGE, batch=True) == (cost(listed, USAGE) or 0) / 2
    assert cost(LOCAL, USAGE, batch=True) == 0


def test_the_most_a_call_can_cost_takes_the_dearer_of_cached_and_fresh() -> None:
    assert most(OWN, 1_000_000, 500_000) == 2
    assert most(replace(OWN, price_cached=0.1), 1_000_000, 0) == 1
    assert most(replace(OWN, price_cached=3.0), 1_000_000, 0) == 3
    assert most(DIRECT, 1_000_000, 0) is None


def test_a_long_prompt_costs_what_the_list_takes_for_long_ones() -> None:
    tiered = replace(HOSTED, target="anthropic/claude-sonnet-4-5")
    short, long = cost(tiered, Usage(100_000)), cost(tiered, Usage(300_000))
    assert short
    assert long
    assert long > 3 * short


COUNTS = st.integers(-3, 9) | st.integers(-(2**70), 2**70)
PRICES = st.floats(0, 1000)


@given(COUNTS, COUNTS, COUNTS, st.lists(PRICES, min_size=3, max_size=3), st.booleans())
def test_no_counts_of_a_provider_make_a_call_cost_less_than_nothing(
    prompt: int, completion: int, cached: int, prices: list[float], batch: bool
) -> None:
    fresh, written, kept = prices
    model = replace(DIRECT, price_in=fresh, price_out=written, price_cached=kept)
    amount = cost(model, Usage(prompt, completion, cached).credible, batch=batch)
    assert amount is None or amount >= 0
