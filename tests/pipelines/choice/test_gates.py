"""Gates: they fell what is certainly at fault, and nothing that may be an answer."""

import gzip
import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.domain.text import plain
from benchwright.pipelines.choice.gates import failed_gate

EVIDENCE = ("The cause is unknown. None of the contacts fell ill; Na+ was low, and 41 people of Odrin were ill.",)
STEM = "How many people of Mell fell ill in 2021?"


def gate(text: str, others: tuple[str, ...] = (), evidence: tuple[str, ...] = EVIDENCE, stem: str = STEM) -> str | None:
    return failed_gate(text, evidence, stem, others)


@pytest.mark.parametrize(
    "text",
    [
        *("", "  ", "...", "—", "n/a", "N.A.", "None", "null", "NaN", "TBD", "string", "[text]", "<your answer here>"),
        *("Option A", "option 1", "Options", "Answer B.", "Distractor 2", "Correct option", "The correct answer"),
        *("Not specified", "Not stated.", "None given", "All of the above", "None of the options", "lorem ipsum dolor"),
        *(
            "Failed to generate an option",
            "Unable to find a suitable distractor",
            "Insert text here",
            "insert your answer",
        ),
    ],
)
def test_a_placeholder_falls(text: str) -> None:
    assert gate(text, evidence=("Two people fell ill.",)) == "placeholder"


@pytest.mark.parametrize(
    "text",
    [
        *("None of the contacts fell ill", "Unknown", "unknown", "Na+", "None of the contacts", "Not all contacts"),
        *(
            "Failed to respond to treatment",
            "Insertion of a catheter",
            "Insert sites",
            "Text messages",
            "A string of wells",
        ),
        *("Answering machines", "Optional vaccination", "No answer was found", "The others", "Unknown source"),
    ],
)
def test_a_real_answer_is_no_placeholder(text: str) -> None:
    assert gate(text) is None


def test_an_option_that_cites_nothing_falls() -> None:
    assert gate("The river", evidence=()) == "no_evidence"
    assert gate("Unknown", evidence=()) == "placeholder"


def test_an_option_falls_where_the_same_text_stands_before_it_whatever_that_claims() -> None:
    assert gate("The River.", ("a well", "the river")) == "duplicate"
    assert gate("The river", ("the river bank",)) is None


def test_an_option_that_the_stem_names_falls_but_not_a_bare_number() -> None:
    assert gate("the people of Mell") is None
    assert gate("People of Mell") == "in_stem"
    assert gate("2021", evidence=("It was in 2021.",)) is None


def test_an_option_with_a_number_that_is_neither_cited_nor_asked_about_falls() -> None:
    assert gate("23 people") == "number_not_in_evidence"
    assert gate("41 people") is None
    assert gate("41 people in 2021") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Gram-positive rods", "gram positive  RODS."),
        ("12-15 years", "12\u201315 years"),
        ("12\u221215 years", "12-15 years"),
        ("5 %", "5%"),
        ("vac\u00adcine", "vaccine"),
        ("\ufb01ltration", "filtration"),
        ("e\u0301pide\u0301mie", "épidémie"),
        ("STRASSE", "straße"),
        ("“the well”", "'the well'"),
        ("x_y", "x y"),
        ("< 5", "<5"),
    ],
)
def test_form_makes_no_other_option(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("HIV+", "HIV-"),
        ("HIV+", "HIV"),
        ("IgM+/IgG-", "IgM-/IgG+"),
        ("<5 years", ">5 years"),
        ("≥18 years", "≤18 years"),
        ("-5 °C", "5 °C"),
        ("\u22125 °C", "5 °C"),
        ("5 %", "5"),
        ("$5", "€5"),
        ("3.5", "35"),
        ("3.5", "3 5"),
        ("कि", "की"),
        ("pâte", "pâté"),
    ],
)
def test_signs_that_change_the_meaning_make_another_option(one: str, other: str) -> None:
    assert plain(one) != plain(other)


@given(st.text())
def test_a_plain_text_is_its_own_plain_form(text: str) -> None:
    assert plain(plain(text)) == plain(text)


@given(st.text(), st.sampled_from(["  ", "\n", "\t", "\u00a0"]))
def test_spaces_around_and_between_words_make_no_other_option(text: str, space: str) -> None:
    assert plain(space + text.replace(" ", space) + space) == plain(text)


@given(st.text(min_size=1, alphabet=st.characters(categories=("L", "Nd"))), st.lists(st.text()))
def test_no_gate_but_that_of_placeholders_fells_a_quoted_word_that_stands_alone(text: str, others: list[str]) -> None:
    evidence = (f"It says: {text}.",)

    assert failed_gate(text, evidence, "Which?", ()) is None
    assert failed_gate(text, evidence, "Which?", [*others, text]) == "duplicate"


@given(st.text(), st.lists(st.text()), st.text(), st.lists(st.text()))
def test_gates_take_any_text(text: str, evidence: list[str], stem: str, others: list[str]) -> None:
    first = failed_gate(text, evidence, stem, others)

    assert first in {None, "placeholder", "no_evidence", "duplicate", "in_stem", "number_not_in_evidence"}
    assert first == failed_gate(text, evidence, stem, iter(others))


@pytest.mark.untraced
def test_of_the_options_that_a_published_set_kept_few_fall_and_for_faults_that_it_has() -> None:
    """EpiQAL-A: 27 distractors repeat a correct option to the letter, 21 numbers are in no sentence that is cited."""
    fates: Counter[str | None] = Counter()
    with gzip.open(shared_data("epiqal/items_A.jsonl.gz"), "rt", encoding="utf-8") as lines:
        for item in map(json.loads, lines):
            final = set(item.get("choices") or ())
            written = [*item["correct"], *item["distractors"]]
            for number, option in enumerate(written):
                if option["option"] in final:
                    before = (other["option"] for other in written[:number])
                    fates[failed_gate(option["option"], option["evidence"], item["question"], before)] += 1

    assert fates == {None: 1491, "duplicate": 27, "number_not_in_evidence": 21, "in_stem": 5}
