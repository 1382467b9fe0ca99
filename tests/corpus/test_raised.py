"""Raised, lowered and pointing text: numbers stay what they are."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.corpus.test_jats import first_block

from benchwright.corpus.raised import CITE, DOWN, END, GAP, POINT, UP, level


def cited(number: object) -> str:
    return f"<xref ref-type='bibr'>{number}</xref>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"In 1952{cited(1)} cases rose.", "In 1952 cases rose."),
        (f"the virus{cited(12)},{cited(13)} and", "the virus and"),
        (f"the virus{cited(1)}–{cited(3)}. Next", "the virus. Next"),
        (f"as elsewhere.{cited(3)} Cases rose.", "as elsewhere. Cases rose."),
        (f"as elsewhere.{cited(3)}The cases", "as elsewhere. The cases"),
        (f"cases&#x2009;{cited(1)}, too", "cases, too"),
        (f"7{cited(1)}{cited(2)} deaths", "7 deaths"),
        (f"(In 1952{cited(1)})", "(In 1952)"),
        (f"cases{cited('a')} and 2003{cited('35')}", "cases and 2003"),
        ("In 1952<xref ref-type='fn'>1</xref> cases", "In 1952 cases"),
        ("cases<sup>[<xref>1</xref>]</sup>.", "cases."),
        ("cases <sup><xref>1</xref>&#x2009;<xref>2</xref></sup>.", "cases."),
        ("the virus<xref><sup>4</sup></xref>and", "the virus and"),
        (f"In 1952 {cited(1)} cases rose.", "In 1952 cases rose."),
        (f"Cases rose {cited(1)}, {cited(2)} and fell.", "Cases rose and fell."),
        (f"by Moss et al. {cited(4)}.", "by Moss et al."),
        (f"the virus{cited(1)}(VHF) and [{cited(2)}]", "the virus (VHF) and [2]"),
        (f"in 1952,{cited(1)}2 years on", "in 1952, 2 years on"),
        ("the virus<sup>[12]</sup>, 45<sup>[1, 2]</sup> cases<sup>(3)</sup>.", "the virus, 45 cases."),
    ],
)
def test_a_bare_citation_that_touches_a_word_is_a_citation(body: str, expected: str) -> None:
    assert first_block(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"Seen [{cited(4)}, {cited(5)}] here.", "Seen [4, 5] here."),
        (f"Seen [4, {cited(5)}] here.", "Seen [4, 5] here."),
        (f"(see {cited(4)}) and ref. {cited(12)}", "(see 4) and ref. 12"),
        (f"In {cited(4)} and by {cited(12)} it was", "In 4 and by 12 it was"),
        (f"by Smith{cited('Jones 2019')} too", "by Smith Jones 2019 too"),
        ("Table<xref ref-type='table'>1</xref>", "Table 1"),
        ("in 2020<xref ref-type='fig'>3</xref>", "in 2020 3"),
        (f"{cited(12)}5 cases", "12 5 cases"),
    ],
)
def test_other_pointers_keep_their_words_and_their_distance(body: str, expected: str) -> None:
    assert first_block(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("10<sup>4.6</sup> PFU", "10^4.6 PFU"),
        ("10<sup>7&#x2009;</sup>PFU", "10⁷\u2009PFU"),
        ("10<sup>&#xa0;7</sup> PFU", "10⁷ PFU"),
        ("10<sup>–3</sup> and 10<sup>‐3</sup> mg", "10⁻³ and 10⁻³ mg"),
        ("10<sup>5·5</sup> to 10<sup>6,5</sup>", "10^5·5 to 10^6,5"),
        ("10<sup>6–7</sup> copies", "10^(6–7) copies"),
        ("2<sup>n</sup>, 10<sup><italic>x</italic></sup>, 2<sup>-ΔΔCt</sup>", "2^n, 10^x, 2^-ΔΔCt"),
        ("2<sup>n</sup>m", "2^(n)m"),
        ("10<sup>4</sup>.<sup>6</sup> PFU", "10⁴.⁶ PFU"),
        ("10<sup>1</sup><sup>2</sup> PFU", "10¹² PFU"),
        ("10<sup>6</sup>–10<sup>7</sup>", "10⁶–10⁷"),
        ("10 <sup>6</sup> PFU and 5 × 10 <sup>4.5</sup>", "10⁶ PFU and 5 × 10^4.5"),
        ("10<sup>6.</sup> Next", "10⁶. Next"),
        ("10<sup>(6)</sup>", "10⁽⁶⁾"),
        ("mg kg<sup>&#x2009;–1</sup> day<sup>−1</sup>", "mg kg⁻¹ day⁻¹"),
        ("4<sup>o</sup>30 and 37<sup>o</sup>C", "4°30 and 37°C"),
        ("1<sup>st</sup>, 2<sup>e</sup>, N<sup>o</sup> 5, M<sup>me</sup> X", "1st, 2e, No 5, Mme X"),
        ("<sup>14</sup>C and <sup>99m</sup>Tc", "¹⁴C and 99mTc"),
        ("Ca<sup>2+</sup>, CD4<sup>+</sup>, Ifnar<sup>−/−</sup>, A<sup>*</sup>", "Ca²⁺, CD4⁺, Ifnar−/−, A*"),
        ("Brand<sup>TM</sup> at 1.5<sup>a</sup>", "Brand™ at 1.5^a"),
        ("12<sup>&#xa0;</sup>34", "12 34"),
        ("CO<sub>2</sub>, TCID<sub>50</sub>/mL, PM<sub>2.5</sub>", "CO2, TCID50/mL, PM2.5"),
        ("log<sub>10</sub>2 and 5<sub>2.5</sub> and 5<sub>min</sub>", "log₁₀2 and 5_(2.5) and 5_min"),
        ("log<sub>2.5</sub>2", "log_(2.5)2"),
        ("<strike>31</strike> 34 and <del-text>5</del-text> 6", "34 and 6"),
        ("5<fn><p>a note</p></fn>6 and five<fig/>six", "5 6 and five six"),
        ("mala<index-term><term>x</term></index-term>ria", "malaria"),
        ("<ruby><rb>東</rb><rp>(</rp><rt>to</rt></ruby>", "東"),
        ("x<sup>a<sub>1</sub></sup>", "x^a1"),
    ],
)
def test_raised_and_lowered_text_keeps_its_meaning(body: str, expected: str) -> None:
    assert first_block(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("100 persons<sup>3</sup> were", "100 persons were"),
        ("The rate was 12<sup>1,2</sup> per", "The rate was 12 per"),
        ("cases <sup>1,2</sup> were", "cases were"),
        ("cases,<sup>1–3</sup> and", "cases, and"),
        ("persons<sup>1</sup>,<sup>2</sup> were", "persons were"),
        ("30 m<sup>2</sup> and 5 feet<sup>2</sup>, (a + b)<sup>2</sup>", "30 m² and 5 feet², (a + b)²"),
    ],
)
def test_raised_numbers_behind_words_are_references_and_behind_units_powers(body: str, expected: str) -> None:
    assert first_block(body) == expected


MARKED = st.lists(st.sampled_from([*UP, *DOWN, *CITE, *POINT, *END, *GAP, *"10 a.,-–()[]\u2009\n"]), max_size=30)


@given(MARKED.map("".join))
def test_no_mark_survives_and_no_text_makes_it_fail(text: str) -> None:
    assert not set(level(text)) & {UP, DOWN, CITE, POINT, END, GAP}


@given(st.integers(0, 9999), st.from_regex(r"[0-9]{1,3}([.,][0-9]{1,2})?", fullmatch=True))
def test_a_raised_number_never_makes_one_number_with_its_base(base: int, power: str) -> None:
    assert f"{base}{power}" not in re.findall(r"[\d.,]+", level(f"{base}{UP}{power}{END} copies"))
