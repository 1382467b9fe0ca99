"""Categories: which named value wins, ties, and when no outstanding word can change the end any more."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.category import Categories, Category, CategoryRule, Winning
from benchwright.domain.grade import PEOPLE, People
from benchwright.domain.waves import count, fewest

GAME = ("win", "tie", "lose")

rules = st.builds(
    CategoryRule,
    st.sampled_from([GAME, GAME[:2], ("a", "b", "c", "d")]),
    st.sampled_from(Winning),
    st.fractions(0, 1, max_denominator=6),
    st.integers(0, 5),
)


def categories(*values: str | None) -> list[Category]:
    return [Category("set", f"glm#{run}", value) for run, value in enumerate(values, 1)]


def counted(rule: CategoryRule, *given: str | None) -> Categories:
    return count(categories(*given), rule)


def words(rule: CategoryRule, most: int) -> st.SearchStrategy[list[str | None]]:
    return st.lists(st.none() | st.sampled_from(rule.values), max_size=most)


def after(rule: CategoryRule, so_far: list[str | None], outstanding: int) -> set[str | People]:
    """Every end that so many outstanding words, abstentions among them, may bring."""
    rests = product((None, *rule.values), repeat=outstanding)
    return {rule.end(counted(rule, *so_far, *rest)) for rest in rests}


@pytest.mark.parametrize(
    ("values", "majority", "plurality"),
    [
        (("win", "win", "lose"), "win", "win"),
        (("win", "win", "lose", "tie"), PEOPLE, "win"),  # half is no majority
        (("win", "lose"), PEOPLE, PEOPLE),
        (("win", "win", "lose", "lose", "tie"), PEOPLE, PEOPLE),
        (("tie", None, None), "tie", "tie"),
        ((None,), PEOPLE, PEOPLE),
    ],
)
def test_the_value_that_leads_alone_wins_by_majority_or_by_plurality(
    values: tuple[str | None, ...], majority: str, plurality: str
) -> None:
    for how, expected in ((Winning.MAJORITY, majority), (Winning.PLURALITY, plurality)):
        rule = CategoryRule(GAME, how)
        assert rule.end(counted(rule, *values)) == expected


def test_a_share_and_a_quorum_may_be_asked_too() -> None:
    rule = CategoryRule(GAME, Winning.PLURALITY, Fraction(2, 3), 3)

    assert rule.end(counted(rule, "win", "win", "tie")) == "win"  # two thirds exactly
    assert rule.end(counted(rule, "win", "win", "tie", "lose")) is PEOPLE
    assert rule.end(counted(rule, "win", "win")) is PEOPLE


def test_a_value_that_the_rule_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="'draw' is none of win, tie, lose"):
        counted(CategoryRule(GAME), "draw")


def test_a_rule_is_recorded_by_names_and_exact_fractions() -> None:
    assert CategoryRule(GAME, share=Fraction(2, 3)).recipe() == {
        "values": ["win", "tie", "lose"],
        "how": "majority",
        "share": "2/3",
        "quorum": 1,
    }


def test_three_of_five_settle_a_majority() -> None:
    rule = CategoryRule(GAME)

    assert rule.certain_end(counted(rule, "win", "win", "win"), 2) == "win"
    assert rule.certain_end(counted(rule, "win", "win", "lose"), 2) is None
    assert rule.certain_end(Categories((2, 2, 2)), 0) is PEOPLE


@given(st.data(), rules, st.integers(0, 4))
def test_the_end_is_settled_exactly_if_no_way_the_rest_may_turn_out_changes_it(
    data: st.DataObject, rule: CategoryRule, outstanding: int
) -> None:
    so_far = data.draw(words(rule, 6))
    ends = after(rule, so_far, outstanding)

    assert rule.certain_end(counted(rule, *so_far), outstanding) == (ends.pop() if len(ends) == 1 else None)


@given(st.data(), rules, st.integers(1, 4))
def test_the_fewest_further_words_that_could_settle_are_those_of_a_search_through_all(
    data: st.DataObject, rule: CategoryRule, outstanding: int
) -> None:
    so_far = data.draw(words(rule, 4))
    if rule.certain_end(counted(rule, *so_far), outstanding) is not None:
        return

    def can(more: int) -> bool:
        return any(
            rule.certain_end(counted(rule, *so_far, *rest), outstanding - more) is not None
            for rest in product((None, *rule.values), repeat=more)
        )

    expected = next(more for more in range(1, outstanding + 1) if can(more))
    assert fewest(counted(rule, *so_far), outstanding, rule) == expected
