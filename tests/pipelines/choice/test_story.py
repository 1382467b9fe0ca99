"""The story of an item of each pipeline, as its kind tells it, and its place in the set."""

from typing import Any

import pytest
from tests.bodies import (
    FACT,
    SPAN,
    difficulty,
    facts,
    inference,
    option,
    reconstruction,
    round_,
    seen,
    version,
)

from benchwright.domain.answer import Answer, failure_answer
from benchwright.domain.ids import canonical
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Line, Part


def lines_of(part: Part) -> list[str]:
    """Its lines."""
    return [line.text for line in part.content if isinstance(line, Line)]


def told(body: dict[str, Any] | None, *answers: Answer) -> str:
    """The story as text: titles, and the lines under them."""
    parts = CHOICE.story(seen(body, *answers))
    return "\n".join(text for part in parts for text in (part.title, *lines_of(part)))


def stands(**changes: Any) -> str:
    """The story of an item in the making that has one option."""
    own = {"id": "abc", "confusion": "place", "route": "human", "ratio": "1/2", "fate": "human"}
    return told(inference(options=[option("abc", **own | changes)], order=[]))


def in_order(text: str, *parts: str) -> None:
    """Each part is there, after the one before."""
    place = 0
    for part in parts:
        assert part in text[place:], part
        place = text.index(part, place) + len(part)


def test_an_item_without_a_question_says_so() -> None:
    assert told(None) == "\n\nno question was written"


def test_a_story_goes_from_what_the_item_is_about_to_its_last_option() -> None:
    titles = [part.title for part in CHOICE.story(seen(inference(), facts()))]

    assert titles == [
        "",
        "The question rests on",
        "Question",
        "What graphs know",
        "Difficulty",
        "Option A, distractor (principle mismatch), b",
        "Option B, correct, a",
        "Option C, distractor (principle mismatch), c",
        "Option, distractor (principle mismatch), d",
    ]


def test_the_question_stands_with_the_sentences_that_it_rests_on() -> None:
    in_order(
        told(inference()),
        "class: Surveillance; topic: Detection; options meant to be right: one",
        "The question rests on",
        "[2] It was the west.  (characters 10-26)",
        "Where was the break-bone illness?",
    )


def test_a_question_that_a_person_worded_is_told_with_what_the_options_were_written_for() -> None:
    worded = {"question": "Where was it?", "evidence": [], "author": "human:ada", "replaces": "Where was dengue?"}
    assert ("Where was it?\nworded by human:ada; its options were written and voted on for: Where was dengue?") in told(
        inference(question=worded)
    )


# ------------------------------------------------------------------------------------------------ options


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "1/2 votes confirm it: to people"),
        ({"route": None, "fate": None}, "1/2 votes confirm it: undecided"),
        ({"route": "keep", "ratio": "2/2", "fate": "keep"}, "2/2 votes confirm it: keep"),
        ({"gate": "no_evidence", "fate": "reject"}, "fell at the gate: no evidence"),
        ({"degraded": ["spare#1", "spare#2"]}, "1/2 votes confirm it: to people (degraded: spare#1, spare#2)"),
    ],
)
def test_the_route_of_an_option_is_told_in_words(changes: dict[str, Any], line: str) -> None:
    assert line in stands(**changes).splitlines()


def test_an_option_that_people_are_asked_about_whatever_the_votes_say_is_told_as_such() -> None:
    assert "votes confirm it: keep\npeople decide too: for the audit" in stands(route="keep")
    assert "all the same" not in stands()


def test_an_option_stands_with_its_evidence_its_reason_and_its_votes() -> None:
    vote = {"by": "red#1", "verdict": "wrong", "keep": True, "reason": "not the east"}
    in_order(
        stands(votes=[vote]),
        "Option, distractor (place), abc\ntext of abc\n",
        "[2] It was the west.  (characters 10-26)\n",
        "because: so\n",
        "red#1 votes wrong: not the east\n",
        "1/2 votes confirm it",
    )


def test_what_people_decided_stands_after_the_votes() -> None:
    decisions = [
        {"by": "human:ada", "decision": "cannot_say", "reason": "no map"},
        {"by": "human:bob", "decision": "edit", "reason": "shorter", "text": "the west"},
        {"by": "human:cyd", "decision": "keep", "reason": "so", "first": "cannot_say"},
    ]
    before = {"id": "old", "text": "in the west of it"}
    in_order(
        stands(decisions=decisions, fate="keep", author="human:bob", replaces=before),
        "1/2 votes confirm it: to people",
        "human:ada cannot say: no map",
        "human:bob decides edit to 'the west': shorter",
        "human:cyd decides keep (first, before they knew votes and what others said: cannot say): so",
        "before human:bob reworded it: in the west of it",
        "in the end: keep",
    )


def test_an_option_that_was_left_out_on_purpose_says_so() -> None:
    text = told(reconstruction())

    in_order(text, "Option, correct, a", "left out on purpose")
    assert text.count("left out on purpose") == 1
    assert "left out on purpose" not in told(reconstruction(order=[], options=[option("a", "correct")]))


