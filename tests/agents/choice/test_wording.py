import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.agents.choice.wording import demand_new, demand_one_question
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
    demand_one_question(text, TOPIC)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("The wells of Maruna.", "does not end in a question mark"),
        ("Which wells? Name them.", "does not end in a question mark"),
        ("Which wells? And how many?", "2 questions"),
        ("What do the scenario  PROJECTIONS say of Maruna?", r"names its topic \(Scenario projections\)"),
        ("Which of the following wells was chlorinated?", "'of the following'"),
        ("Which wells were chlorinated (choose all that apply)?", "'that apply'"),
    ],
)
def test_a_faulty_question_is_sent_back_with_its_fault_and_the_way_out(text: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        demand_one_question(text, TOPIC)


def test_a_word_that_only_contains_the_topic_is_no_naming_of_it() -> None:
    demand_one_question("Which protests were held in Maruna?", "Tests")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("THE college.", r"'THE college\.' repeats a correct option"),
        ("?!", r"'\?!' has no words"),
        ("41 people of Vodrik", "is about Vodrik, a name of the examples"),
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
