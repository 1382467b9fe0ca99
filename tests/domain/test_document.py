"""Documents read out with numbered sentences, and views that fit."""

from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.document import (
    Document,
    Section,
    Span,
    View,
    fitting_view,
    read_out,
    whole,
)
from benchwright.domain.source import Outline, outline


def document(*sections: tuple[str, tuple[str, ...]], title: str = "") -> Document:
    """A document whose sentences are parted by line ends."""
    text, built = "", []
    for name, sentences in sections:
        spans = []
        for sentence in sentences:
            spans.append(Span(len(text), len(text) + len(sentence)))
            text += sentence + "\n"
        built.append(Section(name, "body", tuple(spans)))
    return Document("d1", "d1.md", title, text, tuple(built))


REPORT = document(
    ("Summary", ("Two people fell ill.",)),
    ("", ("They had\n  met.", "Both got well.")),
    ("Outlook", ("Nothing more is expected.",)),
    title="A report",
)


def test_a_reading_numbers_the_sentences_from_one_under_their_sections() -> None:
    assert read_out(REPORT, whole(REPORT)).text == (
        "A report\n\n## Summary\n[1] Two people fell ill.\n\n[2] They had met.\n[3] Both got well.\n\n"
        "## Outlook\n[4] Nothing more is expected."
    )


def test_a_reading_of_a_view_numbers_only_what_is_shown() -> None:
    reading = read_out(REPORT, View("d1", (2,)))

    assert reading.text == "A report\n\n## Outlook\n[1] Nothing more is expected."
    assert [sentence.number for sentence in reading.sentences] == [1]


def test_a_sentence_keeps_its_place_in_the_text_though_it_is_shown_on_one_line() -> None:
    sentence = read_out(REPORT, whole(REPORT)).sentences[1]

    assert REPORT.text[sentence.span.start : sentence.span.end] == "They had\n  met."
    assert sentence.text == "They had met."


def test_a_document_without_title_begins_with_its_first_sentence() -> None:
    untitled = document(("", ("Two people fell ill.",)))

    assert read_out(untitled, whole(untitled)).text == "[1] Two people fell ill."


def test_an_outline_names_sections_and_counts_those_without_a_title() -> None:
    assert outline(REPORT, View("d1", (0, 1))) == Outline(View("d1", (0, 1)), ("Summary", "part 2"))


def test_a_document_that_fits_is_shown_whole() -> None:
    assert fitting_view(REPORT, whole(REPORT), 10_000, len, 42) == whole(REPORT)


def test_no_view_is_given_where_no_section_fits() -> None:
    assert fitting_view(REPORT, whole(REPORT), 10, len, 42) is None


@given(room=st.integers(0, 200), seed=st.integers())
def test_a_view_fits_holds_whole_sections_in_order_and_could_hold_no_other(room: int, seed: int) -> None:
    view = fitting_view(REPORT, whole(REPORT), room, len, seed)
    chosen = view.sections if view else ()

    assert view == fitting_view(REPORT, whole(REPORT), room, len, seed)
    assert list(chosen) == sorted(set(chosen))
    if view:
        assert len(read_out(REPORT, view).text) <= room
    for index in set(range(3)) - set(chosen):
        wider = View("d1", tuple(sorted((*chosen, index))))
        assert len(read_out(REPORT, wider).text) > room


def test_which_sections_are_shown_depends_on_the_seed() -> None:
    assert len({fitting_view(REPORT, whole(REPORT), 50, len, seed) for seed in range(20)}) > 1
