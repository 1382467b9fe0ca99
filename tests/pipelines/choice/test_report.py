"""What a campaign of questions with options comes to: at the end of a run, in a manifest, on the card of a set."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from tests.bodies import difficulty, inference, option, reconstruction, seen, version
from tests.scripted_recall import campaign

from benchwright.domain.campaign import Campaign
from benchwright.domain.item import ItemState
from benchwright.domain.vote import Rule
from benchwright.pipelines.choice.formats.provenance import WITHHELD
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.choice.report import ChoiceReport, sentences
from benchwright.pipelines.kind import Line, Report, SetCard, Table

ASKED = campaign(knowledge={"graphs": [{"form": "triples", "path": "facts.csv"}]})
UNUSED = inference(knowledge={"given": 2, "used": []}, intended="several")
MAKEUP: dict[str, Any] = {
    "right_options": {
        "none": {"items": 2, "intended": 1},
        "one": {"items": 9, "intended": 8},
        "several": {"items": 1, "intended": 3},
    },
    "difficulty": {"items": 12, "easy_as_written": 7, "rewritten": 4, "easy": 3, "hard": 9, "unknown": 0},
    "knowledge": {"items": 12, "given": 6, "used": 1},
}


def report_of(*bodies: dict[str, Any], of: Campaign = ASKED) -> Report:
    """The report of these kept items."""
    counts = CHOICE.report(of)
    for body in bodies:
        counts.take(seen(body))
    return counts


def text_of(card: SetCard) -> dict[str, str]:
    """The further parts of a card by their titles, as one text each."""
    return {
        part.title: "\n".join(
            one.text if isinstance(one, Line) else "\n".join(" | ".join(map(str, row)) for row in (one.head, *one.rows))
            for one in part.content
        )
        for part in card.parts
    }


# ------------------------------------------------------------------------------------------------ the end of a run


def test_options_are_counted_by_their_fate() -> None:
    counts = ChoiceReport(campaign(), fates=Counter({"human": 1, "keep": 3, "reject": 2}))
    assert counts.lines() == ["options: 3 kept, 2 rejected, 1 for people to decide"]


def test_of_a_campaign_without_items_nothing_is_told() -> None:
    counts = CHOICE.report(campaign())
    counts.take(seen(None, state=ItemState.OPEN))

    assert counts.lines() == []
    assert counts.summary() == {"options": {}}
    assert counts.counts() == {
        "items": {"by_class": {}, "by_topic": {}},
        "options": {"in_the_set": {}, "dropped": {}, "by_route": {}},
    }
    assert (counts.card().counts, counts.card().parts) == ((), ())


@pytest.mark.parametrize(
    ("state", "fates"),
    [
        (ItemState.WAITING, {"keep": 1, "human": 1, "open": 1}),
        (ItemState.DISCARDED, {"keep": 1, "open": 2}),
    ],
)
def test_what_a_discarded_item_left_to_people_is_not_for_them_any_more(state: ItemState, fates: dict[str, int]) -> None:
    undecided = (option("b", fate="human", route="human"), option("c", fate=None, route=None))
    counts = CHOICE.report(campaign())
    counts.take(seen(inference(options=[option("a"), *undecided], order=[]), state=state))

    assert counts.summary() == {"options": fates}  # of an item that is not kept nothing else is counted


def test_the_options_of_all_items_are_told_first_then_what_kept_items_tell() -> None:
    assert report_of(inference()).lines() == [
        "options: 3 kept, 1 rejected",
        "right options: kept items 0 with none (0 meant), 1 with one (1 meant), 0 with several (0 meant)",
        "stems: 1 of 1 were easy as written; 1 have been rewritten; 0 are still easy",
        "knowledge: 1 of 1 kept item used what graphs know (100.0 %)",
    ]


def test_what_kept_items_tell_of_right_options_stems_and_graphs_is_a_sentence_each() -> None:
    assert list(sentences(MAKEUP)) == [
        "right options: kept items 2 with none (1 meant), 9 with one (8 meant), 1 with several (3 meant)",
        "stems: 7 of 12 were easy as written; 4 have been rewritten; 3 are still easy",
        "knowledge: 1 of 12 kept items used what graphs know (8.3 %)",
    ]


def test_stems_that_nobody_could_measure_are_told_too() -> None:
    (unknown,) = sentences({"difficulty": MAKEUP["difficulty"] | {"unknown": 2}})
    assert unknown.endswith("3 are still easy, 2 of unknown difficulty")


def test_items_of_recall_say_nothing_of_what_they_have_not() -> None:
    body = inference(intended="", knowledge=None, difficulty=None)
    assert report_of(body, of=campaign()).lines() == ["options: 3 kept, 1 rejected"]


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (ItemState.WAITING, {"kept": 2, "for people to decide": 1, "undecided": 1}),
        (ItemState.DISCARDED, {"kept": 2, "undecided": 2}),  # nobody is asked about it any more
    ],
)
def test_questions_are_counted_by_what_their_panel_came_to(state: ItemState, told: dict[str, int]) -> None:
    counts = CHOICE.report(campaign())
    for fate in ("keep", "keep", "human", None):
        counts.take(seen(inference(stem_check={"ratio": "1/2", "route": fate, "fate": fate}), state=state))

    assert counts.summary()["questions"] == told
    words = ", ".join(f"{number} {word}" for word, number in told.items())
    assert f"questions, by their panel: {words}" in counts.lines()


def test_a_number_of_options_that_tells_how_many_are_right_is_told() -> None:
    tell = {"number_of_options": {"right_by_options": {}, "p_independent": 0.0021}}
    assert list(sentences(tell)) == [
        "the number of options tells how many are right (p = 0.0021): see the table in the card of the set"
    ]


# ------------------------------------------------------------------------------------------------ the set


def test_a_set_counts_right_options_levels_rewrites_and_use_of_graphs() -> None:
    counts = report_of(inference(), UNUSED, reconstruction()).counts()

    assert counts["right_options"] == {
        "none": {"items": 1, "intended": 1},
        "one": {"items": 2, "intended": 1},
        "several": {"items": 0, "intended": 1},
    }
    assert counts["knowledge"] == {"items": 2, "given": 2, "used": 1}
    assert counts["difficulty"] == {
        "items": 3, "easy_as_written": 3, "rewritten": 2, "easy": 1, "hard": 2, "unknown": 0,
        "mean_score_as_written": pytest.approx(1 / 15), "mean_score_rewritten": 0.5,
    }  # fmt: skip
    assert counts["items"] == {"by_class": {"Surveillance": 2}, "by_topic": {"Detection": 2}}


def test_more_right_options_than_one_are_several() -> None:
    options = [option(name, "correct") for name in "abc"]
    counts = report_of(inference(options=options, order=["a", "b", "c"], intended="several")).counts()
    assert counts["right_options"]["several"] == {"items": 1, "intended": 1}


def test_options_are_counted_by_label_by_what_made_them_fall_and_by_route() -> None:
    decisions = [{"by": "human:ada", "decision": "reject", "reason": ""}]
    fallen = (
        option("e", route="reject", fate="reject"),
        option("f", route="human", decisions=decisions, fate="reject"),
        option("g", route=None, fate="reject"),
    )
    body = reconstruction(options=[*reconstruction()["options"], *fallen])

    assert report_of(body).counts()["options"] == {
        "in_the_set": {"distractor": 2},
        "dropped": {WITHHELD: 1, "gate in_stem": 1, "votes": 2, "people": 1},
        "by_route": {"keep": 3, "gate": 2, "reject": 1, "human": 1},
    }


def test_a_set_that_was_not_measured_says_so_by_silence() -> None:
    counts = report_of(inference(difficulty=None))

    assert "difficulty" not in counts.counts()
    assert "How hard the items are" not in text_of(counts.card())
    assert "- `difficulty` says" not in counts.card().files


def test_an_item_that_no_judge_answered_has_no_score() -> None:
    dumb = [version("Where?", None, "unknown", answered=0, failed=4)]
    hard = difficulty(best=0, level="unknown", why="too few judges answered", versions=dumb, rounds=[])
    counts = report_of(inference(difficulty=hard))

    assert counts.counts()["difficulty"]["mean_score_as_written"] is None
    told = text_of(counts.card())["How hard the items are"]
    assert "items, unknown | 1" in told
    assert "mean score" not in told


def test_a_rewritten_stem_without_a_score_leaves_the_mean_to_the_others() -> None:
    first, _ = difficulty()["versions"]
    blank = difficulty(versions=[first, version("Where was the illness?", None, "unknown", answered=0, failed=4)])
    found = report_of(inference(), inference(difficulty=blank)).counts()["difficulty"]

    assert (found["rewritten"], found["mean_score_rewritten"]) == (2, 0.5)


def test_where_no_graph_was_asked_nothing_is_said_of_graphs() -> None:
    counts = report_of(inference(knowledge={"given": 0, "used": []}), of=campaign(knowledge=None))

    assert "knowledge" not in counts.counts()
    assert "What knowledge graphs gave" not in text_of(counts.card())


def test_where_graphs_knew_nothing_that_is_told() -> None:
    counts = report_of(inference(knowledge={"given": 0, "used": []}))

    assert counts.counts()["knowledge"] == {"items": 1, "given": 0, "used": 0}
    assert text_of(counts.card())["What knowledge graphs gave"] == (
        "Of 1 items 0 were written with statements of knowledge graphs at hand; 0 (0.0 %) used what they say."
    )


# ------------------------------------------------------------------------------------------------ the card


def test_the_card_counts_what_the_set_holds_and_what_fell() -> None:
    card = report_of(inference(), UNUSED, reconstruction()).card()

    assert card.noun == "Multiple-choice items"
    assert card.counts == (
        ("items, class Surveillance", 2),
        ("options in the set, correct", 2),
        ("options in the set, distractor", 6),
        ("options dropped, gate in_stem", 3),
        (f"options dropped, {WITHHELD}", 1),
    )


def test_the_card_has_a_part_for_right_options_for_difficulty_and_for_graphs() -> None:
    told = text_of(report_of(inference(), UNUSED, reconstruction()).card())

    assert told["How many options are right"].splitlines() == [
        "right options | items | meant to be so",
        "none | 1 | 1",
        "one | 2 | 1",
        "several | 0 | 1",
    ]
    measurement, *table = told["How hard the items are"].splitlines()
    assert "below the threshold it is easy (alpha 0.3, threshold 0.2)." in measurement
    assert table == [
        " | number",
        "items, easy | 1",
        "items, hard | 2",
        "items, easy as they were written | 3",
        "items with another stem | 2",
        "mean score of these, as they were written | 0.067",
        "mean score of these, in the set | 0.500",
    ]
    assert told["What knowledge graphs gave"].startswith("Of 2 items 2 were written with statements")
    assert "1 (50.0 %) used what they say." in told["What knowledge graphs gave"]


def supported(**right: Any) -> dict[str, Any]:
    """An item whose right option rests on what it cites so far; what is said of its distractor does not count."""
    wrong = option("b", relied="9/9", evidence_checks=[{"sentences": [2], "ratio": "9/9", "route": "keep"}])
    return inference(options=[option("a", "correct", **right), wrong], order=["a", "b"])


def test_how_far_right_options_rest_on_what_they_cite_is_counted_and_told() -> None:
    checks = [{"sentences": [2], "ratio": ratio, "route": "keep"} for ratio in ("1/2", "7/7")]  # the first is of all
    counts = report_of(supported(relied="3/4", evidence_checks=checks), supported(relied="2/4"), supported())

    evidence = counts.counts()["evidence"]
    assert {name: (one["options"], one["votes"], one["of"]) for name, one in evidence.items()} == {
        "relied": (2, 5, 8),
        "carried": (1, 1, 2),
    }
    assert all(0 < one["low"] < one["votes"] / one["of"] < one["high"] < 1 for one in evidence.values())
    assert "evidence of right options, by checkers: 5 of 8 votes relied, 1 of 2 votes carried" in counts.lines()
    relied, carried = text_of(counts.card())["Whether cited sentences support the right options"].splitlines()
    assert relied.startswith("5 of 8 of the votes that confirm a right option rely on a sentence that it cites (62.5 %")
    assert carried.startswith("1 of 2 of the votes of checkers who saw cited sentences without the document say")


def test_where_no_panel_saw_the_evidence_nothing_is_told_of_it() -> None:
    counts = report_of(supported(relied="3/4"))

    assert "evidence of right options, by checkers: 3 of 4 votes relied" in counts.lines()
    (line,) = text_of(counts.card())["Whether cited sentences support the right options"].splitlines()
    assert line.startswith("3 of 4 of the votes that confirm")


def test_items_measured_by_several_rules_name_each_of_them() -> None:
    rule = difficulty()["rule"] | {"alpha": "7/10", "threshold": "9/10"}
    told = text_of(report_of(inference(), inference(difficulty=difficulty(rule=rule))).card())
    assert "(alpha 0.3, threshold 0.2; alpha 0.7, threshold 0.9)" in told["How hard the items are"]


@pytest.mark.parametrize(
    ("bodies", "names"),
    [
        ((inference(intended="", knowledge=None, difficulty=None),), set[str]()),
        ((reconstruction(),), {"intended", "difficulty"}),
        ((inference(),), {"intended", "difficulty", "knowledge"}),
    ],
)
def test_the_card_explains_the_fields_that_the_sets_items_have(
    bodies: tuple[dict[str, Any], ...], names: set[str]
) -> None:
    files = report_of(*bodies).card().files

    assert {name for name in ("intended", "difficulty", "knowledge") if f"- `{name}` says" in files} == names


def test_the_card_names_the_rule_by_which_options_were_kept() -> None:
    strict = replace(campaign(), rule=Rule(Fraction(4, 5), Fraction(1, 2), 3))
    method = report_of(of=strict).card().method
    assert "kept when at least 4/5 of the votes cast were for it, rejected below 1/2;" in method
    assert "with fewer than 3 votes, people decided" in method


def test_every_part_of_a_card_is_made_of_lines_and_tables() -> None:
    parts = report_of(inference()).card().parts
    assert {type(one) for part in parts for one in part.content} == {Line, Table}
