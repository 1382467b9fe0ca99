"""Grades: the exact mean, named roundings, disagreement, and when no outstanding grade can change the end any more."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.grade import PEOPLE, Grade, GradeRule, Grades, People, Rounding
from benchwright.domain.waves import count, fewest

SCALE = (0, 1, 2, 3)

rules = st.builds(
    lambda least, size, rounding, bound, quorum: GradeRule(least, least + size, rounding, bound, quorum),
    st.integers(-1, 1),
    st.integers(1, 3),
    st.sampled_from(Rounding),
    st.none() | st.integers(0, 3),
    st.integers(0, 5),
)


def grades(*given: int | None) -> list[Grade]:
    return [Grade("pair", f"glm#{run}", grade) for run, grade in enumerate(given, 1)]


def counted(rule: GradeRule, *given: int | None) -> Grades:
    return count(grades(*given), rule)


def words(rule: GradeRule, most: int) -> st.SearchStrategy[list[int | None]]:
    return st.lists(st.none() | st.integers(rule.least, rule.most), max_size=most)


def after(rule: GradeRule, so_far: list[int | None], outstanding: int) -> set[int | People]:
    """Every end that so many outstanding words, abstentions among them, may bring."""
    each = (None, *range(rule.least, rule.most + 1))
    return {rule.end(counted(rule, *so_far, *rest)) for rest in product(each, repeat=outstanding)}


@pytest.mark.parametrize(
    ("given_grades", "half_up", "half_even", "down", "up", "median"),
    [
        ((1, 2), 2, 2, 1, 2, 1),
        ((2, 3), 3, 2, 2, 3, 2),
        ((1, 2, 2), 2, 2, 1, 2, 2),
        ((0, 0, 1), 0, 0, 0, 1, 0),
        ((0, 3, 3), 2, 2, 2, 2, 3),
        ((2,), 2, 2, 2, 2, 2),
    ],
)
def test_each_rounding_has_its_name(
    given_grades: tuple[int, ...], half_up: int, half_even: int, down: int, up: int, median: int
) -> None:
    found = counted(GradeRule(0, 3), *given_grades)

    assert [found.round_mean(way) for way in Rounding] == [half_up, half_even, down, up, median]


def test_the_mean_is_an_exact_fraction_and_an_abstention_is_no_grade() -> None:
    found = counted(GradeRule(0, 3), 1, None, 2, 2)

    assert found == Grades(0, (0, 1, 2, 0))
    assert (found.mean, found.cast, found.spread, found.values) == (Fraction(5, 3), 3, 1, (1, 2))
    assert (Grades(0, (0, 0)).mean, Grades(0, (0, 0)).spread) == (None, 0)


def test_people_decide_beyond_the_bound_and_below_the_quorum() -> None:
    rule = GradeRule(0, 3, bound=1, quorum=2)

    assert [rule.end(counted(rule, *given)) for given in ((1, 2), (1, 3), (2, None), ())] == [
        2,
        PEOPLE,
        PEOPLE,
        PEOPLE,
    ]
    assert GradeRule(0, 3).end(Grades(0, (1, 0, 0, 1))) == 2  # without a bound grades may lie as far apart as can be


def test_a_grade_that_lies_outside_of_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="grade 4 lies outside of 0 to 3"):
        counted(GradeRule(0, 3), 4)


def test_a_rule_is_recorded_by_names_and_numbers() -> None:
    assert GradeRule(0, 3, Rounding.MEDIAN, 1, 2).recipe() == {
        "least": 0,
        "most": 3,
        "rounding": "median",
        "bound": 1,
        "quorum": 2,
    }


def test_of_three_graders_the_third_need_not_be_asked_where_it_can_change_nothing() -> None:
    lax, strict = GradeRule(0, 2), GradeRule(0, 3, bound=1)

    assert lax.certain_end(counted(lax, 1, 1), 1) == 1  # 2/3 and 4/3 both become 1
    assert lax.certain_end(counted(lax, 2, 2), 1) is None  # 4/3 would become 1
    assert strict.certain_end(counted(strict, 0, 2), 1) is PEOPLE
    assert strict.certain_end(counted(strict, 1, 1), 1) is None  # a 3 would send it to people


@given(st.data(), rules, st.integers(0, 4))
def test_the_end_is_settled_exactly_if_no_way_the_rest_may_turn_out_changes_it(
    data: st.DataObject, rule: GradeRule, outstanding: int
) -> None:
    so_far = data.draw(words(rule, 5))
    ends = after(rule, so_far, outstanding)

    assert rule.certain_end(counted(rule, *so_far), outstanding) == (ends.pop() if len(ends) == 1 else None)


@given(st.data(), rules, st.integers(1, 4))
def test_the_fewest_further_grades_that_could_settle_are_those_of_a_search_through_all(
    data: st.DataObject, rule: GradeRule, outstanding: int
) -> None:
    so_far = data.draw(words(rule, 4))
    if rule.certain_end(counted(rule, *so_far), outstanding) is not None:
        return
    each = (None, *range(rule.least, rule.most + 1))

    def can(more: int) -> bool:
        return any(
            rule.certain_end(counted(rule, *so_far, *rest), outstanding - more) is not None
            for rest in product(each, repeat=more)
        )

    expected = next(more for more in range(1, outstanding + 1) if can(more))
    assert fewest(counted(rule, *so_far), outstanding, rule) == expected
