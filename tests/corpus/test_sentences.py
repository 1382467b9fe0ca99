"""Where sentences begin and end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.sentences import LONGEST, split


def sentences(text: str) -> list[str]:
    return [text[span.start : span.end] for span in split(text, 0, len(text))]


@pytest.mark.parametrize(
    "whole",
    [
        "Okoro et al. found it in wells (Fig. 2A), e.g. in the north, i.e. near the river.",
        "Dr. J. R. Moss and Prof. Lund met at St. Anne's.",
        "Anopheles spp. were caught, approx. 0.5 vs. 1.2 per trap in No. 5.",
        "See Figs. 2 and 3, pp. 14 and Eq. 3.",
        "The district officer of the U.S. Army wrote 3.14 cases per 1,000.",
        "E. coli and S. Typhi grew in every sample.",
        "Was it the well? he asked.",
        "1. Introduction to the district",
        "The pH rose ... slowly.",
    ],
)
def test_an_abbreviation_a_decimal_or_an_initial_ends_no_sentence(whole: str) -> None:
    assert sentences(whole) == [whole]


@pytest.mark.parametrize(
    "parts",
    [
        ["The effect was small (p < 0.05).", "We went on."],
        ["It was significant at p < 0.05.", "Nobody was told."],
        ['"It is over."', "He left.", "(It was late.)", "Then rain fell."],
        ["They gave vitamin C.", "Nine of twelve recovered."],
        ["Hepatitis B.", "Carriers were few."],
        ["It took 10 min.", "Then the water cleared."],
        ["Wells were closed in 2014.", "In 2015 they opened again [3].", "12 of them were dry."],
        ["It follows Moss et al.", "We differ."],
        ["Cases rose [12].", "Deaths fell.[13]", "Why?", "Nobody knew!"],
        ["The answer was no.", "The next one too."],
    ],
)
def test_a_stop_before_a_new_beginning_ends_a_sentence(parts: list[str]) -> None:
    assert sentences(" ".join(parts)) == parts


def test_stops_of_other_scripts_end_sentences() -> None:
    assert sentences("井戸は閉じられた。水は濁っていた！なぜか？") == [
        "井戸は閉じられた。",
        "水は濁っていた！",
        "なぜか？",
    ]
    assert sentences("कुआँ बंद था। पानी गंदा था।") == ["कुआँ बंद था।", "पानी गंदा था।"]


def test_bullets_numbers_and_headings_stand_by_themselves() -> None:
    listed = "- the first\n  and deepest\n- the second\n1. dig\n2. wait\n\n"
    text = f"METHODS\nWe looked at\nthree wells:\n{listed}# Results\nNone."
    assert sentences(text) == [
        "METHODS",
        "We looked at\nthree wells:",
        "- the first\n  and deepest",
        "- the second",
        "1. dig",
        "2. wait",
        "# Results",
        "None.",
    ]


def test_a_number_at_the_start_of_a_wrapped_line_is_no_list_item() -> None:
    assert sentences("The clinic counted\n12. Nobody else did.") == ["The clinic counted\n12.", "Nobody else did."]


def test_only_the_range_asked_for_is_split() -> None:
    text = "One. Two. Three."
    assert [text[span.start : span.end] for span in split(text, 5, 9)] == ["Two."]


@pytest.mark.parametrize("text", ["word " * 2000, "x" * 5000, "line\n" * 1000])
def test_a_run_without_stops_is_cut_at_a_bearable_length(text: str) -> None:
    pieces = sentences(text)
    assert all(len(piece) <= LONGEST for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert not any(piece.startswith("ord") for piece in pieces)


@pytest.mark.parametrize("text", ["." * 300_000, ".)" * 200_000, "a. " * 100_000, "([" * 200_000, " " * 300_000 + "x"])
def test_odd_runs_of_characters_take_no_longer_than_others(text: str) -> None:
    assert sum(span.end - span.start for span in split(text, 0, len(text))) <= len(text)


PIECES = st.sampled_from(
    [
        "Fig. ",
        "et al. ",
        "The ",
        "J. ",
        "1. ",
        "\n",
        "\n\n",
        "- ",
        "。",
        "! ",
        '."',
        " ",
        "p < 0.05. ",
        "WELLS\n",
        "# ",
    ],
)


@given(st.lists(st.one_of(PIECES, st.text(max_size=8))).map("".join))
def test_every_character_but_white_space_lies_in_exactly_one_sentence(text: str) -> None:
    end = 0
    for span in split(text, 0, len(text)):
        assert text[end : span.start].strip() == ""
        assert end <= span.start < span.end
        assert text[span.start : span.end].strip() == text[span.start : span.end]
        end = span.end
    assert text[end:].strip() == ""
