"""Waves: how many of a panel's turns are asked at once."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.vote import Rule, Tally, certain_route
from benchwright.domain.waves import CALLS, FRUGAL, Waves, fewest, size

SIX_OF_NINE = Rule(Fraction(6, 9), Fraction(5, 9))
NONE = [Tally(0, 0)]

thresholds = st.fractions(0, 1, max_denominator=9)
rules = st.builds(
    lambda pair, quorum: Rule(max(pair), min(pair), quorum), st.tuples(thresholds, thresholds), st.integers(0, 8)
)


def sizes(waves: Waves, total: int) -> list[int]:
    """The waves of a panel whose options never settle."""
    found: list[int] = []
    while sum(found) < total:
        found.append(size(waves, sum(found), total, [Tally(sum(found) // 2, sum(found))], SIX_OF_NINE))
    return found


@pytest.mark.parametrize(
    ("waves", "total", "expected"),
    [(1, 9, [9]), (3, 9, [3, 3, 3]), (2, 9, [5, 4]), (4, 9, [3, 2, 2, 2]), (9, 9, [1] * 9), (20, 3, [1, 1, 1])],
)
def test_so_many_waves_are_as_even_as_can_be(waves: int, total: int, expected: list[int]) -> None:
    assert sizes(waves, total) == expected


@given(st.integers(1, 12), st.integers(1, 30))
def test_waves_end_with_the_panel_and_hardly_differ(waves: int, total: int) -> None:
    found = sizes(waves, total)

    assert sum(found) == total
    assert len(found) == min(waves, total)
    assert max(found) - min(found) <= 1


def test_a_frugal_wave_is_as_small_as_could_settle_the_option_that_is_nearest_to_it() -> None:
    assert size(FRUGAL, 0, 9, NONE, SIX_OF_NINE) == 5  # five no of nine reject
    assert size(FRUGAL, 5, 9, [Tally(5, 5)], SIX_OF_NINE) == 1
    assert size(FRUGAL, 5, 9, [Tally(2, 5), Tally(3, 5)], SIX_OF_NINE) == 2


def test_the_fewest_calls_come_in_waves_as_large_as_the_slowest_thing_needs() -> None:
    assert size(CALLS, 0, 9, NONE, SIX_OF_NINE) == 5
    slow, quick = Tally(3, 5), Tally(5, 5)
    assert (size(CALLS, 5, 9, [quick], SIX_OF_NINE), size(CALLS, 5, 9, [slow], SIX_OF_NINE)) == (1, 3)
    assert size(CALLS, 5, 9, [quick, slow], SIX_OF_NINE) == 3 > size(FRUGAL, 5, 9, [quick, slow], SIX_OF_NINE)


@given(rules, st.integers(0, 5), st.integers(1, 5), st.data())
def test_with_fewer_votes_than_the_fewest_nothing_can_settle_and_with_so_many_something_can(
    rule: Rule, cast: int, outstanding: int, data: st.DataObject
) -> None:
    keep = data.draw(st.integers(0, cast))
    count = Tally(keep, cast)
    least = fewest(count, outstanding, rule)

    def can(more: int) -> bool:
        outcomes = ([said for said in turn if said is not None] for turn in product((1, 0, None), repeat=more))
        ends = (Tally(keep + sum(said), cast + len(said)) for said in outcomes)
        return any(certain_route(end, outstanding - more, rule) for end in ends)

    if certain_route(count, outstanding, rule) is None:
        assert [can(more) for more in range(1, least + 1)] == [False] * (least - 1) + [True]
