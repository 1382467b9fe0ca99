"""Writers who find nothing say so, and passages to look at first lie where their question is drawn from."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pipelines.said import SEED, correct, end, question, said
from tests.scripted_choice import inference, reconstruction
from tests.scripted_recall import pipeline

from benchwright.agents.base import Passage
from benchwright.agents.choice.design_distractors import CONFUSIONS
from benchwright.agents.choice.infer_distractors import FAMILIES
from benchwright.agents.choice.mislead import KINDS
from benchwright.domain.administrative import is_administrative
from benchwright.domain.document import Document, Reading, Section, Span, parts_of, read_out, whole
from benchwright.domain.item import ItemState
from benchwright.domain.source import outline
from benchwright.pipelines.choice.spread import turn_of
from benchwright.pipelines.slots import ANYWHERE, focus, focus_section

NOTHING = {"rationale": "The article is about brain images.", "suitable": [], "best": 0}
NO_QUESTION = {"rationale": "Only limitations are discussed.", "evidence": [], "question": ""}
SECTIONS = ("Methods", "Results", "Methods: Ethics statement", "", "Funding")


def document(*titles: str, sentences: int = 4) -> Document:
    text, sections = "", []
    for number, title in enumerate(titles):
        spans = []
        for place in range(sentences):
            one = f"Part {number} has mosquitoes." if place == 2 else f"Part {number} says {place}."
            spans.append(Span(len(text), len(text) + len(one)))
            text += one + " "
        sections.append(Section(title, "body", tuple(spans)))
    return Document("d1", "a.md", "Title", text, tuple(sections))


def reading(*titles: str, sentences: int = 4) -> Reading:
    made = document(*titles, sentences=sentences)
    return read_out(made, whole(made))


@pytest.mark.parametrize(
    ("made", "answers", "cause", "detail"),
    [
        (pipeline(), [said("choose_class", NOTHING)], "choose_class: none", NOTHING["rationale"]),
        (inference(), [said("choose_class", NOTHING)], "choose_class: none", NOTHING["rationale"]),
        (pipeline(), [*question()[:1], said("choose_topic", NOTHING)], "choose_topic: none", NOTHING["rationale"]),
        (
            pipeline(),
            [*question()[:2], said("write_question", NO_QUESTION)],
            "write_question: none",
            NO_QUESTION["rationale"],
        ),
        (pipeline(), [*question(), correct()], "write_correct_options: none", "the writer found no right answer"),
        (
            reconstruction(),
            [said("extract_conclusion", {"conclusions": []})],
            "extract_conclusion: none",
            "the masked part draws no conclusion",
        ),
    ],
)
def test_a_writer_who_finds_nothing_ends_the_item_by_name_before_any_vote(
    made: Any, answers: Any, cause: str, detail: str
) -> None:
    verdict = end(made, answers)
    assert (verdict.state, verdict.cause, verdict.detail) == (ItemState.DISCARDED, cause, detail)


@pytest.mark.parametrize(
    "title",
    [
        *("Ethics statement", "Methods: Ethical approval", "Funding", "Funding sources", "5. Acknowledgements"),
        *("Authors' contributions", "Author contributions", "Competing interests", "Conflict of interest"),
        *("Data availability", "Data and code availability statement", "Availability of data and materials"),
        *("Abbreviations", "References", "Supporting information", "Informed consent", "Disclosures"),
    ],
)
def test_sections_about_the_making_of_a_text_are_administrative(title: str) -> None:
    assert is_administrative(title)


@pytest.mark.parametrize(
    "title",
    [
        *(
            "Results",
            "Cases",
            "Access to care",
            "Funding gaps in malaria control",
            "Data collection",
            "Contributing factors",
        ),
        *("Case notes", "Ethical issues of travel bans", "Registration of births", "Materials and methods", ""),
    ],
)
def test_sections_about_the_matter_are_not(title: str) -> None:
    assert not is_administrative(title)


@given(st.text(max_size=5), st.integers(1, 6))
def test_a_passage_stays_in_one_section_that_is_about_the_matter(seed: str, most: int) -> None:
    read = reading(*SECTIONS)
    shown = Passage(seed, most).text(read).splitlines()[1:]
    parts = {line.split("Part ")[1][0] for line in shown}
    assert len(shown) == min(most, 4)
    assert len(parts) == 1
    assert parts < {"0", "1", "3"}


@given(st.text(max_size=5))
def test_a_passage_lies_in_the_section_that_the_question_is_drawn_from(seed: str) -> None:
    read = reading(*SECTIONS)
    assert "Part 1 " in Passage(seed, 2, "Results").text(read)
    assert "Part 3 " in Passage(seed, 2, "part 4").text(read)
    assert "Part 0 " in Passage(seed, 2).text(reading("Funding"))


def test_places_with_words_of_the_topic_are_likelier() -> None:
    read = reading("Cases", sentences=40)
    found = [Passage(str(n), 1, topic="Vectors: mosquitoes and ticks").text(read) for n in range(400)]
    plain = [Passage(str(n), 1).text(read) for n in range(400)]
    assert sum("mosquitoes" in text for text in found) > 2 * sum("mosquitoes" in text for text in plain)


def test_the_parts_of_a_reading_are_its_sections() -> None:
    found = parts_of(reading(*SECTIONS))
    assert [part.title for part in found if part.numbers] == list(SECTIONS)
    assert [n for part in found for n in part.numbers] == list(range(1, 21))
    assert parts_of(Reading(whole(document()), "", (), "")) == ()


def test_no_question_is_drawn_from_an_administrative_section() -> None:
    made, one = pipeline(), document(*SECTIONS)
    drawn = [focus_section(focus(made.campaign, outline(one, whole(one)), use)) for use in range(1, 13)]
    assert set(drawn) == {"Methods", "Results", "part 4"}
    assert focus_section(ANYWHERE) == ""
    only = document("Funding")
    assert focus(made.campaign, outline(only, whole(only)), 1) == 'the section "Funding"'


@pytest.mark.parametrize("kinds", [CONFUSIONS, FAMILIES, KINDS])
def test_over_any_row_of_slots_each_family_of_distractors_comes_first_equally_often(kinds: tuple[str, ...]) -> None:
    turns = [turn_of(kinds, 7, slot) for slot in range(10 * len(kinds))]
    assert set(Counter(turn[0] for turn in turns).values()) == {10}
    assert set(Counter(kind for turn in turns for kind in turn[:2]).values()) == {20}
    assert {tuple(sorted(turn)) for turn in turns} == {tuple(sorted(kinds))}
    assert turns != [turn_of(kinds, 8, slot) for slot in range(10 * len(kinds))]


def test_a_slot_that_wants_several_right_answers_asks_for_a_question_with_several() -> None:
    made = pipeline(several_correct=1, none_correct=0, every_correct=False)
    state = made.begin(replace(SEED, slot=1))
    assert made.question(state.draft.seed, "Cases").wanted == 3
