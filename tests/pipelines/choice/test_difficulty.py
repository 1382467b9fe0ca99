"""Difficulty by numbers, by property, and again from the judges of EpiQAL-B."""

import gzip
import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.domain.ids import seeded_shuffle
from benchwright.pipelines.choice.difficulty import (
    Level,
    Mark,
    Pool,
    Rule,
    bounds,
    certain_level,
    fewest,
    level,
    mark,
    pool,
    pool_state,
    score,
)

PAPER = Rule(alpha=Fraction("0.7"), threshold=Fraction("0.9"))
RELEASED = Rule(alpha=Fraction("0.3"), threshold=Fraction("0.2"))
RIGHT, WRONG = Mark(Fraction(1), 1), Mark(Fraction(0), 0)
ONE_TOO_MANY = mark({"2", "3"}, {"3"})

FRACTIONS = st.fractions(0, 1, max_denominator=10)
MARKS = st.one_of(
    st.none(),
    st.just(RIGHT),
    st.just(WRONG),
    st.builds(Mark, st.fractions(0, Fraction(9, 10), max_denominator=10), st.just(0)),
)
RULES = st.builds(
    Rule,
    FRACTIONS,
    FRACTIONS,
    st.integers(0, 3),
    st.fractions(0, Fraction(1, 2), max_denominator=10),
    st.integers(1, 3),
)


@pytest.mark.parametrize(
    ("chosen", "right", "f1", "exact"),
    [
        ({"3"}, {"3"}, 1, 1),
        ({"2", "3"}, {"3"}, Fraction(2, 3), 0),
        ({"1"}, {"3"}, 0, 0),
        (set(), {"3"}, 0, 0),
        ({"3"}, set(), 0, 0),
        (set(), set(), 1, 1),
    ],
)
def test_a_mark_is_f1_and_exact_match(chosen: set[str], right: set[str], f1: Fraction, exact: int) -> None:
    assert mark(chosen, right) == Mark(Fraction(f1), exact)


def test_one_option_too_many_from_one_judge_of_four_is_exactly_the_released_threshold_and_not_easy() -> None:
    found = pool([RIGHT, ONE_TOO_MANY, RIGHT, RIGHT], RELEASED)

    assert score(found) == Fraction("0.2")
    assert level(found, RELEASED) is Level.HARD
    assert level(found, PAPER) is Level.EASY


def test_a_failed_judge_is_not_in_the_mean_and_is_counted() -> None:
    found = pool([WRONG, None, RIGHT, None], RELEASED)

    assert (score(found), found.answered, found.failed) == (Fraction(1, 2), 2, 2)


def test_without_enough_answers_the_level_is_unknown() -> None:
    assert score(Pool()) is None
    assert level(Pool(failed=4), RELEASED) is Level.UNKNOWN
    assert level(pool([WRONG, None], RELEASED), Rule(RELEASED.alpha, RELEASED.threshold, quorum=2)) is Level.UNKNOWN


def test_a_rule_can_be_told_as_json() -> None:
    assert json.loads(json.dumps(RELEASED.recipe())) == {
        "alpha": "3/10",
        "threshold": "1/5",
        "margin": "0",
        "quorum": 1,
        "rounds": 1,
    }


@given(st.lists(MARKS, max_size=6), st.lists(MARKS, max_size=4), RULES, st.booleans())
def test_what_is_settled_is_what_all_judges_say_in_the_end(
    before: list[Mark | None], after: list[Mark | None], rule: Rule, last: bool
) -> None:
    certain = certain_level(pool(before, rule), len(after), rule, last=last)
    assert certain in {None, level(pool(before + after, rule), rule, last=last)}


@given(st.lists(MARKS, max_size=5), st.integers(0, 4), RULES, st.booleans())
def test_what_is_not_settled_could_still_turn_out_either_way(
    before: list[Mark | None], outstanding: int, rule: Rule, last: bool
) -> None:
    outcomes = {
        level(pool([*before, *rest], rule), rule, last=last)
        for rest in product([None, RIGHT, WRONG], repeat=outstanding)
    }
    certain = certain_level(pool(before, rule), outstanding, rule, last=last)
    assert certain is None or outcomes == {certain}
    assert certain is not None or len(outcomes) > 1


@given(st.lists(MARKS, max_size=6), st.lists(MARKS, max_size=4), RULES)
def test_the_score_ends_within_its_bounds(before: list[Mark | None], after: list[Mark | None], rule: Rule) -> None:
    low, high = bounds(pool(before, rule), len(after), rule)
    found = pool(before + after, rule)
    value = score(found) if found.answered >= rule.quorum else None
    assert low <= (-1 if value is None else value) <= high


def in_full(rounds: Sequence[Sequence[Mark | None]], rule: Rule) -> Level:
    """The level when every judge of a round is asked, and another round as long as it is near or unknown."""
    asked: list[Mark | None] = []
    for number, marks in enumerate(rounds, 1):
        asked.extend(marks)
        found = level(pool(asked, rule), rule, last=number == len(rounds))
        if found in {Level.EASY, Level.HARD}:
            return found
    return found


def in_waves(marks: Sequence[Mark | None], judges: int, rule: Rule) -> tuple[Level, int]:
    """The level when only waves are asked, and how many judges they were."""
    count = 0
    while (now := pool_state(marks[:count], judges, rule)).level is None:
        assert 1 <= now.wave <= now.outstanding
        count += now.wave
    assert now.wave == 0
    return now.level, count


