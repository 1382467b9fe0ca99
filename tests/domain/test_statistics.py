"""Rates, tests and correlations, against values of reference libraries and laws of their own."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.statistics import Z95, fisher, mean_ranks, pearson, sign_test, spearman, wilson

COUNTS = st.integers(0, 60)


@given(st.integers(0, 30), st.integers(0, 30))
def test_the_ends_of_the_interval_are_as_far_from_the_rate_as_wilson_says(n: int, more: int) -> None:
    """At an end p, the rate lies z standard errors of p away."""
    rate = wilson(n, of := n + more)
    for end in (rate.low, rate.high) if of else ():
        assert end is not None
        assert (n / of - end) ** 2 == pytest.approx(Z95**2 * end * (1 - end) / of, abs=1e-9)


def test_a_rate_of_nothing_is_none() -> None:
    rate = wilson(0, 0)
    assert (rate.value, rate.low, rate.high) == (None, None, None)


@given(COUNTS, COUNTS)
def test_an_interval_holds_its_rate_and_stays_a_share(n: int, more: int) -> None:
    rate = wilson(n, n + more)
    if rate.value is not None and rate.low is not None and rate.high is not None:
        assert 0 <= rate.low <= rate.value + 1e-12
        assert rate.value - 1e-12 <= rate.high <= 1


@pytest.mark.parametrize(("wins", "losses", "p"), [(1, 4, 12 / 32), (0, 6, 2 / 64), (5, 5, 1.0)])
def test_the_sign_test_is_exact(wins: int, losses: int, p: float) -> None:
    assert sign_test(wins, losses) == pytest.approx(p, abs=1e-6)
    assert sign_test(losses, wins) == sign_test(wins, losses)


def test_nothing_won_and_nothing_lost_is_no_test() -> None:
    assert sign_test(0, 0) is None


@pytest.mark.parametrize(
    ("first", "second", "p"), [((8, 2), (1, 5), 0.034965), ((10, 0), (0, 10), 0.0000108), ((3, 3), (3, 3), 1.0)]
)
def test_fisher_s_test_is_exact(first: tuple[int, int], second: tuple[int, int], p: float) -> None:
    assert fisher(first, second) == pytest.approx(p, abs=1e-6)
    assert fisher(second, first) == pytest.approx(p, abs=1e-6)


@pytest.mark.parametrize("table", [((0, 0), (3, 4)), ((3, 4), (0, 0)), ((3, 0), (2, 0)), ((0, 3), (0, 2))])
def test_a_table_with_an_empty_side_tells_nothing(table: tuple[tuple[int, int], tuple[int, int]]) -> None:
    assert fisher(*table) is None


def test_equal_values_share_their_mean_rank() -> None:
    assert mean_ranks([3, 1, 3, 2]) == [3.5, 1, 3.5, 2]


def test_spearman_s_rho_is_that_of_the_reference(shared_data: Callable[[str], Path]) -> None:
    for case in json.loads(shared_data("real/agreement/golden_agreement.json").read_text("utf-8"))["rank"]:
        found = spearman(case["x"], case["y"])
        assert found == (case["spearman"] if case["spearman"] is None else pytest.approx(case["spearman"]))


def test_pearson_s_r_is_undefined_of_one_pair_or_a_constant() -> None:
    assert pearson([1], [2]) is None
    assert pearson([1, 1, 1], [1, 2, 3]) is None
    assert pearson([1, 2, 3], [2, 4, 6]) == 1.0
    assert pearson([1, 2, 3], [3, 2, 1]) == -1.0
