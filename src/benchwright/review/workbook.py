"""A table as an Excel workbook, and back. Every cell is text: nothing in it is a formula, a number or a date."""

import re
import zipfile
import zlib
from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, time
from io import BytesIO
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, cast
from warnings import catch_warnings

from benchwright.errors import UsageError

if TYPE_CHECKING:
    from openpyxl import Workbook

SHEET = "review"  # the sheet of cards
WIDTH, WIDE, LONG = 16, 44, 24  # of columns; a wide one holds texts of more characters than the last
LIST_MOST = 255  # characters that the values of a validation have together in Excel
# What XML cannot hold is written as _x0000_, and what looks like that with its underscore written so.
SPECIAL = re.compile(r"[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]|_(?=x[0-9A-Fa-f]{4}_)")
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
CELL_MOST = 32_767  # characters; Excel cuts what is longer
ROWS_MOST = 1_048_576  # of a sheet in Excel
UNPACKED_MOST, RATIO_MOST = 100_000_000, 40  # bytes, and times the file's size: what unpacks to more is no workbook
OLE = b"\xd0\xcf\x11\xe0"  # begins encrypted workbooks and those of the old form
STRICT = b"http://purl.oclc.org/ooxml/spreadsheetml"
FIRST = itemgetter(0)
MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s[^>]*?ref=[\"']([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})[\"']")
# What openpyxl raises for files that are damaged in one way or another.
DAMAGED = (
    zipfile.BadZipFile, zlib.error, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, OSError,
    SyntaxError, RuntimeError, EOFError,
)  # fmt: skip
MISSING = "workbooks need the extra 'xlsx': pip install 'benchwright[xlsx]', or use a .csv file"

Values = Sequence[object]  # the cells of a row
Numbered = tuple[int, Values]  # a row under its number in the sheet, from 1
Span = tuple[int, int, int, int]


def make(
    rows: Iterable[list[str]],
    picks: Mapping[str, Sequence[str]] | None = None,
    rules: Sequence[str] = (),
    hidden: str = "",
) -> bytes:
    """A workbook with the names of its columns in the first row; `picks` are offered in these columns.

    The paragraphs of `rules` are a sheet of their own. The column `hidden` is there, but out of sight.
    """
    try:
        from openpyxl import Workbook
        from openpyxl.cell import Cell
        from openpyxl.styles import Alignment, Font
        from openpyxl.worksheet.datavalidation import DataValidation
    except ImportError as error:
        raise UsageError(MISSING) from error
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title, sheet.freeze_panes = SHEET, "A2"
    for number, values in enumerate(rows, 1):
        for column, value in enumerate(values, 1):
            cell = sheet.cell(number, column)
            assert isinstance(cell, Cell)  # noqa: S101 - no cells are merged here
            cell.value, cell.number_format = escape_xml(value), "@"
            cell.data_type = "s"  # whatever it begins with
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            size = sheet.column_dimensions[cell.column_letter]
            size.width = WIDE if number > 1 and len(value) > LONG else size.width if number > 1 else WIDTH
            if number == 1:
                cell.font = Font(bold=True)
                if formula := offer((picks or {}).get(value, ())):
                    choice = DataValidation(type="list", formula1=formula, allow_blank=True)
                    choice.add(f"{cell.column_letter}2:{cell.column_letter}1048576")
                    sheet.add_data_validation(choice)
            if number == 1 and value == hidden:
                size.hidden = True
    if any(rules):
        add_rules(book, rules)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def add_rules(book: "Workbook", rules: Iterable[str]) -> None:
    """A sheet with the rules to decide by, a paragraph a row."""
    from openpyxl.styles import Alignment

    told = book.create_sheet("rules")
    told.column_dimensions["A"].width = 2 * WIDE
    for number, paragraph in enumerate(rules, 1):
        cell = told.cell(number, 1)
        cell.value, cell.data_type = escape_xml(paragraph), "s"  # whatever it begins with
        cell.alignment = Alignment(wrap_text=True, vertical="top")


def offer(values: Sequence[str]) -> str:
    """The formula of a list of values; "" for none, or where they are too long for one, or hold what parts them."""
    text = ",".join(values)
    return (
        f'"{text}"' if text and len(text) <= LIST_MOST and not any(set(value) & set(',"') for value in values) else ""
    )


