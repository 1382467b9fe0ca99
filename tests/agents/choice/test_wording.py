import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.agents.choice.wording import (
    copied_from_example,
    demand_new,
    demand_no_figures,
    demand_one_question,
    demand_question_or_none,
    demand_topic_unnamed,
    demand_uncopied,
    demand_unpointed,
)
from benchwright.agents.text import once, one_line
from benchwright.errors import BadReply

TOPIC = "Scenario projections"
GOOD = "How many wells in Maruna were chlorinated?"


@given(st.lists(st.integers()))
def test_repeated_numbers_are_named_once_in_their_order(numbers: list[int]) -> None:
    assert once(numbers) == sorted(set(numbers), key=numbers.index)


def test_a_text_is_kept_on_one_line() -> None:
    assert one_line("  two\n lines\t here ") == "two lines here"


@pytest.mark.parametrize("text", ["", "  \n\t"])
def test_an_empty_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="empty: write it"):
        one_line(text)


@pytest.mark.parametrize("text", [GOOD, "霍乱始于哪一天\uff1f", "متى بدأ التفشي\u061f", "¿Cuántos pozos se cloraron?"])
def test_one_question_in_any_script_passes(text: str) -> None:
    demand_one_question(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The wells of Maruna.", "does not end in a question mark"),
        ("Which wells? Name them.", "does not end in a question mark"),
        ("Which wells? And how many?", "2 questions"),
        ("Which of the following wells was chlorinated?", "'of the following'"),
        ("Which wells were chlorinated (choose all that apply)?", "'that apply'"),
    ],
)
def test_a_faulty_question_is_sent_back_with_its_fault_and_the_way_out(text: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        demand_one_question(text)


def test_a_question_cites_what_it_rests_on_and_where_there_is_none_nothing_need_be_cited() -> None:
    assert demand_question_or_none(GOOD, [2])
    assert not demand_question_or_none("", [])
    with pytest.raises(BadReply, match="cites no sentence: name those that it rests on, or leave the question empty"):
        demand_question_or_none(GOOD, [])


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Which protests were held in Maruna?", "Tests"),
        ("How many cases were confirmed in Maruna?", "Cases"),
        ("Which attack rate was measured in Maruna?", "Attack rate"),
        ("Which scenario was projected for Maruna?", TOPIC),
    ],
)
def test_a_question_may_use_words_of_the_field_and_of_the_document(text: str, topic: str) -> None:
    demand_topic_unnamed(text, topic, "The attack rate in Maruna was 12 %.")


def test_a_topic_that_no_document_calls_so_is_not_named() -> None:
    with pytest.raises(BadReply, match=r"names its topic \(Scenario projections\)"):
        demand_topic_unnamed("What do the scenario  PROJECTIONS say of Maruna?", TOPIC, "Maruna had 41 cases.")


def test_what_the_topic_is_about_is_no_question() -> None:
    with pytest.raises(BadReply, match="repeats what the topic is about"):
        demand_topic_unnamed("What was done, by whom?", "Measures: what was done, by whom, where.", "Text.")


CITED = ("In 2021, 37 people with serotype 19A fell ill, 50.5 % of them before 9 May.",)


@pytest.mark.parametrize(
    "text",
    [
        "Who fell ill in Farwick in 2021?",
        "Why did serotype 19A reach the study area of Farwick?",
        "What links H5N1 and type 2 diabetes to Farwick?",
        "What began in Farwick on 9 May?",
        "What did the 12 villages of Farwick share?",
        "Why did 64 people of Farwick stay well?",
    ],
)
def test_names_days_years_and_figures_of_the_title_may_stand_in_a_question(text: str) -> None:
    demand_unpointed(text)
    demand_no_figures(text, CITED, "Mumps in 12 villages")


@pytest.mark.parametrize("text", ["Why did 37 people fall ill?", "Why was it 50.5 % of them?", "Why ٣٧ people?"])
def test_a_figure_of_the_evidence_may_not_stand_in_a_question(text: str) -> None:
    with pytest.raises(BadReply, match="a figure of the evidence: leave it out"):
        demand_no_figures(text, CITED, "Mumps in 12 villages")


EXAMPLE = (("Between 3 March and 18 April, 41 people of Vodrik and 23 of Quelm were ill.", "{}"),)


@pytest.mark.parametrize(
    ("text", "source", "found"),
    [
        ("Who fell ill between 3 March and 18 April?", "In May, 3 people fell ill.", "3 march"),
        ("41 people", "In May, 3 people fell ill.", "41 people"),
        ("41 people", "In May, 41 persons fell ill.", None),
        ("On 3 March", "It began on 3 March.", None),
        ("12 people", "In May, 3 people fell ill.", None),
        ("The bakery", "In May, 3 people fell ill.", None),
    ],
)
def test_what_stands_in_an_example_and_not_in_the_document_is_told(text: str, source: str, found: str | None) -> None:
    assert copied_from_example(text, EXAMPLE, source) == found
    if found:
        with pytest.raises(BadReply, match="stands in an example, not in the document"):
            demand_uncopied([text, text], EXAMPLE, source)
    demand_uncopied([text, "The bakery"], EXAMPLE, source)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("THE college.", r"'THE college\.' repeats a correct option"),
        ("?!", r"'\?!' has no words"),
        ("41 people of Vodrik", "is about Vodrik, a name of the examples"),
        ("The method of the Zorvels", "is about Zorvel, a name of the examples"),
    ],
)
def test_options_of_which_none_can_be_used_are_sent_back_with_each_fault(text: str, message: str) -> None:
    with pytest.raises(BadReply, match=f"{message}.*; .*{message}"):
        demand_new([text, text], ["The college"], "a correct option")


def test_one_option_that_can_be_used_is_enough() -> None:
    demand_new(["The college", "?", "The harbour school"], ["The college"], "a correct option")


@given(st.lists(st.integers(0, 10**6), unique=True, min_size=2))
def test_different_numbers_are_different_options(numbers: list[int]) -> None:
    first, *others = [f"{number} people" for number in numbers]
    for other in others:
        demand_new([first], [other], "another option")
