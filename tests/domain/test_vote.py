"""Votes, tallies, routes, and when no outstanding vote can change a route any more."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.vote import Route, Rule, Tally, Vote, certain_route, route, tally
from benchwright.domain.waves import count

PAPER = Rule(Fraction("0.8"), Fraction("0.7"), 6)
OUTCOMES = (True, False, None)  # how an outstanding vote may turn out: keep, no, not cast

thresholds = st.fractions(0, 1, max_denominator=12)
rules = st.builds(
    lambda pair, quorum: Rule(max(pair), min(pair), quorum), st.tuples(thresholds, thresholds), st.integers(0, 8)
)
ballots = st.lists(st.sampled_from(OUTCOMES), max_size=7)


def votes(*keeps: bool | None) -> list[Vote]:
    return [Vote("o1", f"glm#{n}", keep) for n, keep in enumerate(keeps, 1)]


@pytest.mark.parametrize(
    ("keep", "cast", "rule", "expected"),
    [
        (4, 5, Rule(Fraction("0.8"), Fraction("0.7")), Route.KEEP),  # 0.8 exactly
        (3, 5, Rule(Fraction("0.8"), Fraction("0.7")), Route.REJECT),
        (3, 4, Rule(Fraction("0.8"), Fraction("0.7")), Route.HUMAN),
        (7, 10, Rule(Fraction("0.8"), Fraction("0.7")), Route.HUMAN),  # 0.7 exactly is not below it
        (69, 100, Rule(Fraction("0.8"), Fraction("0.7")), Route.REJECT),
        (5, 5, PAPER, Route.HUMAN),  # below the quorum
        (0, 5, PAPER, Route.HUMAN),
        (6, 6, PAPER, Route.KEEP),
        (0, 0, Rule(Fraction(0), Fraction(0), 0), Route.HUMAN),  # nobody voted
        (1, 3, Rule(Fraction(1, 3), Fraction(1, 3)), Route.KEEP),
        (0, 1, Rule(Fraction(1), Fraction(0)), Route.HUMAN),  # nothing is below 0
        (0, 1, Rule(Fraction(1), Fraction(1)), Route.REJECT),
    ],
)
def test_the_route_follows_the_exact_ratio_and_the_quorum(keep: int, cast: int, rule: Rule, expected: Route) -> None:
    assert route(Tally(keep, cast), rule) is expected


def test_an_abstention_is_not_a_no() -> None:
    found = tally(votes(True, None, True, None, True, True, False))

    assert found == Tally(keep=4, cast=5, abstained=2)
    assert route(found, Rule(Fraction("0.8"), Fraction("0.7"))) is Route.KEEP


@given(rules, ballots)
def test_votes_counted_one_by_one_are_their_tally(rule: Rule, so_far: list[bool | None]) -> None:
    assert count(votes(*so_far), rule) == tally(votes(*so_far))


def test_no_votes_are_an_empty_tally() -> None:
    assert tally([]) == Tally(0, 0, 0)


def test_a_rule_is_recorded_in_exact_fractions() -> None:
    assert PAPER.recipe() == {"accept": "4/5", "reject": "7/10", "quorum": 6}


def test_nine_votes_can_be_settled_after_six_or_still_open_after_eight() -> None:
    six_of_nine = Rule(Fraction(6, 9), Fraction(5, 9), 6)

    assert certain_route(Tally(6, 6), 3, six_of_nine) is Route.KEEP
    assert certain_route(Tally(5, 6), 3, six_of_nine) is None
    assert certain_route(Tally(5, 8), 1, six_of_nine) is None


@given(rules, ballots, st.integers(0, 4))
def test_a_route_is_settled_exactly_if_no_way_the_rest_may_turn_out_changes_it(
    rule: Rule, so_far: list[bool | None], outstanding: int
) -> None:
    ends = {route(tally(votes(*so_far, *rest)), rule) for rest in product(OUTCOMES, repeat=outstanding)}

    assert certain_route(tally(votes(*so_far)), outstanding, rule) == (ends.pop() if len(ends) == 1 else None)


@given(rules, st.integers(0, 9), st.data())
def test_with_as_many_votes_cast_a_further_keep_never_lowers_the_route(
    rule: Rule, cast: int, data: st.DataObject
) -> None:
    rising = (Route.REJECT, Route.HUMAN, Route.KEEP)
    keep = data.draw(st.integers(0, cast))
    more = data.draw(st.integers(keep, cast))

    assert rising.index(route(Tally(keep, cast), rule)) <= rising.index(route(Tally(more, cast), rule))


@given(rules, ballots, ballots)
def test_a_settled_route_stays_whatever_comes(rule: Rule, so_far: list[bool | None], rest: list[bool | None]) -> None:
    early = certain_route(tally(votes(*so_far)), len(rest), rule)
    for n in range(len(rest) + 1):
        later = certain_route(tally(votes(*so_far, *rest[:n])), len(rest) - n, rule)
        assert early is None or later is early
