"""Shortcuts: what rules score that read nothing, by hand, by property, and on the released items of EpiQAL."""

import gzip
import json
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.bodies import inference, option, seen
from tests.conftest import shared_data
from tests.scripted_recall import campaign

from benchwright.pipelines.choice.difficulty import mark
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.shortcuts import (
    RULES,
    Guess,
    Question,
    Score,
    clang,
    expect,
    first,
    longest,
    not_absolute,
    shortcuts,
)
from benchwright.pipelines.kind import Line, Table

OPTIONS = ("It never spreads", "By water of the river", "All year round in every town", "By water")


def item(*options: str, key: set[int], name: str = "x", stem: str = "How does it spread?") -> Question:
    return Question(name, stem, options, frozenset(key))


# ------------------------------------------------------------------------------------------------ rules


def test_the_longest_option_is_the_first_of_several_equally_long_ones() -> None:
    assert longest(item("aa", "bbb", "ccc", key={0})) == Guess(frozenset({1}), 1)


def test_options_with_absolute_words_are_left_out_unless_none_would_remain() -> None:
    assert not_absolute(item(*OPTIONS, key={1})).pool == {1, 3}
    assert not_absolute(item("ALWAYS", "Never, they said", key={1})).pool == {0, 1}
    assert not_absolute(item("Nevertheless", "Overall", key={1})).pool == {0, 1}  # words only look like them


def test_the_clang_is_with_the_options_that_share_most_long_words_with_the_stem() -> None:
    stem = "Which river's water spreads the disease?"
    assert clang(item(*OPTIONS, key={1}, stem=stem)).pool == {1}
    assert clang(item("one", "two", key={1}, stem=stem)).pool == {0, 1}


def test_the_first_option_is_that_at_place_0() -> None:
    assert first(item("a", "b", key={1})) == Guess(frozenset({0}), 1)


# ------------------------------------------------------------------------------------------------ expected scores


@given(st.integers(1, 5), st.data())
def test_a_guess_is_expected_to_score_the_mean_over_all_that_it_may_pick(options: int, data: st.DataObject) -> None:
    places = st.sets(st.integers(0, options - 1))
    pool, key, number = data.draw(places), data.draw(places), data.draw(st.integers(0, options))
    picks = [set(pick) for pick in combinations(sorted(pool), min(number, len(pool)))]
    marks = [mark({*map(str, pick)}, {*map(str, key)}) for pick in picks]

    expected = Score(
        Fraction(sum(one.exact for one in marks), len(marks)), sum((one.f1 for one in marks), Fraction(0)) / len(marks)
    )
    assert expect(Guess(frozenset(pool), number), frozenset(key)) == expected


def test_the_number_of_options_gives_the_number_of_right_ones_away() -> None:
    """Issue: with always three distractors, right = options - 3; the rule then beats guessing any number."""
    leaking = [item(*"abcde"[: 3 + right], key=set(range(right)), name=str(right)) for right in (1, 1, 2, 0)]
    rows = {row.name: row for row in shortcuts(leaking)}

    assert rows["options_minus_k"].title == "as many options as there are, less 3"
    assert rows["options_minus_k"].score.exact == (Fraction(1, 4) * 2 + Fraction(1, 10) + 1) / 4
    assert rows["options_minus_k"].warns
    assert "0" in rows["options_minus_k"].carriers


def test_a_set_in_which_number_and_place_say_nothing_warns_of_nothing() -> None:
    balanced = [item("same", "size", "each", "word", key={place}, name=str(place)) for place in range(4)]
    rows = shortcuts(balanced)

    assert not any(row.warns for row in rows)
    assert {row.name for row in rows} == {*RULES, "options_minus_k", "always_one", "random"}
    assert {row.score for row in rows if row.name in {"first", "random"}} == {Score(Fraction(1, 4), Fraction(1, 4))}


def test_of_no_items_and_of_items_without_options_there_is_no_table() -> None:
    assert shortcuts([]) == []
    assert shortcuts([item(key=set())]) == []


def test_a_warning_names_the_items_and_how_much_is_luck() -> None:
    rows = {row.name: row for row in shortcuts(item("a", "long", key={1}, name=f"item-{n}") for n in range(7))}
    warning = rows["longest"].warning(7)

    assert rows["longest"].score == Score(Fraction(1), Fraction(1))
    assert rows["longest"].json()["items"] == [f"item-{n}" for n in range(7)]
    assert warning == (
        "shortcut: the longest option scores 50 points above chance (Exact Match 1.000 on 7 items; luck explains up"
        " to 37 points): look at item-0, item-1, item-2, item-3, item-4 and 2 more"
    )
    assert "and" not in shortcuts([item("a", "long", key={1})])[0].warning(1).partition("look at")[2]


def test_exactly_five_points_above_chance_are_no_warning() -> None:
    """Of 20 items with two options each, 11 have the longer one right: 0.55 against 0.5."""
    rows = {row.name: row for row in shortcuts(item("a", "long", key={int(n < 11)}) for n in range(20))}
    assert (rows["longest"].above, rows["longest"].warns) == (Fraction(1, 20), False)


# ------------------------------------------------------------------------------------------------ reports


def test_the_run_the_manifest_and_the_card_of_a_set_have_the_table() -> None:
    telling = [option("a", "correct", text="the longest of them by far"), option("b"), option("c")]
    report = CHOICE.report(campaign())
    report.take(seen(inference(options=telling)))

    assert report.lines()[-1].startswith("shortcut: ")
    assert report.counts()["shortcuts"]["longest"]["exact_match"] == 1
    assert report.summary()["shortcuts"] == report.counts()["shortcuts"]
    (part,) = [part for part in report.card().parts if part.title == "What can be scored without reading"]
    line, table = part.content
    assert isinstance(line, Line)
    assert isinstance(table, Table)
    assert table.rows[0][:3] == ("the longest option (WARNING)", "1.000", "1.000")
    assert all(len(row) == len(table.head) for row in table.rows)


# ------------------------------------------------------------------------------------------------ published figures


@pytest.mark.parametrize(("subset", "longest_option", "random"), [("A", "0.379", "0.314"), ("B", "0.322", "0.205")])
def test_the_released_items_have_the_published_figures(subset: str, longest_option: str, random: str) -> None:
    with gzip.open(shared_data(f"epiqal/items_{subset}.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = shortcuts(
        Question(row["item"], row["question"], tuple(row["choices"]), frozenset(map(int, row["ref"])))
        for row in rows
        if row.get("choices")
    )
    table = {row.name: row for row in found}

    assert f"{float(table['longest'].score.exact):.3f}" == longest_option
    assert f"{float(table['always_one'].score.exact):.3f}" == random
    assert table["longest"].warns
