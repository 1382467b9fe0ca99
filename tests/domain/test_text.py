"""Texts compared, and numbers with their nouns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.text import abbreviates, plain, plural, within


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The  Wells of\nMaruna.", "the wells of maruna"),
        ("chlo\u00adri\u200dnated", "chlorinated"),  # a soft hyphen and a joiner are no letters
        ("e\u0301pide\u0301mie", "\u00e9pid\u00e9mie"),
        ("\uff21\uff22\uff23", "abc"),
        ("12\u221215 cases", "12-15 cases"),
        ("Stra\u00dfe", "STRASSE"),
    ],
)
def test_texts_that_a_reader_takes_for_the_same_are_the_same(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("HIV+", "HIV-"), ("< 5", "5"), ("5 %", "5"), ("3.5", "35"), ("3,5", "3 5"), ("-5", "5"), ("$5", "5")],
)
def test_signs_that_change_the_meaning_tell_texts_apart(one: str, other: str) -> None:
    assert plain(one) != plain(other)


@given(st.text())
def test_a_plain_text_has_no_blank_too_many(text: str) -> None:
    assert plain(text) == " ".join(plain(text).split())


def test_words_stand_in_a_text_as_a_whole_only() -> None:
    assert within("the well", "of the well there")
    assert not within("the well", "of the wells")


def test_a_number_agrees_with_its_noun() -> None:
    assert [plural(number, "item") for number in (0, 1, 2)] == ["0 items", "1 item", "2 items"]


def test_an_abbreviation_is_one_short_word_with_two_capitals() -> None:
    assert all(map(abbreviates, ("HTLV-1", "RVFv", " VL ")))
    assert not any(map(abbreviates, ("Malaria", "V", "V L", "ABCDEFGHIJK", "")))
