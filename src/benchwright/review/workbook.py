"""A table as an Excel workbook, and back. Every cell is text: nothing in it is a formula, a number or a date."""

import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

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
MISSING = "workbooks need the extra 'xlsx': pip install 'benchwright[xlsx]', or use a .csv file"


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


def read(data: bytes) -> Iterator[list[str]]:
    """The rows of the sheet of cards, or of the one that is in front, every cell as text."""
    try:
        from openpyxl import load_workbook
    except ImportError as error:
        raise UsageError(MISSING) from error
    try:
        book = load_workbook(BytesIO(data), data_only=True)
        sheet = book[SHEET] if SHEET in book.sheetnames else book.active
        rows = [] if sheet is None else list(sheet.iter_rows(values_only=True))
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        message = f"it is no workbook, or a damaged one ({error}): save it as .xlsx again, or as CSV UTF-8"
        raise UsageError(message) from error
    return ([text(value) for value in cells] for cells in rows)


def escape_xml(value: str) -> str:
    """A text as XML can hold it."""
    return SPECIAL.sub(lambda found: f"_x{ord(found[0]):04X}_", value)[:CELL_MOST]


def text(value: object) -> str:
    """A cell as the text that a spreadsheet shows of it, near enough."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), value) if isinstance(value, str) else str(value)
