"""Numbers of an option that its evidence does not state, however either side writes them."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchwright.domain.numbers import unstated_numbers


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("41 people", "confirmed in 41 people of Odrin"),
        ("1,234 cases", "1234 cases"),
        ("10^45 copies", "10\u2074\u2075 copies"),
        ("10\u2074\u2075 copies", "10^45 copies"),
        ("2 \u00d7 10\u207b\u00b3\u2070", "2 \u00d7 10^-30"),
        ("1 234 cases", "1,234 cases"),
        ("1\u202f234 cases", "1.234 Fälle"),
        ("1'234'567", "1,234,567"),
        ("1,234,567.5 doses", "1 234 567,5 doses"),
        ("12 100 people", "12100 people"),
        ("20 300", "20 and 300"),  # two numbers side by side may be two numbers
        ("3,5 %", "3.5 %"),
        ("15·2%", "15.2%"),
        ("15.20", "15.2"),
        ("0.50", ".5 or 0.5"),
        ("12-15 years", "from 12 to 15 years"),
        ("between 13 and 17", "13–17 years"),
        ("17.03.2021", "on 17 March 2021"),
        ("2021-03-17", "17/03/2021"),
        ("genotype 4.3.1", "4.3.1 (H58)"),
        ("64 people", "Sixty-four people fell ill"),
        ("17 households", "Seventeen percent of households"),
        ("40 and 52", "forty people, then fifty two"),
        ("٦٤ شخصا", "64 people"),
        ("64 people", "٦٤ شخصا"),
        ("٣٫٥", "3.5"),
        ("６４ people", "64 people"),
        ("95% HPD: [1.03, 1.44]", "95% HPD interval:[1.03,1.44]"),
        ("US$360-US$398", "from $360 to $398"),
        ("1:20", "diluted 1∶20"),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, source: str) -> None:
    assert unstated_numbers(text, source) == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8 months", "small numbers are often words: eight months"),
        ("Serotype 4", "the same"),
        ("100% survival", "all of them"),
        ("16 per 1,000", "a rate's denominator"),
        ("16 per 100 000", "the same"),
        ("C57BL/6 mice", "a name"),
        ("COVID-19", "a name"),
        ("PF07598, RR95, rs17047660, Ser51, IL-17", "names"),
        ("H1N23", "a name"),
        ("no number at all", ""),
    ],
)
def test_small_numbers_and_those_in_names_are_let_pass(text: str, why: str) -> None:
    assert unstated_numbers(text, "16 of them") == (), why


@pytest.mark.parametrize(
    ("text", "source", "expected"),
    [
        ("1045 copies", "10\u2074\u2075 copies", ("1045",)),
        ("52% mortality", "18 and 13 deaths among 25 larvae", ("52",)),
        ("Older than 35 years", "4.6% older than 36 years", ("35",)),
        ("3,000 people", "3 people", ("3,000",)),
        ("0.504", "a ratio of 0.995", ("0.504",)),
        ("7.5", "7 and 5", ("7.5",)),
        ("123", "1,234", ("123",)),
        ("17.03.2021", "on 18 March 2021", ("17.03.2021",)),
        ("20 300", "20 and 301", ("20 300",)),
        ("64 and 65", "sixty-four", ("65",)),
        ("nanodrop 2000", "nanodrop readings", ("2000",)),
        ("9" * 5000, "8", ("9" * 5000,)),
    ],
)
def test_a_number_that_is_not_there_is_named(text: str, source: str, expected: tuple[str, ...]) -> None:
    assert unstated_numbers(text, source) == expected


SEPARATORS = st.sampled_from([",", ".", " ", "\u00a0", "\u2009", "\u202f", "'", "\u2019", ""])
SCRIPTS = st.deferred(
    lambda: st.sampled_from([chr(code) for code in range(0x110000) if unicodedata.decimal(chr(code), -1) == 0])
)


@given(st.integers(0, 10**12), SEPARATORS, SEPARATORS)
def test_thousands_separators_make_no_difference(number: int, one: str, other: str) -> None:
    assert unstated_numbers(f"{number:,}".replace(",", one), f"{number:,}".replace(",", other)) == ()


@pytest.mark.untraced
@given(st.integers(0, 10**6), SCRIPTS)
def test_the_digits_of_every_script_are_the_same_numbers(number: int, zero: str) -> None:
    foreign = "".join(chr(ord(zero) + int(digit)) for digit in str(number))

    assert unstated_numbers(foreign, str(number)) == unstated_numbers(str(number), foreign) == ()


@given(st.integers(13, 10**6).filter(lambda n: not str(n).startswith("100")), st.integers(13, 10**6))
def test_one_whole_number_is_not_another(number: int, other: int) -> None:
    assert bool(unstated_numbers(f"{number} cases", f"{other} cases")) == (number != other)


@given(st.text(), st.text())
@example("1.1.1", "")
def test_a_text_states_all_its_own_numbers_whatever_stands_around_them(text: str, more: str) -> None:
    assert unstated_numbers(text, f"{text} {more}") == ()
