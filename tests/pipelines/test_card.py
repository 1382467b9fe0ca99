"""A card: what of it is seen, and what comes of filling it in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scripted_recall import document

from benchwright.agents.base import Masked, Quoted
from benchwright.domain.call import Image
from benchwright.domain.document import read_out, whole
from benchwright.errors import UsageError
from benchwright.pipelines.card import (
    Card,
    Form,
    Input,
    Shown,
    Value,
    as_text,
    fill_in,
    is_filled_in,
    relevant,
    visible,
)

KEEP, EDIT = Value("keep", "Keep", "k"), Value("edit", "Edit", "e")
DECISION = Input("decision", "Decision", Form.VALUES, (KEEP, EDIT))
WORDING = Input("text", "New wording", Form.TEXT, only_with=("decision", "edit"), column="wording", most=9)
REASON = Input("reason", "Reason", Form.TEXT, required=False)
GRADE = Input("grade", "Grade", Form.NUMBER, most=3)
MARK = Input("mark", "Mark", Form.NUMBER, least=-5, most=100, required=False)
SUBJECT, VOTES = Shown("thing", "Thing", "a thing", subject=True), Shown("votes", "Votes", ("no",), hidden=True)


def card(*inputs: Input) -> Card:
    return Card("review", "a", "Thing", (SUBJECT, VOTES), inputs, "Decide.")


def test_what_is_hidden_is_seen_after_deciding_alone() -> None:
    assert list(visible(card(), decided=False)) == [SUBJECT]
    assert list(visible(card(), decided=True)) == [SUBJECT, VOTES]
    assert card().subjects == (SUBJECT,)
    assert card().check({}) == ""


def test_a_field_is_a_text_in_files_lines_below_each_other_sentences_under_their_numbers() -> None:
    source = document(1)
    reading = read_out(source, whole(source))
    assert as_text("so", reading) == "so"
    assert as_text(("a", "b"), reading) == "a\nb"
    assert as_text(Quoted((2,)), reading).startswith("[2] ")
    assert as_text(Masked(), reading) == ""


def test_an_input_is_known_by_its_name_and_stands_in_its_column() -> None:
    one = card(DECISION, WORDING)
    assert (one.input("text"), one.input("text").column_name, one.input("decision").column_name) == (
        WORDING,
        "wording",
        "decision",
    )
    assert one.inputs_only_with("decision", "edit") == (WORDING,)
    assert one.inputs_only_with("decision", "keep") == ()


def test_a_short_scale_is_picked_from_and_a_long_one_typed() -> None:
    assert [value.key for value in GRADE.choices] == ["0", "1", "2", "3"]
    assert MARK.choices == ()
    assert DECISION.choices == (KEEP, EDIT)


def test_one_press_decides_where_nothing_else_must_be_filled_in() -> None:
    assert card(DECISION, WORDING, REASON).lead == DECISION
    assert card(GRADE, REASON).lead == GRADE
    assert card(GRADE, DECISION).lead is None
    assert card(REASON).lead is None
    assert card(Input("why", "Why", Form.TEXT)).lead is None
    assert card(GRADE, REASON).note == REASON
    assert card(DECISION, WORDING, MARK).note is None


def test_values_are_read_whatever_their_case_and_numbers_as_spreadsheets_write_them() -> None:
    one = card(DECISION, WORDING, REASON, GRADE, MARK)
    given = {"decision": " EDIT ", "text": " a\r\nb ", "reason": "bell \a", "grade": "3.0", "mark": ""}
    assert fill_in(one, given) == {"decision": "edit", "text": "a\nb", "reason": "bell \a", "grade": 3, "mark": None}
    assert fill_in(card(MARK), {"mark": "-5"}) == {"mark": -5}
    assert fill_in(card(MARK), {}) == {"mark": None}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "'decision' is empty: fill it in"),
        ({"decision": "kept"}, "decision 'kept' is none of keep, edit: write one of these, or nothing"),
        ({"decision": "edit"}, "'edit' needs 'wording', and only 'edit' has it: fill in both or neither"),
        ({"decision": "keep", "text": "so"}, "'edit' needs 'wording', and only 'edit' has it: fill in both or neither"),
        ({"decision": "edit", "text": "0123456789"}, "wording has 10 characters, 9 at most: shorten it"),
        ({"decision": "edit", "text": "\a"}, "wording holds control characters: type it again"),
        ({"decision": "keep", "reason": "\ud800"}, "it holds half a character"),
    ],
)
def test_what_does_not_fit_is_refused_with_words(given: dict[str, str], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        fill_in(card(DECISION, WORDING, REASON), given)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["-1", "4", "1.5", "x", "nan", "1e0", "9" * 30, "two"])
def test_what_is_no_number_of_the_scale_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no whole number from 0 to 3: write one, or nothing"):
        fill_in(card(GRADE), {"grade": text})


def test_what_a_page_sends_beside_what_counts_is_left_out() -> None:
    one = card(DECISION, WORDING, REASON)
    sent = {"decision": "keep", "text": "the old words", "reason": "so", "other": "x"}
    assert relevant(one, sent) == {"decision": "keep", "reason": "so"}
    assert relevant(one, sent | {"decision": "edit"}) == {"decision": "edit", "text": "the old words", "reason": "so"}


def test_a_reason_alone_is_nothing_filled_in() -> None:
    one = card(DECISION, WORDING, REASON)
    assert not is_filled_in(one, {"decision": " ", "reason": "so"})
    assert is_filled_in(one, {"text": "so"})


@given(st.dictionaries(st.sampled_from(["decision", "text", "reason", "grade", "mark"]), st.text()))
def test_any_texts_are_values_of_the_card_or_refused(given: dict[str, str]) -> None:
    one = card(DECISION, WORDING, REASON, GRADE, MARK)
    try:
        values = fill_in(one, given)
    except UsageError:
        return
    assert values["decision"] in {"keep", "edit"}
    assert values["grade"] in range(4)
    assert bool(values["text"]) == (values["decision"] == "edit")


def test_an_image_stands_in_files_by_its_label() -> None:
    reading = read_out(document(1), whole(document(1)))
    assert as_text(Image("ab", "image/png"), reading) == "[image/png sha256:ab]"