def test_an_item_has_its_place_in_the_set_with_its_letters_and_those_that_are_right() -> None:
    one, none = CHOICE.read(inference()), CHOICE.read(reconstruction())

    assert CHOICE.place(one, 3) == "items.jsonl, line 3: options A, B, C in this order; right: B"
    assert CHOICE.place(none, 1) == "items.jsonl, line 1: options A, B in this order; right: none of them"


def test_a_list_of_items_has_the_question_as_the_set_has_it() -> None:
    assert CHOICE.title(CHOICE.read(inference())) == inference()["question"]["question"]


# ------------------------------------------------------------------------------------------------ difficulty


def test_a_refinement_is_told_from_the_first_stem_to_the_one_that_was_kept() -> None:
    in_order(
        told(inference()),
        "Difficulty",
        "hard: it is hard enough",
        "by alpha 3/10, threshold 1/5, measured again within 1/20 of it",
        "version 0, as written: Where was dengue?",
        "easy, score 1/15 (0.067): 3 judges answered, 1 failed",
        "judge0#1: F1 2/3, not exact",
        "judge3#1 failed",
        "version 1, kept: Where was the break-bone illness?",
        "for 'dengue', from https://a.example/1",
        "hard, score 1/2 (0.500)",
        "round 1: to describe 'Maruna'",
        "could not be looked up: duckduckgo: timed out",
        "ended: nothing was found; duckduckgo: timed out",
        "round 2: to describe 'dengue' (also break-bone fever)",
        "found by glossary: Fevers https://a.example/1; terms.csv",
        "tried 'the dengue illness': Where was the dengue illness?",
        "no rewrite",
        "against it: it still says dengue",
        "ended: a new version, which checkers take for the same question",
        "Option A, ",
    )


def test_the_kept_stem_the_level_and_where_options_end_are_what_matters_most() -> None:
    parts = CHOICE.story(seen(inference(options=[option("a", "correct")], order=["a"])))
    strong = [line.text for part in parts for line in part.content if isinstance(line, Line) and line.strong]

    assert strong == [
        "hard: it is hard enough",
        "version 1, kept: Where was the break-bone illness?",
        "2/2 votes confirm it: keep",
    ]


def test_a_stem_without_a_score_and_rounds_without_an_entity_or_an_end_are_told_as_such() -> None:
    mark = {"by": "judge0#1", "f1": "1", "exact": 1}
    dumb = version("Where?", None, "unknown", answered=0, failed=0, marks=[mark])
    rounds = [round_("", end="the stem has no other entity to describe"), round_("rain")]
    in_order(
        told(inference(difficulty=difficulty(best=0, level="unknown", why="", versions=[dumb], rounds=rounds))),
        "version 0, as written, kept: Where?",
        "unknown, without a score: 0 judges answered\n",
        "judge0#1: F1 1, exact",
        "round 1: nothing to describe",
        "ended: the stem has no other entity to describe",
        "round 2: to describe 'rain'",
        "ended: not yet",
    )


# ------------------------------------------------------------------------------------------------ sources


def test_statements_of_graphs_are_told_with_their_facts() -> None:
    in_order(
        told(inference(), facts()),
        "What graphs know",
        "2 statements given to the writer of the question, 1 used",
        "Chloroquine treats malaria.",
        "chloroquine | treats | malaria | since 1946 (Hetionet)",
    )
    assert FACT.id in told(inference())


def test_where_graphs_gave_nothing_nothing_is_told_of_them() -> None:
    assert "What graphs know" not in told(inference(knowledge={"given": 0, "used": []}))


def test_an_item_of_reconstruction_has_no_class_and_no_graphs() -> None:
    text = told(reconstruction())

    assert text.startswith("\noptions meant to be right: none\n")
    assert "What graphs know" not in text


def test_an_item_of_which_neither_class_nor_topic_is_known_begins_with_its_evidence() -> None:
    first, *_ = CHOICE.story(seen(reconstruction(intended="")))
    assert first.title == "The question rests on"


def test_conclusions_are_told_with_their_source_and_what_checkers_say_of_it() -> None:
    wet = {"text": "Rain brings dengue", "discussion": [SPAN], "evidence": [], "rationale": "so"}
    said = Answer("extract_conclusion", "", "writer#1", canonical({"conclusions": [wet, wet | {"text": "Drought"}]}))
    verdict = canonical({"reason": "further than that", "verdict": "distorted"})
    votes = [
        Answer("compare_conclusion", "2", "red#1", verdict),
        failure_answer("compare_conclusion", "2", "red#2", "refused", ""),
    ]
    text = told(None, said, *votes)

    in_order(
        text,
        "Conclusions, from what is masked",
        "1. Rain brings dengue\n  [D2] It was the west.",
        "2. Drought",
        "red#1 says distorted: further than that\n",
        "no question was written",
    )
    assert "red#2 says" not in text
    assert "Conclusions" not in told(None, failure_answer("extract_conclusion", "", "writer#1", "refused", ""))
