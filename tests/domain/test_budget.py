"""The account of a budget: no sequence of calls exceeds a cap, and not a billionth is lost by rounding."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Decimal

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.budget import Account, Amount, nano
from benchwright.domain.campaign import Budget


@dataclass(frozen=True)
class Step:
    """A call that wants to leave, or the end of the oldest in flight at a share of what it reserved, or its failure."""

    kind: str
    most: Amount
    share: int  # hundredths


amounts = st.builds(Amount, st.integers(0, 10**10), st.integers(0, 10**6))
steps = st.lists(st.builds(Step, st.sampled_from(["leave", "leave", "settle", "fail"]), amounts, st.integers(0, 100)))
caps = st.builds(Budget, st.none() | st.floats(0.001, 50.0), st.none() | st.integers(1, 5 * 10**6))


@given(caps, steps)
def test_whatever_calls_come_to_what_is_settled_and_reserved_stays_within_the_caps(
    cap: Budget, plan: list[Step]
) -> None:
    account, flying = Account(cap), list[Amount]()
    for step in plan:
        if step.kind == "leave" and account.fits(step.most):
            account, flying = account.reserve(step.most), [*flying, step.most]
        elif step.kind != "leave" and flying:
            most, *flying = flying
            share = step.share if step.kind == "settle" else 0
            account = account.settle(most, Amount(most.nano * share // 100, most.tokens * share // 100))
        taken = account.spent + account.reserved
        assert account.reserved == sum(flying, Amount())
        assert cap.tokens is None or account.spent.tokens <= taken.tokens <= cap.tokens
        assert cap.usd is None or taken.nano <= Decimal(str(cap.usd)) * 10**9


def test_money_is_rounded_up_and_a_cap_down_so_rounding_never_helps_to_exceed_it() -> None:
    assert nano(0.1) == nano(Decimal("0.1")) == 10**8
    assert nano(Decimal("0.00000000011")) == 1
    assert nano(Decimal("1.9999999999"), ROUND_FLOOR) == 1_999_999_999


def test_ten_dimes_are_a_dollar() -> None:
    account = Account(Budget(usd=1.0))
    for _ in range(10):
        assert account.fits(Amount(nano(0.1)))
        account = account.reserve(Amount(nano(0.1)))
    assert account.remainder == (0, None)
    assert not account.fits(Amount(1))
    assert account.fits(Amount(0, 10**12))


def test_each_cap_counts_by_itself() -> None:
    assert not Account(Budget()).has_cap
    assert Account(Budget()).fits(Amount(10**20, 10**20))
    both = Account(Budget(1.0, 100), Amount(5 * 10**8, 60), Amount(10**8, 30))
    assert both.has_cap
    assert both.remainder == (4 * 10**8, 10)
    assert both.fits(Amount(4 * 10**8, 10))
    assert not both.fits(Amount(4 * 10**8 + 1, 10))
    assert not both.fits(Amount(4 * 10**8, 11))


@given(st.lists(st.tuples(amounts, st.integers(), st.integers())))
def test_no_settlement_lowers_what_is_spent(calls: list[tuple[Amount, int, int]]) -> None:
    account = Account(Budget(usd=1.0, tokens=10))
    for most, money, counted in calls:
        before = account.spent
        account = account.reserve(most).settle(most, Amount(money, counted))
        assert account.spent.nano >= before.nano
        assert account.spent.tokens >= before.tokens
        assert account.reserved == Amount()