def read(data: bytes) -> dict[str, list[Numbered]]:
    """The rows of each sheet that hold anything, by its name; raises `UsageError` for no whole workbook.

    Time and memory grow with what is in the file, not with the number of the last row or column.
    """
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise UsageError(MISSING) from error
    if data.startswith(OLE):
        message = "it has a password, or is of the old form .xls: save it as .xlsx without a password, or as CSV UTF-8"
        raise UsageError(message)
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            refuse_bomb(archive, len(data))
            refuse_strict(archive)
        with catch_warnings(action="ignore"):  # about what Excel adds and openpyxl leaves out
            # Read-only, it looks at no style but those of dates, and makes no cell for what is not there.
            book = load_workbook(BytesIO(data), read_only=True, data_only=True)
            found = {sheet.title: sheet_rows(book, sheet) for sheet in book.worksheets}
    except DAMAGED as error:
        message = f"it is no workbook, or a damaged one ({error}): save it as .xlsx again, or as CSV UTF-8"
        raise UsageError(message) from error
    if not found:
        message = "it has no sheet of cells: save the cards as .xlsx again, or as CSV UTF-8"
        raise UsageError(message)
    return found


def refuse_bomb(archive: zipfile.ZipFile, size: int) -> None:
    """Raise `UsageError` for a file of that size that unpacks to far more than sheets do."""
    unpacked = sum(part.file_size for part in archive.infolist())
    if unpacked > max(UNPACKED_MOST, RATIO_MOST * size):
        message = f"it unpacks to {unpacked / 1e6:.0f} MB, as no list of cards does: save the sheet as CSV UTF-8"
        raise UsageError(message)


def refuse_strict(archive: zipfile.ZipFile) -> None:
    """Raise `UsageError` for the strict form of workbooks, in which openpyxl finds nothing."""
    books = [name for name in archive.namelist() if name.endswith("/workbook.xml")]
    if any(STRICT in archive.read(name) for name in books):
        message = "it is a 'Strict Open XML' workbook: save it as a plain Excel workbook (.xlsx), or as CSV UTF-8"
        raise UsageError(message)


def sheet_rows(book: "Workbook", sheet: Any) -> list[Numbered]:
    """The rows of a sheet that hold anything."""
    from openpyxl.utils.cell import range_boundaries

    sheet.reset_dimensions()  # what a file says of its size is often wrong
    rows = enumerate(islice(sheet.iter_rows(values_only=True), ROWS_MOST), 1)
    held = [(number, cells) for number, values in rows if values and (cells := without_end(values))]
    path, archive = sheet._worksheet_path, book._archive  # type: ignore[attr-defined] # noqa: SLF001 - no public way
    spans = [cast("Span", range_boundaries(ref.decode())) for ref in MERGED.findall(archive.read(path))]
    return [(number, tuple(map(unescape_xml, cells))) for number, cells in repeat_merged(held, spans)]


def without_end(values: Values) -> Values:
    """A row up to its last cell that holds anything."""
    last = next((n for n in range(len(values), 0, -1) if values[n - 1] is not None), 0)
    return tuple(values[:last])


def repeat_merged(rows: Sequence[Numbered], spans: Sequence[Span]) -> Sequence[Numbered]:
    """The rows with the value of merged cells in each row that they span and that holds anything else.

    A span is the first column, the first row, the last column and the last row, from 1.
    """
    found = dict(rows)
    for column, first, _, last in spans:
        if len(top := found.get(first, ())) >= column and last > first:
            for number, _ in rows[bisect(rows, first, key=FIRST) : bisect(rows, last, key=FIRST)]:
                cells = [*found[number], *[None] * (column - len(found[number]))]
                if cells[column - 1] is None:
                    cells[column - 1] = top[column - 1]
                found[number] = tuple(cells)
    return list(found.items())


def escape_xml(value: str) -> str:
    """A text as XML can hold it."""
    return SPECIAL.sub(lambda found: f"_x{ord(found[0]):04X}_", value)[:CELL_MOST]


def unescape_xml(value: object) -> object:
    """A cell as it was before XML had to hold it."""
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if isinstance(value, str) else value


def text(value: object) -> str:
    """A cell as the text that a spreadsheet shows of it, near enough."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time() == time():
        return str(value.date())
    return str(value)
