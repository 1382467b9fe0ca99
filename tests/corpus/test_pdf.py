"""PDF as a document: reading order, what is left out, what is mended, and the state in which a bad file ends."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest
from tests.corpus.pdfs import At, Mark, Raw, file_of, grid, lines, pdf, stream

from benchwright.corpus.draft import Draft, finish
from benchwright.corpus.pdf import read_pdf
from benchwright.domain.campaign import Documents
from benchwright.domain.document import read_out, span_text, whole
from benchwright.errors import Unreadable

PROSE = (
    "In the first week of March the river rose above its banks and the lower quarter of the town was flooded. "
    "Two hundred families moved to the school on the hill, where the relief committee had stored blankets and rice. "
    "The clinic reported nineteen cases of diarrhoea among children, and the wells were closed on the ninth of March. "
)
OTHER = (
    "Engineers repaired the pumping station within eleven days, although the road from the harbour remained closed. "
    "The provincial office paid for fuel, and fishermen carried the spare parts across the bay in their own boats. "
    "Nobody in the upper quarter fell ill, since its cistern lies far above the highest mark of the water. "
)


def read(pages: Sequence[Sequence[Any]], keep: Documents | None = None) -> Draft:
    return read_pdf(pdf(pages), "a.pdf", keep or Documents())


def text_of(draft: Draft) -> str:
    return "\n".join(block for part in draft.parts for block in part.blocks)


def prose(text: str = PROSE, width: int = 90) -> str:
    return "\n".join(wrap(text, width))


def test_a_page_of_text_is_a_document_whose_sentences_stand_in_its_text() -> None:
    draft = read([[At(60, 60, "The flood of March", 18), *lines(prose())]])
    document = finish(b"bytes", "a.pdf", draft)
    assert draft.title == "The flood of March"
    reading = read_out(document, whole(document))
    assert [one.text for one in reading.sentences] == [f"{one}." for one in PROSE.strip(" .").split(". ")]
    assert all(span_text(document, one.span) == one.text for one in reading.sentences)


def test_columns_are_read_one_after_the_other_even_if_the_file_writes_line_by_line_across_them() -> None:
    left, right = lines(prose(PROSE, 42), 50), lines(prose(OTHER, 42), 310)
    across = (
        [line for pair in zip(left, right, strict=False) for line in pair] + left[len(right) :] + right[len(left) :]
    )
    draft = read([[At(50, 60, "A title over both of the columns of this page", 16), *across]])
    assert text_of(draft).split("\n") == [PROSE.strip(), OTHER.strip()]


@pytest.mark.parametrize("seed", range(5))
def test_the_order_in_the_file_does_not_matter(seed: int) -> None:
    marks: list[Mark] = [*lines(prose(PROSE, 42), 50), *lines(prose(OTHER, 42), 310)]
    marks += [At(50, 400, "A line across both columns, which parts what is above it from what is below it now.")]
    marks += [*lines(prose(OTHER, 42), 50, 450), *lines(prose(PROSE, 42), 310, 450)]
    expected = text_of(read([marks]))
    assert expected.index(PROSE[:30]) < expected.index(OTHER[:30]) < expected.index("A line across")
    random.Random(seed).shuffle(marks)
    assert text_of(read([marks])) == expected


def test_a_paragraph_that_a_column_or_a_page_cuts_is_one() -> None:
    text = wrap(PROSE + OTHER, 42)
    half = len(text) // 3
    columns = [*lines("\n".join(text[:half]), 50), *lines("\n".join(text[half:]), 310)]
    assert text_of(read([columns])) == (PROSE + OTHER).strip()
    pages = [lines("\n".join(text[:half])), lines("\n".join(text[half:]))]
    assert text_of(read(pages)) == (PROSE + OTHER).strip()


def test_heads_and_feet_that_repeat_and_page_numbers_are_left_out() -> None:
    pages = [
        [
            At(60, 40, f"Bulletin of the Relief Committee, number {number}"),
            *lines(prose(PROSE if number % 2 else OTHER), y=150),
            At(60, 800, "Do not cite without permission of the committee"),
            At(290, 815, f"Bulletin {number}, {number} March 2023, page {number} of 3"),
        ]
        for number in (1, 2, 3)
    ]
    draft = read(pages)
    assert "Bulletin" not in text_of(draft)
    assert "Do not cite" not in text_of(draft)
    assert "Page" not in text_of(draft)
    assert "9 lines of page heads and feet left out" in draft.notes


def test_a_line_that_stands_on_one_page_only_is_no_head() -> None:
    pages = [[At(60, 40, "Situation on the first day of the week"), *lines(prose())], lines(prose(OTHER))]
    assert "Situation on the first day" in text_of(read(pages))


def test_headings_by_size_or_weight_part_sections() -> None:
    page = [
        At(60, 60, "Summary", 14),
        *lines(prose(), y=80),
        At(60, 160, "Response of the province", 10, "F2"),
        *lines(prose(OTHER), y=175),
    ]
    draft = read([page])
    assert [(part.title, part.kind) for part in draft.parts if part.blocks] == [
        ("Summary", "abstract"),
        ("Response of the province", "body"),
    ] or draft.title == "Summary"
    assert "Response of the province" in [part.title for part in draft.parts]


BROKEN = """The flood-
ing of the lower quarter began at night, and the well-
known bridge of Sub-
Saharan style held in the years 2013-
2014, although well-known experts had warned the com-
mittee again and again."""


def test_words_that_line_ends_break_are_mended_and_compounds_keep_their_hyphens() -> None:
    draft = read([[*lines(BROKEN), *lines(prose(), y=300)]])
    assert text_of(draft).split("\n")[0] == (
        "The flooding of the lower quarter began at night, and the well-known bridge of Sub-Saharan style held in the "
        "years 2013-2014, although well-known experts had warned the committee again and again."
    )


def test_raised_figures_stay_powers_and_raised_references_go() -> None:
    raised = "BT 60 500 Td /F1 10 Tf (About 10) Tj /F1 6 Tf 4 Ts (6) Tj /F1 10 Tf 0 Ts ( litres were lost, as) Tj"
    raised += " ( others have found) Tj /F1 6 Tf 4 Ts (12) Tj /F1 10 Tf 0 Ts ( too.) Tj ET"
    page = [*lines(prose()), Raw(raised)]
    assert "About 10⁶ litres were lost, as others have found too." in text_of(read([page]))


ROWS = [("District", "Cases", "Deaths"), ("Harbour", "19", "2"), ("Hill", "0", "0"), ("Bay", "1,204", "11")]


def table(y: float) -> list[Mark]:
    return [
        At(60 + 120 * column, y + 15 * row, cell) for row, cells in enumerate(ROWS) for column, cell in enumerate(cells)
    ]


def test_tables_are_left_out_or_kept_row_by_row() -> None:
    page = [*lines(prose()), At(60, 190, "Table 1. Cases by district"), *table(210), *lines(prose(OTHER), y=300)]
    draft = read([page])
    assert text_of(draft) == f"{PROSE}\n{OTHER}".replace(" \n", "\n").strip()
    assert {"1 table left out", "1 caption left out"} <= set(draft.notes)
    kept = text_of(read([page], Documents(tables=True))).split("\n")
    assert kept[1:6] == ["Table 1. Cases by district", *(" | ".join(row) for row in ROWS)]


def test_a_ruled_table_of_words_is_a_table_and_a_frame_around_text_is_none() -> None:
    cells = [At(65 + 150 * (n % 3), 205 + 15 * (n // 3), text) for n, text in enumerate(("who", "does", "what") * 3)]
    page = [*lines(prose()), *grid(60, 195, (210, 360, 510), 3), *cells, *lines(prose(OTHER), y=300)]
    draft = read([page])
    assert "who" not in text_of(draft).split()
    assert "1 table left out" in draft.notes
    framed = [*grid(50, 80, (300, 550), 2, 60), *lines(prose()), *lines(prose(OTHER), y=300)]
    assert PROSE.strip() in text_of(read([framed]))


def test_labels_of_a_figure_are_left_out_or_kept() -> None:
    labels = [At(100, 220 + 14 * n, text) for n, text in enumerate(("Harbour side", "Upper town", "Old bridge"))]
    axis = [At(60, 300 + 20 * n, str(50 * n)) for n in range(5)]
    page = [*lines(prose()), *labels, *axis, At(60, 420, "Figure 2: The town"), *lines(prose(OTHER), y=450)]
    assert text_of(read([page])) == f"{PROSE}\n{OTHER}".replace(" \n", "\n").strip()
    kept = text_of(read([page], Documents(figures=True)))
    assert "Upper town" in kept
    assert "Figure 2: The town" in kept


REFERENCES = "\n".join(
    f"{n}. Author A, Writer B. On floods, part {n}. J Floods. {1990 + n};{n}:1-{n}." for n in range(1, 9)
)


def test_references_are_cut_after_the_last_heading_of_that_name_only() -> None:
    contents = [At(60, 100, "Introduction ........ 1"), At(60, 115, "References"), At(60, 130, "Annex ........ 9")]
    first = [At(60, 60, "A study of floods", 18), *contents, *lines(prose(), y=200)]
    last = [
        *lines(prose(OTHER)),
        At(60, 200, "References", 14),
        *lines(REFERENCES, y=220),
        At(60, 400, "Annex", 14),
        *lines(prose(), y=420),
    ]
    draft = read([first, last])
    text = text_of(draft)
    assert "J Floods" not in text
    assert text.count("In the first week of March") == 2
    assert "Engineers repaired" in text
    assert "the list of references (8 paragraphs) left out" in draft.notes


def test_a_heading_of_that_name_over_running_text_cuts_nothing() -> None:
    page = [*lines(prose()), At(60, 200, "References", 14), *lines(prose(OTHER), y=220)]
    assert "Engineers repaired" in text_of(read([page]))


def test_points_of_a_list_are_paragraphs_without_their_bullets() -> None:
    points = [At(60, 300, "•"), At(80, 300, "Rice was handed out to all of the families on the hill.")]
    points += [At(60, 315, "•"), At(80, 315, "Wells were closed and two of them were filled with stones, so that")]
    points += [At(80, 327, "nobody could draw water from them.")]
    blocks = text_of(read([[*lines(prose()), *points]])).split("\n")
    assert blocks[1:] == [
        "Rice was handed out to all of the families on the hill.",
        "Wells were closed and two of them were filled with stones, so that nobody could draw water from them.",
    ]


@pytest.mark.parametrize(
    ("rotate", "turn", "height"),
    [(90, "0 1 -1 0 595 0 cm", 595), (180, "-1 0 0 -1 595 842 cm", 842), (270, "0 -1 1 0 0 842 cm", 595)],
)
def test_a_turned_page_reads_as_it_is_seen(rotate: int, turn: str, height: int) -> None:
    words = lines(prose(PROSE, 60), y=200)
    shown = (f"BT /F1 10 Tf {at.x} {height - at.y} Td ({at.text}) Tj ET" for at in words)
    draft = read_pdf(pdf([[Raw("\n".join([turn, *shown]))]], rotate), "a.pdf", Documents())
    assert text_of(draft) == PROSE.strip()


def state_of(data: bytes, keep: Documents | None = None) -> tuple[str, str]:
    with pytest.raises(Unreadable) as refusal:
        read_pdf(data, "a.pdf", keep or Documents())
    return refusal.value.state, str(refusal.value)


def scanned(pages: int) -> bytes:
    """Pages that are one picture each."""
    image = stream(
        bytes(64), "/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8"
    )
    content = stream(b"q 595 0 0 842 0 0 cm /P Do Q")
    kids = " ".join(f"{5 + n} 0 R" for n in range(pages))
    shows = b"/MediaBox [0 0 595 842] /Resources << /XObject << /P 3 0 R >> >> /Contents 4 0 R"
    page = b"<< /Type /Page /Parent 2 0 R %b >>" % shows
    root = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode()]
    return file_of([*root, image, content, *[page] * pages])


def test_each_bad_file_ends_in_a_state_with_a_name() -> None:
    good = pdf([lines(prose())])
    locked = file_of(
        [b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"],
        f"/ID [<{'00' * 16}> <{'00' * 16}>]"
        f" /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'11' * 32}> /U <{'22' * 32}> >>",
    )
    states = {
        "truncated": good[: len(good) // 2],
        "encrypted": locked,
        "damaged": b"%PDF-1.7\nwords\n%%EOF",
        "scanned": scanned(3),
        "no text": pdf([[]]),
        "only tables": pdf([[*table(100), *table(200), *table(300)]]),
    }
    for state, data in states.items():
        found, message = state_of(data)
        assert (state, message.startswith("a.pdf: ")) == (found, True)


@pytest.mark.parametrize("scale", ["1e38", "-1e38", "3e38", "1e-38", "0"])
def test_places_beyond_all_numbers_are_passed_over(scale: str) -> None:
    odd = f"q {scale} 0 0 {scale} 0 0 cm 9e9 9e9 99e9 99e9 re S BT /F1 10 Tf 1e9 1e9 Td (far) Tj ET Q"
    assert PROSE.strip() in text_of(read([[*lines(prose()), Raw(odd)]]))


def test_a_licence_that_a_pdf_states_is_told() -> None:
    page = [*lines(prose()), At(60, 700, "This report is free to use: creativecommons.org/licenses/by/4.0/")]
    assert read([page]).licence == "https://creativecommons.org/licenses/by/4.0"
    linked = pdf([lines(prose())]) + b"% http://creativecommons.org/licenses/by-nc-sa/3.0/igo\n%%EOF"
    assert read_pdf(linked, "a.pdf", Documents()).licence == "http://creativecommons.org/licenses/by-nc-sa/3.0/igo"
    assert read([lines(prose())]).licence == ""


def test_bytes_that_are_no_pdf_are_said_to_be_none() -> None:
    assert state_of(b"\x89PNG")[1].startswith("a.pdf: is no PDF, whatever its name says")


def test_a_file_that_is_mostly_labels_has_no_text() -> None:
    chance = random.Random(1)
    words = ["Upper town", "Bay", "Old bridge", "Harbour", "To the hills"] * 6
    labels = [At(chance.uniform(50, 450), 100 + 23 * n, text) for n, text in enumerate(words)]
    assert state_of(pdf([labels]))[0] == "no text"
    assert state_of(pdf([labels]), Documents(tables=True, figures=True))[0] == "no text"


def test_pages_that_cannot_be_read_and_pages_that_are_pictures_are_named_and_the_others_read() -> None:
    picture = Raw("q 595 0 0 842 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID . EI Q")
    whole = pdf([lines(prose()), lines(prose(OTHER)), [picture]])
    broken = whole.replace(b"6 0 obj\n<< /Type /Page", b"6 0 obj\n<< /Type /Pigs")
    draft = read_pdf(broken, "a.pdf", Documents())
    assert text_of(draft) == PROSE.strip()
    assert draft.notes[:2] == ("page 2 cannot be read and is left out", "page 3 is a picture without text")


def test_a_file_of_which_no_page_can_be_read_is_damaged() -> None:
    broken = pdf([lines(prose())]).replace(b"4 0 obj\n<< /Type /Page", b"4 0 obj\n<< /Type /Pigs")
    assert state_of(broken) == ("damaged", "a.pdf: none of its 1 pages can be read; save it anew")


def test_letters_without_meaning_are_no_text() -> None:
    data = pdf([lines(prose())]).replace(b"/Encoding /WinAnsiEncoding", b"/Encoding /Odd-EncodingXXX")
    assert text_of(read_pdf(data, "a.pdf", Documents()))  # without an encoding the font's own holds
    garbled = "\n".join("\x01\x02\x03\x04\x05 \x06\x07\x0e\x0f\x10" for _ in range(20))
    assert state_of(pdf([lines(garbled)]))[0] in {"garbled", "no text"}


def test_real_situation_reports_are_read_or_end_in_a_state(shared_data: Callable[[str], Path]) -> None:
    folder = shared_data("real/pdf")
    states: dict[str, int | str] = {}
    for path in sorted(folder.glob("*.pdf")):
        try:
            states[path.name] = len(text_of(read_pdf(path.read_bytes(), path.name, Documents())))
        except Unreadable as error:
            states[path.name] = error.state
    assert states.pop("ocha_drc_timeline_fr.pdf") == "no text"
    tabular = [name for name in states if name.startswith("sl_mohs")]
    assert {states.pop(name) for name in tabular} == {"only tables"}
    assert len(states) == 8
    assert all(isinstance(length, int) and length > 900 for length in states.values())
    for name in tabular:
        kept = read_pdf((folder / name).read_bytes(), name, Documents(tables=True))
        assert any("Kailahun | " in block for part in kept.parts for block in part.blocks)
