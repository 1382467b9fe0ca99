"""The quality of voters: planted things, rubber stamps, pairs that never disagree, agreement."""

from collections.abc import Sequence
from dataclasses import asdict

import pytest

from benchwright.domain.agreement import CONSTANT, NOTHING, Agreement, cohen, krippendorff
from benchwright.domain.category import Category
from benchwright.domain.grade import Grade
from benchwright.domain.quality import Probe, Quality, Share, Word, WordKind, qualities
from benchwright.domain.quality import quality as measure
from benchwright.domain.statistics import wilson
from benchwright.domain.vote import Vote

TRUTH = [("correct", "wrong", "wrong", "flawed")[n % 4] for n in range(40)]


def words(model: str, verdicts: list[str], run: int = 1) -> list[Vote]:
    """A checker's verdicts on options 0, 1, 2, ...; what confirms a label is what is true of it."""
    return [
        Vote(f"o{n}", f"{model}#{run}", None if said == "cannot_say" else said == TRUTH[n], verdict=said)
        for n, said in enumerate(verdicts)
    ]


def probes(model: str, hits: int, alarms: int, of: int = 10) -> list[Probe]:
    """So many right ones and so many wrong ones called correct."""
    return [Probe(model, right, n < called) for right, called in ((True, hits), (False, alarms)) for n in range(of)]


def quality(words: Sequence[Word], probes: Sequence[Probe]) -> Quality:
    return measure(words, probes, "option")


def flags(found: Quality) -> dict[str, str]:
    return {one.model: one.flag for one in found.checkers}


def test_planted_options_give_each_checkers_true_and_false_positives() -> None:
    found = quality([], [*probes("red", 9, 1), *probes("green", 4, 0, of=5)])

    rates = {one.model: (one.true_positives, one.false_positives) for one in found.checkers}
    assert rates == {"red": (Share(9, 10), Share(1, 10)), "green": (Share(4, 5), Share(0, 5))}
    assert (Share(9, 10).rate, Share(0, 0).rate) == (0.9, None)
    assert found.flags == ()


def test_each_checker_tells_as_json_how_often_it_misses_what_is_right_and_passes_what_is_wrong() -> None:
    (red,) = quality([], probes("red", 7, 1)).checkers

    assert (red.misses, red.false_alarms) == (wilson(3, 10), wilson(1, 10))
    told = red.json()
    assert (told["model"], told["true_positives"]) == ("red", {"n": 7, "of": 10})
    assert told["errors"] == {
        "known_right_called_wrong": asdict(wilson(3, 10)),
        "known_wrong_called_right": asdict(wilson(1, 10)),
    }


@pytest.mark.parametrize("favourite", ["correct", "wrong", "cannot_say"])
def test_a_checker_that_says_the_same_to_everything_is_a_rubber_stamp(favourite: str) -> None:
    found = quality([*words("red", [favourite] * 39 + ["flawed"]), *words("green", TRUTH)], [])

    assert flags(found) == {"red": f"is a rubber stamp: it says {favourite!r} to 39 of 40 options", "green": ""}
    assert found.flags == (f"red is a rubber stamp: it says {favourite!r} to 39 of 40 options",)


def test_a_few_verdicts_flag_nobody() -> None:
    found = quality([*words("red", ["wrong"] * 19), *words("green", ["wrong"] * 19)], probes("red", 5, 5, of=9))

    assert found.flags == ()


def test_a_checker_that_calls_right_and_wrong_correct_alike_is_flagged() -> None:
    found = quality([], [*probes("red", 10, 10), *probes("green", 2, 1), *probes("blue", 1, 1)])

    known = "10 of 10 options known to be wrong, 10 of 10 known to be right"
    assert flags(found)["red"] == f"does not tell right from wrong: it calls correct {known}"
    assert (flags(found)["green"], bool(flags(found)["blue"])) == ("", True)


def test_the_strictest_checker_comes_first_and_one_without_a_vote_last() -> None:
    strict = [said if n % 2 else "flawed" for n, said in enumerate(TRUTH)]
    found = quality([*words("lax", TRUTH), *words("strict", strict), *words("mute", ["cannot_say"] * 4)], [])

    assert [one.model for one in found.checkers] == ["strict", "lax", "mute"]
    assert [one.confirms for one in found.checkers] == [Share(20, 40), Share(40, 40), Share(0, 0)]
    assert [one.abstains for one in found.checkers] == [Share(0, 40), Share(0, 40), Share(4, 4)]


def test_a_pair_that_never_disagrees_is_flagged() -> None:
    other = ["wrong", *TRUTH[1:]]
    found = quality([*words("red", TRUTH), *words("twin", TRUTH), *words("green", other)], [])

    assert {pair.models: (pair.differ, bool(pair.flag)) for pair in found.pairs} == {
        ("green", "red"): (Share(1, 40), False),
        ("green", "twin"): (Share(1, 40), False),
        ("red", "twin"): (Share(0, 40), True),
    }
    assert found.flags == ("red and twin never disagree, on 40 options: the one adds nothing to the other",)
    assert found.pairs[2].kappa == Agreement(1.0, units=40)


def test_agreement_is_of_first_votes_whatever_later_runs_say() -> None:
    contrary = ["flawed"] * 40
    first = [*words("red", TRUTH), *words("green", TRUTH)]

    assert (
        quality([*first, *words("red", contrary, 2)], []).alpha == quality(first, []).alpha == Agreement(1.0, units=40)
    )


