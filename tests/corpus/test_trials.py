"""Every input of the shared trials becomes what their README says; none is passed over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.corpus.decode import decode
from benchwright.corpus.read import read
from benchwright.domain.document import Document, View
from benchwright.domain.knowledge import Triple
from benchwright.errors import Unreadable, UsageError
from benchwright.kg import triples
from benchwright.pipelines.choice.sections import mask_discussion

Shared = Callable[[str], Path]
REFUSED = {"he-cp1255.txt", "he-iso8859_8.txt", "ja-utf-16-le.txt"}  # too short to guess; without its mark


def titles_seen(document: Document, view: View) -> tuple[set[str], set[str]]:
    """The titles of sections that are shown, and of those that are masked."""
    titles = [section.title for section in document.sections]
    return {titles[n] for n in view.sections}, {titles[n] for n in view.masked}


def test_the_trials_are_those_that_are_tested_here(shared_data: Shared) -> None:
    folders = [path for path in shared_data("trials").iterdir() if path.is_dir()]
    found = {folder.name: {path.name for path in folder.iterdir()} for folder in folders}
    assert found.keys() == {"enc", "jats", "md", "kg"}
    assert found["jats"] == {"sup.xml", "xref-glued.xml", "bold-discussion.xml", "material-and-methods.xml"}
    assert found["md"] == {"sup.md", "bold.md", *FRONT}
    assert found["kg"] == {*TRIPLES, *BROKEN}
    assert len(found["enc"]) > 40


SAID = {
    "jats/sup.xml": (
        *("10^5.5 TCID", "10⁻³ mg (en dash), 10⁻³ mg (minus), 10⁻³ mg (hyphen), 10⁶ copies", "10^(6–7) copies"),
        *("2^n copies, 10^x, 2^-ΔΔCt", "e^0.05, kg m⁻², 5 × 10^4.7", "Line one line two", "34 deaths"),
    ),
    "md/sup.md": (
        *("10^5.5 TCID", "10⁶ copies per mL", "2 × 10⁻³", "was 12 per 100 persons. Area 30 m²", "\n\n34 deaths were"),
        *("Line one of a cell line two line three", " 14 deaths", "<5% and R&D said 3 ≤ x"),
    ),
    "jats/xref-glued.xml": ("Of 300 households 45 had a case in 2021, as elsewhere. Cases rose.",),
}


@pytest.mark.parametrize("name", SAID)
def test_raised_text_keeps_a_mark_and_references_go(name: str, shared_data: Shared) -> None:
    text = read(shared_data("trials") / name, name).text
    assert [part for part in SAID[name] if part not in text] == []
    assert "~~" not in text
    assert "31 34" not in text
    assert "12 14 deaths" not in text


@pytest.mark.parametrize("name", ["jats/bold-discussion.xml", "md/bold.md", "jats/xref-glued.xml"])
def test_a_short_bold_line_that_is_a_known_heading_is_one(name: str, shared_data: Shared) -> None:
    document = read(shared_data("trials") / name, name)
    shown, masked = titles_seen(document, mask_discussion(document))
    assert "Results: Discussion" in masked
    assert "Results" in shown
    assert any(title.startswith("Conclusion") for title in masked)


def test_methods_behind_the_discussion_are_shown(shared_data: Shared) -> None:
    document = read(shared_data("trials") / "jats/material-and-methods.xml", "x.xml")
    shown, masked = titles_seen(document, mask_discussion(document))
    assert "Material and methods" in shown
    assert masked == {"Discussion", "Conclusions"}


FRONT = {
    "fm1.md": "Cholera in the lower delta",
    "fm2.md": "Hugo",
    "fm3.md": "BOM and CRLF",
    "fm4.md": "Obsidian",
}


@pytest.mark.parametrize("name", FRONT)
def test_front_matter_in_any_form_gives_the_title_and_is_no_text(name: str, shared_data: Shared) -> None:
    document = read(shared_data("trials") / "md" / name, name)
    assert document.title == FRONT[name]
    assert [mark for mark in ("title:", "title =", "+++", "---", "tags:", "orcid") if mark in document.text] == []
    assert "cases" in document.text


def decoded(path: Path) -> tuple[str, tuple[str, ...]] | str:
    """A file's text with what is noted of it, or why it is refused."""
    try:
        text, notes = decode(path.read_bytes(), path.name)
    except Unreadable as error:
        return str(error)
    return text, tuple(notes)


def test_each_text_is_read_rightly_or_refused_by_name(shared_data: Shared) -> None:
    refused = {}
    for path in sorted(shared_data("trials/enc").iterdir()):
        encoding = path.stem.replace("-long", "").partition("-")[2]
        meant = path.read_bytes().decode(encoding).removeprefix("\ufeff")
        found = decoded(path)
        if isinstance(found, str):
            refused[path.name] = found
            continue
        assert found[0].split() == meant.split(), path.name
        assert found[1] or encoding == "utf-8" or meant.isascii(), path.name
    assert refused.keys() == REFUSED
    assert all(why.startswith(f"{name}: ") and "save it as UTF-8" in why for name, why in refused.items())


CHOLERA = ("disease:cholera", "has symptom", "thing:diarrhoea")
TRIPLES = {
    "blank.csv": [CHOLERA],
    "case.csv": [CHOLERA],
    "cells.csv": None,  # one long cell
    "empty.csv": [],
    "mixed.csv": [CHOLERA, ("disease:measles", "has symptom", "thing:rash\nwith break")],
    "tab.csv": [("disease:cholera", 'has "rice water"', "thing:diarrhoea")],
}
BROKEN = {
    "extra.csv": "line 2: has more fields than the header",
    "latin.csv": "is not UTF-8 text: save it as UTF-8",
    "nan.csv": "line 2: lacks its subject, relation or object",
    "u16.csv": "line 1: has no column subject, relation, object; its first line names sub",
    "unbalanced.csv": "line 3: begins a row with a quotation mark that is not closed",
}


@pytest.mark.parametrize("name", TRIPLES)
def test_a_table_of_triples_is_read(name: str, shared_data: Shared) -> None:
    found = [one for one in triples.read(shared_data("trials/kg") / name) if isinstance(one, Triple)]
    wanted = TRIPLES[name]
    if wanted is None:
        assert len(found[0].object) > 100_000
    else:
        assert [(one.subject, one.relation, one.object) for one in found] == wanted


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_table_is_refused_with_the_line(name: str, shared_data: Shared) -> None:
    with pytest.raises(UsageError) as caught:
        list(triples.read(shared_data("trials/kg") / name))
    assert BROKEN[name] in str(caught.value)
    assert name in str(caught.value)