@given(st.integers(1, 5), RULES, st.data())
def test_an_early_decision_is_the_decision_of_all_judges_in_all_rounds(
    judges: int, rule: Rule, data: st.DataObject
) -> None:
    rounds = [data.draw(st.lists(MARKS, min_size=judges, max_size=judges)) for _ in range(rule.rounds)]
    early, asked = in_waves([one for marks in rounds for one in marks], judges, rule)

    assert asked <= judges * rule.rounds
    assert early is in_full(rounds, rule)


@given(st.lists(MARKS, max_size=3), st.integers(1, 4), RULES, st.booleans())
def test_with_fewer_judges_than_the_next_wave_no_outcome_decides(
    before: list[Mark | None], outstanding: int, rule: Rule, last: bool
) -> None:
    found = pool(before, rule)
    for fewer in range(1, fewest(found, outstanding, rule, last=last)):
        for some in product([None, RIGHT, ONE_TOO_MANY, WRONG], repeat=fewer):
            certain = certain_level(pool([*before, *some], rule), outstanding - fewer, rule, last=last)
            assert certain not in {Level.EASY, Level.HARD}
            assert not last or certain is None


def test_near_the_threshold_the_pool_is_asked_once_more_and_everything_counts() -> None:
    rule = Rule(Fraction("0.3"), Fraction("0.2"), margin=Fraction("0.05"), rounds=2)
    first = [RIGHT, ONE_TOO_MANY, RIGHT, RIGHT]

    assert pool_state(first, 4, rule).outstanding == 4
    assert pool_state([*first, *[RIGHT] * 4], 4, rule).level is Level.EASY
    assert score(pool_state([*first, *[RIGHT] * 4], 4, rule).found) == Fraction("0.1")
    assert pool_state([*first, WRONG, WRONG, WRONG], 4, rule).level is Level.HARD
    assert pool_state([RIGHT, WRONG, RIGHT, WRONG], 4, rule).level is Level.HARD  # far away: once is enough


def test_judges_that_all_failed_are_asked_once_more_while_rounds_are_left() -> None:
    rule = Rule(Fraction("0.3"), Fraction("0.2"), rounds=2)

    assert pool_state([None] * 4, 4, rule).wave == 1
    assert pool_state([None] * 8, 4, rule).level is Level.UNKNOWN


class Shown(NamedTuple):
    """One row of the released measurements: their score, and the marks made again from answers and reference."""

    score: float
    f1_em: dict[str, tuple[float, int]]
    marks: dict[str, Mark | None]


@pytest.fixture(name="shown", scope="module")
def _shown() -> dict[tuple[str, int], Shown]:
    """The released measurements of EpiQAL-B by item and iteration of the stem."""

    def rows(name: str) -> list[dict[str, Any]]:
        with gzip.open(shared_data(f"epiqal/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    right = {
        row["item"]: row["ref"] for row in rows("reference") if (row["subset"], row["release"]) == ("B", "2026-03")
    }
    assert all(right.values())  # F1 of two empty sets, 0 with them and 1 with us, occurs nowhere in B
    return {
        (row["item"], row["iteration"]): Shown(
            row["diff"],
            {name: (judge["f1"], judge["em"]) for name, judge in row["judges"].items()},
            {
                name: None if judge["ans"] is None else mark(judge["ans"], right[row["item"]])
                for name, judge in row["judges"].items()
            },
        )
        for row in rows("difficulty")
    }


def exact(row: Shown) -> Fraction:
    found = score(pool(row.marks.values(), RELEASED))
    assert found is not None
    return found


@pytest.mark.untraced
def test_every_released_score_follows_from_answers_and_reference(shown: dict[tuple[str, int], Shown]) -> None:
    assert len(shown) == 1912
    assert all(abs(round(float(exact(row)), 6) - row.score) < 1e-9 for row in shown.values())  # they have six digits
    assert sum(abs(float(exact(row)) - row.score) >= 1e-9 for row in shown.values()) == 9  # thirds: a judge failed
    assert sum(one is None for row in shown.values() for one in row.marks.values()) == 31  # failed judges
    for row in shown.values():
        for name, one in row.marks.items():
            if one is not None:  # the released F1 are rounded to six digits
                assert (abs(float(one.f1) - row.f1_em[name][0]) < 1e-6, one.exact) == (True, row.f1_em[name][1])


def chosen(levels: Sequence[Level]) -> int:
    """Which version of the stem the released set took: the first that is not easy, else the last."""
    return next((number for number, found in enumerate(levels) if found is not Level.EASY), len(levels) - 1)


@pytest.mark.untraced
def test_refining_only_the_easy_saves_71_percent_of_rewrites_and_over_half_of_the_judges_calls(
    shown: dict[tuple[str, int], Shown],
) -> None:
    items, versions, judges = sorted({item for item, _ in shown}), range(4), 4
    rewrites = measured = asked = 0
    taken = []
    for item in items:
        levels = [level(pool(shown[item, n].marks.values(), RELEASED), RELEASED) for n in versions]
        last = chosen(levels)
        for n in range(last + 1):
            marks = seeded_shuffle(list(shown[item, n].marks.values()), item, n)
            early, calls = in_waves(marks, judges, RELEASED)
            asked += calls
            assert early is levels[n]
        rewrites += last
        measured += last + 1
        taken.append((last, levels[last] is Level.EASY))

    assert [taken.count((n, False)) for n in versions] == [317, 28, 12, 9]
    assert taken.count((3, True)) == 112
    assert 1 - rewrites / (3 * len(items)) == pytest.approx(0.711, abs=0.001)
    assert 1 - measured / (4 * len(items)) == pytest.approx(0.533, abs=0.001)
    assert 1 - asked / (judges * 4 * len(items)) == pytest.approx(0.63, abs=0.01)  # and stopped early
