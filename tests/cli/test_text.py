"""Text from outside is harmless; numbers can be read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.show.text import amount, count_text, harmless, head, money, plain, span


@given(st.text(alphabet=st.characters(exclude_categories=())))
def test_no_text_can_drive_a_terminal(text: str) -> None:
    safe = harmless(text)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", safe)
    safe.encode()  # no lone surrogate either


def test_control_characters_are_shown_as_their_escapes() -> None:
    assert harmless("a\x1b[31mred\x07\r\u202e\ud800 b\tc\n") == r"a\x1b[31mred\x07\r\u202e\ud800 b" + "\tc\n"


@given(st.text(alphabet=st.characters(exclude_categories=["C"])))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert harmless(text) == text


def test_what_looks_like_markup_is_text() -> None:
    assert plain("[bold]x[/bold] :smile:").plain == "[bold]x[/bold] :smile:"
    assert not plain("[bold]x").spans


@pytest.mark.parametrize(
    ("cost", "told"), [(None, "unknown"), (0.0, "$0.00"), (0.00123, "$0.0012"), (1.5, "$1.50"), (1234.5, "$1234.50")]
)
def test_money_is_exact_enough_and_unknown_stays_unknown(cost: float | None, told: str) -> None:
    assert money(cost) == told


@pytest.mark.parametrize(("number", "told"), [(0, "0"), (9999, "9999"), (10_000, "10.0k"), (12_345_678, "12.3M")])
def test_large_counts_are_shortened(number: int, told: str) -> None:
    assert amount(number) == told


@pytest.mark.parametrize(
    ("seconds", "told"), [(None, "—"), (0.4, "0 s"), (59.6, "1 min 0 s"), (125, "2 min 5 s"), (7260, "2 h 1 min")]
)
def test_times_are_told_in_the_two_largest_units(seconds: float | None, told: str) -> None:
    assert span(seconds) == told


def test_one_thing_is_no_plural() -> None:
    assert (count_text(1, "item"), count_text(0, "item"), count_text(2, "item")) == ("1 item", "0 items", "2 items")


def test_a_head_is_one_line_of_bounded_length() -> None:
    assert head("a\n b", 10) == "a b"
    assert head("x" * 50, 10) == "x" * 9 + "…"
