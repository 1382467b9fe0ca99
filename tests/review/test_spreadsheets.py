"""What spreadsheet programs and the people at them make of a file of cards."""

import zipfile
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path
from tracemalloc import get_traced_memory, start, stop

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl.chart import BarChart
from openpyxl.worksheet.worksheet import Worksheet
from tests.review.campaign import Desk
from tests.review.test_sheet import CARD, HEAD, LINE, filled, saved

from benchwright.errors import UsageError
from benchwright.review import workbook
from benchwright.review.exchange import Outcome
from benchwright.review.files import read, write

MOST_MEMORY = 20_000_000  # bytes
CARDS = [filled(key=f"{n}/x") for n in range(3)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workbook with three cards, as it was exported."""
    write(tmp_path / "queue.xlsx", CARDS)
    return tmp_path / "queue.xlsx"


def changed(path: Path, change: Callable[[Worksheet], None]) -> Path:
    """The workbook after a person has changed the sheet of cards."""
    book = openpyxl.load_workbook(path)
    change(book["review"])
    book.save(path)
    return path


def repacked(path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """The workbook with other parts inside; those that become None are left out."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: change(name, archive.read(name)) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            if data is not None:
                archive.writestr(name, data)
    return path


def decisions(path: Path) -> list[tuple[int, str, str, str]]:
    """What each row says: its number, key, decision and reviewer."""
    return [(row.line, row.key, row.given["decision"], row.reviewer) for row in read(path)]


UNTOUCHED = [(n + 2, f"{n}/x", "", "") for n in range(3)]


@pytest.mark.parametrize("part", ["xl/styles.xml", "xl/theme/theme1.xml", "docProps/app.xml", "docProps/core.xml"])
def test_a_workbook_without_its_looks_is_read(part: str, path: Path) -> None:
    assert decisions(repacked(path, lambda name, data: None if name == part else data)) == UNTOUCHED


@pytest.mark.parametrize("place", ["A1048576", "XFD5"])
@pytest.mark.parametrize("value", [" ", None])
def test_a_blank_far_away_is_no_row(place: str, value: str | None, path: Path) -> None:
    def put(sheet: Worksheet) -> None:
        sheet[place] = value
        sheet[place].font = openpyxl.styles.Font(bold=True)

    assert decisions(changed(path, put)) == UNTOUCHED


def test_a_blank_in_the_last_cell_of_all_costs_no_memory(path: Path) -> None:
    changed(path, lambda sheet: sheet.__setitem__("XFD1048576", " "))
    start()
    try:
        assert decisions(path) == UNTOUCHED
        assert get_traced_memory()[1] < MOST_MEMORY
    finally:
        stop()


def test_a_wrong_size_in_the_file_hides_no_row(path: Path) -> None:
    repacked(path, lambda _, data: data.replace(b'<dimension ref="A1:O4"/>', b'<dimension ref="A1"/>'))
    assert decisions(path) == UNTOUCHED


@pytest.mark.parametrize("rename", [False, True])
def test_the_sheet_of_cards_is_found_wherever_it_stands(rename: bool, path: Path) -> None:
    book = openpyxl.load_workbook(path)
    front = book.create_sheet("notes", 0)
    front.append(["my notes", "on the key"])
    book.active = 0
    if rename:
        book["review"].title = "Tabelle1"
    book.create_chartsheet("chart", 0).add_chart(BarChart())
    book.save(path)
    assert decisions(path) == UNTOUCHED


def test_two_sheets_of_cards_are_refused_by_their_names(path: Path) -> None:
    book = openpyxl.load_workbook(path)
    book.copy_worksheet(book["review"])
    book.save(path)
    with pytest.raises(UsageError, match="the sheets 'review' and 'review Copy' all have a column 'key'"):
        read(path)


def test_people_may_write_lines_above_the_names_of_the_columns(path: Path) -> None:
    def insert(sheet: Worksheet) -> None:
        sheet.insert_rows(1, 3)
        sheet["A1"], sheet["A2"] = "Round 2, for Ada", "key"
        sheet.merge_cells("A1:F1")

    assert decisions(changed(path, insert)) == [(line + 3, *rest) for line, *rest in UNTOUCHED]


def test_what_merged_cells_show_counts_for_each_row_that_they_span(path: Path) -> None:
    def merge(sheet: Worksheet) -> None:
        sheet["D2"], sheet["A3"] = "ada", "keep"
        sheet.merge_cells("D2:D4")
        sheet.merge_cells("A3:B3")

    assert decisions(changed(path, merge)) == [
        (2, "0/x", "", "ada"),
        (3, "1/x", "keep", "ada"),
        (4, "2/x", "", "ada"),
    ]
    assert read(path)[1].given["wording"] == ""


def test_a_protected_and_filtered_sheet_with_hidden_rows_is_read_whole(path: Path) -> None:
    def protect(sheet: Worksheet) -> None:
        sheet["A3"] = " Keep\u00a0"
        sheet.protection.sheet = True
        sheet.protection.set_password("secret")
        sheet.auto_filter.ref = "A1:O4"
        sheet.auto_filter.add_filter_column(0, ["keep"])
        sheet.row_dimensions[2].hidden = sheet.row_dimensions[4].hidden = True

    assert [(key, said.strip()) for _, key, said, _ in decisions(changed(path, protect))] == [
        ("0/x", ""), ("1/x", "Keep"), ("2/x", ""),
    ]  # fmt: skip


def column_of(sheet: Worksheet, name: str) -> int:
    return [cell.value for cell in sheet[1]].index(name) + 1


def empty(sheet: Worksheet, name: str) -> None:
    sheet.cell(2, column_of(sheet, name)).value = None


@pytest.mark.parametrize("value", [date(2026, 5, 3), datetime(2026, 5, 3, tzinfo=None), time(10, 12), "#NAME?"])  # noqa: DTZ001
@pytest.mark.parametrize("name", ["reason", "wording"])
async def test_a_date_that_the_spreadsheet_made_of_an_answer_is_refused(
    name: str, value: date | time | str, desk: Desk, tmp_path: Path
) -> None:
    path = tmp_path / "queue.xlsx"
    write(path, await desk.entries())

    def put(sheet: Worksheet) -> None:
        sheet["A2"], sheet["D2"], sheet["P1"], sheet["P2"] = "keep", "ada", "when", date(2026, 1, 1)
        sheet.cell(2, column_of(sheet, name), value=value)

    found = (await desk.take(*read(changed(path, put))))[0]
    assert found.outcome is Outcome.REFUSED
    assert "the spreadsheet has made" in found.message
    assert repr(name) in found.message

    changed(path, lambda sheet: empty(sheet, name))
    assert (await desk.take(*read(path)))[0].outcome is Outcome.APPLIED  # the date of another column matters to nobody


def test_a_password_and_an_old_workbook_are_named(tmp_path: Path) -> None:
    (tmp_path / "queue.xlsx").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    with pytest.raises(UsageError, match="has a password, or is of the old form"):
        read(tmp_path / "queue.xlsx")


def test_a_workbook_in_the_strict_form_says_so(path: Path) -> None:
    old, new = (
        b"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
        b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    )
    repacked(path, lambda _, data: data.replace(old, new))
    with pytest.raises(UsageError, match="Strict Open XML"):
        read(path)


def test_a_file_that_unpacks_to_far_more_than_a_workbook_is_refused(path: Path) -> None:
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image1.png", bytes(workbook.UNPACKED_MOST))
    with pytest.raises(UsageError, match="it unpacks to 100 MB"):
        read(path)


MADE = workbook.make(iter([["key", "decision"], ["a/b", "keep"]]))


@settings(deadline=None, max_examples=200)
@given(st.integers(0, len(MADE) - 1), st.binary(min_size=1, max_size=8))
def test_a_damaged_workbook_is_read_or_refused_and_nothing_else(place: int, data: bytes) -> None:
    with suppress(UsageError):
        workbook.read(MADE[:place] + data + MADE[place + len(data) :])


# ------------------------------------------------------------------------------------------------------------- ods

OFFICE = (
    '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>{}'
    "</office:spreadsheet></office:body></office:document-content>"
)
EMPTY = (
    '<table:table-row table:number-rows-repeated="1048570">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)


def ods(path: Path, *rows: str, front: str = "") -> Path:
    """A file as LibreOffice saves it, with these rows."""
    body = front + f'<table:table table:name="review">{"".join(rows)}{EMPTY}</table:table>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("content.xml", OFFICE.format(body))
    return path


def line(*cells: str) -> str:
    """A row; a cell that is no element is a text."""
    return f"<table:table-row>{''.join(c if c[:1] == '<' else element(c) for c in cells)}</table:table-row>"


def element(content: str, attributes: str = 'office:value-type="string"') -> str:
    return f"<table:table-cell {attributes}><text:p>{content}</text:p></table:table-cell>"


def test_a_sheet_of_libreoffice_is_read(tmp_path: Path) -> None:
    path = ods(
        tmp_path / "queue.ods",
        line("For Ada"),
        line(*HEAD, "grade", "when"),
        line(
            "a/b", "keep",
            '<table:table-cell><office:annotation><text:p>no</text:p></office:annotation><text:p>two'
            '<text:s text:c="2"/>'
            "<text:span>bla</text:span>nks</text:p><text:p>x<text:tab/>y<text:line-break/>z</text:p></table:table-cell>",
            element("Zoë", 'table:number-rows-spanned="2"'),
            element("2", 'office:value-type="float" office:value="2"'),
            element("3.5.26", 'office:value-type="date" office:date-value="2026-05-03T10:00:00"'),
        ),
        line(
            "c/d", '<table:table-cell table:number-columns-repeated="2"/>', "<table:covered-table-cell/>",
            element("10:12", 'office:value-type="time" office:time-value="PT10H12M"'),
        ),
        front='<table:table table:name="notes"><table:table-row/></table:table>',
    )  # fmt: skip
    first, second = read(path)
    assert (first.line, first.key, first.reviewer, *first.changed) == (3, "a/b", "Zoë", "when")
    assert {name: first.given[name] for name in ("decision", "reason", "grade", "when")} == {
        "decision": "keep", "reason": "two  blanks\nx\ty\nz", "grade": "2", "when": "2026-05-03",
    }  # fmt: skip
    assert (second.line, second.key, second.reviewer, *second.changed) == (4, "c/d", "Zoë", "grade")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no zip", "it is no sheet"),
        (OFFICE.format("<oops>").encode(), "it is no sheet"),
        (OFFICE.format("").encode(), "no sheet"),
    ],
)
def test_a_damaged_sheet_of_libreoffice_is_refused(content: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.ods"
    if content.startswith(b"<"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("content.xml", content)
    else:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=rf"queue\.ods: .*{words}"):
        read(path)


def test_a_row_that_is_repeated_beyond_the_end_of_a_sheet_ends_there(tmp_path: Path) -> None:
    far = EMPTY.replace("1048570", str(workbook.ROWS_MOST - 3))
    often = line(CARD.key, "keep").replace("<table:table-row", f'<table:table-row table:number-rows-repeated="{9**20}"')
    assert [row.line for row in read(ods(tmp_path / "queue.ods", line(*HEAD), far, often))] == [
        workbook.ROWS_MOST - 1,
        workbook.ROWS_MOST,
    ]


# ----------------------------------------------------------------------------------------------------- tables as text


@pytest.mark.parametrize("name", ["queue.csv", "queue.tsv", "queue.txt"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", "~", "^"])
def test_a_table_is_read_whatever_parts_its_cells(separator: str, name: str, tmp_path: Path) -> None:
    title = [["Round 2; for Ada, Bob, Eve | Zoë"], []]
    path = saved(tmp_path / name, [*title, HEAD, [CARD.key, "keep", "a, b; c\td | e", "Zoë"]], separator)
    (found,) = read(path)
    assert (found.line, found.given["reason"], found.reviewer) == (4, "a, b; c\td | e", "Zoë")


@pytest.mark.parametrize("first", ["sep={}", "SEP={}", '"sep={}"'])
@pytest.mark.parametrize("separator", [";", ",", "\t", ":", "#"])
@pytest.mark.parametrize("ends", ["\r\n", "\n", "\r"])
def test_a_first_line_may_say_what_parts_the_cells(first: str, separator: str, ends: str, tmp_path: Path) -> None:
    path = saved(tmp_path / "queue.csv", [HEAD, LINE, [CARD.key, "reject", f"a{separator}b", ""]], separator, ends)
    path.write_bytes(b"\xef\xbb\xbf" + f"{first.format(separator)}{ends}".encode() + path.read_bytes())
    assert [(row.line, row.given["decision"], row.given["reason"]) for row in read(path)] == [
        (3, "keep", ""),
        (4, "reject", f"a{separator}b"),
    ]


def test_a_table_that_was_opened_in_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "queue.csv"
    write(path, [CARD])
    path.write_text(path.read_bytes().decode("cp1252"), "utf-8")
    with pytest.raises(UsageError, match="another encoding than UTF-8"):
        read(path)
