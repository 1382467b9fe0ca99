"""How many calls may be in flight, in numbers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.llm.limits.width import LONGEST_REST, Width


def round_trip(width: Width) -> int:
    """As many calls as may be in flight leave and succeed; returns how many may then."""
    for number in [width.depart() for _ in range(width.now)]:
        width.record_success(number)
    return width.now


def burst(width: Width) -> list[float]:
    """As many calls as may be in flight leave and are refused; returns the rests."""
    return [width.record_refusal(number) for number in [width.depart() for _ in range(width.now)]]


def test_it_begins_small_and_doubles_with_each_round_trip_up_to_its_most() -> None:
    width = Width(100)
    assert [width.now, *(round_trip(width) for _ in range(6))] == [4, 8, 16, 32, 64, 100, 100]


def test_a_narrow_model_begins_with_all_that_it_has() -> None:
    assert Width(2).now == 2


def test_one_burst_of_refusals_halves_it_once() -> None:
    width = Width(64)
    while round_trip(width) < 64:
        pass
    burst(width)
    assert width.now == 32
    burst(width)
    assert width.now == 16


def test_after_the_first_refusal_it_grows_by_steps_back_to_its_most() -> None:
    width = Width(64)
    while round_trip(width) < 64:
        pass
    burst(width)
    grown = [round_trip(width) for _ in range(4)]
    assert grown[-1] == 64
    assert 44 <= grown[0] <= 48  # a quarter of the whole, not a doubling


def test_it_never_falls_below_one_and_recovers_from_there_with_few_successes() -> None:
    width = Width(16)
    for _ in range(200):
        burst(width)
    assert width.now == 1
    successes = 0
    while width.now < 16:
        width.record_success(width.depart())
        successes += 1
    assert successes < 50


def test_a_success_of_a_call_that_left_before_the_last_shrink_does_not_widen_it() -> None:
    width = Width(8)
    numbers = [width.depart() for _ in range(4)]
    width.record_refusal(numbers[0])
    for number in numbers[1:]:
        width.record_success(number)
    assert width.now == 2


def test_refusals_without_a_time_make_longer_and_longer_rests_until_a_success() -> None:
    width = Width(2)
    assert burst(width) == [0.1, 0.0]  # once in a burst
    rests = [burst(width)[0] for _ in range(2000)]
    assert rests[:3] == [0.2, 0.4, 0.8]
    assert rests[-1] == LONGEST_REST
    round_trip(width)
    assert burst(width)[0] == 0.1


def test_a_fixed_width_stays_whatever_comes() -> None:
    width = Width(64, adaptive=False)
    assert width.now == 64
    assert set(burst(width)) == {0.0}
    assert round_trip(width) == 64


@pytest.mark.parametrize("most", [1, 3, 256])
@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1000), st.booleans()), max_size=100))
def test_it_stays_between_one_and_its_most(most: int, ends: list[tuple[int, bool]]) -> None:
    width, flying = Width(most), list[int]()
    for which, succeeds in ends:
        flying += [width.depart() for _ in range(width.now - len(flying))]
        number = flying.pop(which % len(flying))
        if succeeds:
            width.record_success(number)
        else:
            width.record_refusal(number)
        assert 1 <= width.now <= most
