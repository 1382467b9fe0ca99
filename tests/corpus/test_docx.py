"""Word documents: headings by style, what is left out, and the state in which a bad file ends."""

import io
import random
import zipfile
from contextlib import suppress

import pytest
from tests.corpus.docxs import docx, p, r, table

from benchwright.corpus.docx import read_docx
from benchwright.corpus.draft import Draft
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

RAISED = '<w:vertAlign w:val="superscript"/>'


def read(*blocks: str, keep: Documents | None = None) -> Draft:
    return read_docx(docx(*blocks), "a.docx", keep or Documents())


def test_styles_give_title_and_sections() -> None:
    draft = read(
        p("The flood", style="Title"),
        p("It rained for a week."),
        p("Needs", style="Heading1"),
        p("Water", style="Heading2"),
        p("Wells were closed."),
    )
    assert draft.title == "The flood"
    assert [(part.title, part.blocks) for part in draft.parts] == [
        ("", ("It rained for a week.",)),
        ("Needs: Water", ("Wells were closed.",)),
    ]


def test_a_bold_line_that_stands_alone_is_a_heading() -> None:
    draft = read(p(r("Results", "<w:b/>")), p("It rained."))
    assert [(part.title, part.blocks) for part in draft.parts] == [("Results", ("It rained.",))]


def test_raised_figures_stay_powers() -> None:
    assert read(p("About 10", r("6", RAISED), " litres fell.")).parts[0].blocks == ("About 10⁶ litres fell.",)


def test_insertions_are_text_and_deletions_are_none() -> None:
    changed = "<w:del><w:r><w:delText>three</w:delText></w:r></w:del><w:ins><w:r><w:t>five</w:t></w:r></w:ins>"
    assert read(p("Rain fell on ", changed, " days.")).parts[0].blocks == ("Rain fell on five days.",)


def test_tables_are_left_out_or_kept_row_by_row() -> None:
    blocks = p("It rained."), table(("District", "Cases"), ("Bay", "11"))
    draft = read(*blocks)
    assert (draft.parts[0].blocks, draft.notes) == (("It rained.",), ("1 table left out",))
    assert read(*blocks, keep=Documents(tables=True)).parts[0].blocks == ("It rained.", "District | Cases", "Bay | 11")


def archive(**files: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "/").replace("_", "."), data)
    return held.getvalue()


GOOD = docx(p("It rained."))


@pytest.mark.parametrize(
    ("data", "state", "reason"),
    [
        (b"\xd0\xcf\x11\xe0 locked", "encrypted", "is encrypted, or a document of Word 97-2003"),
        (GOOD[: len(GOOD) // 2], "truncated", "is truncated: its end is missing"),
        (b"words", "damaged", "is no Word document"),
        (archive(a_txt=b"words"), "damaged", "is an archive without the text of a Word document"),
        (archive(word__document_xml=b"<w:document"), "damaged", "is a damaged Word document"),
        (archive(word__document_xml=bytes(301 << 20)), "too large", "unpacks to more than 300 MB"),
    ],
)
def test_a_bad_file_ends_in_a_state_with_a_name(data: bytes, state: str, reason: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        read_docx(data, "a.docx", Documents())
    assert refusal.value.state == state
    assert str(refusal.value).startswith(f"a.docx: {reason}")
    assert "; " in str(refusal.value)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_file_is_read_or_ends_in_a_state(seed: int) -> None:
    chance, data = random.Random(seed), bytearray(GOOD)
    for _ in range(chance.choice([1, 5, 50])):
        data[chance.randrange(len(data))] = chance.randrange(256)
    with suppress(Unreadable):
        read_docx(bytes(data), "a.docx", Documents())


def test_entities_that_unfold_without_end_are_no_document() -> None:
    names = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    bomb = f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY e0 "words">{names}]><d>&e11;</d>'
    with pytest.raises(Unreadable) as refusal:
        read_docx(docx(parts={"word/document.xml": bomb}), "a.docx", Documents())
    assert refusal.value.state == "damaged"