def test_agreement_on_verdicts_and_on_the_votes_that_follow_is_told_apart() -> None:
    """One takes flawed ones for wrong: on what is no distractor they differ, though both may reject it."""
    found = quality([*words("red", ["flawed", "wrong"]), *words("green", ["wrong", "wrong"])], [])

    assert found.alpha.value == pytest.approx(0.0)
    assert found.alpha_votes == Agreement(1.0, units=2)
    assert found.kappa.value == pytest.approx(-1 / 3)


def test_abstentions_and_missing_votes_are_left_out() -> None:
    found = quality([*words("red", ["correct", "cannot_say", "wrong"]), *words("green", ["correct", "wrong"])], [])

    assert found.pairs[0].differ == Share(0, 1)
    assert (found.alpha, found.pairs[0].kappa) == (Agreement(None, CONSTANT, 1),) * 2
    assert found.kappa == Agreement(None, "all have rated only 1, each the same: green rated 2 of 3", 1)


def test_where_one_rater_saw_little_the_reason_for_an_undefined_kappa_names_it() -> None:
    seen = [*words("red", ["correct", "wrong", "wrong"]), *words("green", ["correct", "wrong", "correct"])]
    assert quality(seen, []).kappa.value is not None
    idle = [*seen, *words("blue", ["cannot_say", "cannot_say", "cannot_say"])]
    assert quality(idle, []).kappa == Agreement(None, "nothing was rated by all raters: blue rated 0 of 3", 0)
    late = [*seen, *words("blue", ["correct"])]
    assert quality(late, []).kappa.reason == "all have rated only 1, each the same: blue rated 1 of 3"
    assert quality(words("red", ["correct"]), []).kappa == Agreement(None, NOTHING)


def test_of_nothing_said_there_is_nothing_to_tell() -> None:
    nothing = Agreement(None, NOTHING)

    assert quality([], []) == Quality(WordKind.VOTES, (), (), nothing, nothing, nothing)
    assert qualities([], [], "option") == ()


# ------------------------------------------------------------------------------------------------ grades and categories


def graded(model: str, *given: int | None) -> list[Grade]:
    return [Grade(f"pair{n}", f"{model}#1", grade) for n, grade in enumerate(given)]


def test_grades_are_compared_by_how_far_they_lie_apart() -> None:
    """A 3 beside a 0 is a worse disagreement than a 1, though nobody has given what lies between."""
    found = measure([*graded("red", 0, 0, 3, 3), *graded("green", 0, 1, 3, 0)], [], "pair")

    assert found.words is WordKind.GRADES
    assert found.pairs[0].kappa == cohen([0, 1, 3, 0], [0, 0, 3, 3], [0, 1, 2, 3], "quadratic")
    assert found.pairs[0].differ == Share(2, 4)
    assert found.alpha == krippendorff([[0, 0], [1, 0], [3, 3], [0, 3]], "ordinal")
    assert found.alpha_votes is None
    assert [(one.model, one.mean) for one in found.checkers] == [("green", 1.0), ("red", 1.5)]  # the strictest first


def test_a_grader_that_abstains_has_no_grade_of_it_and_comes_last() -> None:
    found = measure([*graded("mute", None, None), *graded("red", 3, None)], [], "pair")

    assert [(one.model, one.mean, one.abstains) for one in found.checkers] == [
        ("red", 3.0, Share(1, 2)),
        ("mute", None, Share(2, 2)),
    ]
    assert found.checkers[1].favourite == "cannot_say"


def test_a_grader_is_a_rubber_stamp_only_where_the_others_do_not_say_the_same_to_nearly_everything() -> None:
    """Of a pool's pairs most may well be irrelevant: then a grade of 0 to nearly all is no fault."""
    alike, mixed = [0] * 40, [n % 4 for n in range(40)]

    assert flags(measure([*graded("red", *alike), *graded("green", *alike[1:], 1)], [], "pair")) == {
        "red": "",
        "green": "",
    }
    assert flags(measure([*graded("red", *alike), *graded("green", *mixed)], [], "pair")) == {
        "red": "is a rubber stamp: it says '0' to 40 of 40 pairs",
        "green": "",
    }


def test_categories_have_no_order_and_confirm_nothing() -> None:
    categories = [
        Category(f"set{n}", f"{model}#1", value) for model in ("red", "green") for n, value in enumerate("wtl")
    ]
    found = measure(categories, [], "set")

    assert (found.words, found.alpha, found.kappa.value) == (WordKind.CATEGORIES, Agreement(1.0, units=3), 1.0)
    assert [(one.model, one.confirms, one.mean) for one in found.checkers] == [
        ("green", Share(0, 0), None),
        ("red", Share(0, 0), None),
    ]


def test_a_campaign_with_words_of_several_kinds_has_a_panel_for_each_and_planted_things_are_of_the_first() -> None:
    found = qualities([*graded("red", 1), *words("red", ["wrong"])], probes("red", 1, 0), "pair")

    assert [one.words for one in found] == [WordKind.VOTES, WordKind.GRADES]
    assert [one.checkers[0].true_positives.of for one in found] == [10, 0]
    assert [one.words for one in qualities([], probes("red", 1, 0), "pair")] == [WordKind.VOTES]


def test_a_vote_without_a_word_of_its_own_is_a_yes_or_a_no() -> None:
    found = measure([Vote("a", "red#1", keep=True), Vote("b", "red#1", keep=False)], [], "claim")

    assert found.checkers[0].favourite == "yes"
