"""A sheet as LibreOffice saves it (OpenDocument, part 3), read into the same rows as a workbook of Excel."""

import zipfile
import zlib
from collections.abc import Iterator, Mapping
from datetime import date
from io import BytesIO

from lxml import etree

from benchwright.errors import UsageError
from benchwright.review.workbook import ROWS_MOST, Numbered, Span, refuse_bomb, repeat_merged, without_end

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
ASIDE = {f"{OFFICE}annotation", f"{TABLE}table", f"{TEXT}note"}  # within a cell, and no text of it
COLUMNS_MOST = 16_384  # of a sheet


def read(data: bytes) -> dict[str, list[Numbered]]:
    """The rows of each sheet that hold anything, by its name; raises `UsageError` for no such file."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            refuse_bomb(archive, len(data))
            content = archive.read("content.xml")
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
        found = {sheet.get(f"{TABLE}name", ""): sheet_rows(sheet) for sheet in root.iter(f"{TABLE}table")}
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, OSError, RuntimeError, SyntaxError) as error:
        message = f"it is no sheet of OpenDocument, or one that is damaged or has a password ({error}): save it again"
        raise UsageError(message) from error
    if not found:
        message = "it has no sheet: save the cards as .ods again, or as .xlsx"
        raise UsageError(message)
    return found


def sheet_rows(sheet: etree._Element) -> list[Numbered]:
    """The rows of a sheet that hold anything; many a file ends in a million of others."""
    rows: list[Numbered] = []
    spans: list[Span] = []
    number = 1
    for element in sheet.iter(f"{TABLE}table-row"):
        cells = without_end(list(cells_of(element, number, spans)))
        after = min(number + times_of(element, "rows"), ROWS_MOST + 1)
        rows += [(one, cells) for one in range(number, after) if cells]
        number = after
    return list(repeat_merged(rows, spans))


def cells_of(row: etree._Element, number: int, spans: list[Span]) -> Iterator[object]:
    """The values of a row's cells; which of them are merged with those below is added to `spans`."""
    column = 0
    for cell in row.iterchildren(*CELLS):
        times = min(times_of(cell, "columns"), COLUMNS_MOST - column)
        if (below := int(cell.get(f"{TABLE}number-rows-spanned", "1"))) > 1:
            spans.append((column + 1, number, column + 1, number + below - 1))
        yield from [value_of(cell)] * times
        column += times


def times_of(element: etree._Element, kind: str) -> int:
    """How often a row or a cell stands there."""
    return max(1, int(element.get(f"{TABLE}number-{kind}-repeated", "1")))


def value_of(cell: etree._Element) -> object:
    """A cell's value: a date as such, a number or truth value as the text that is shown, None for nothing."""
    attributes: Mapping[str, str] = {str(name): str(value) for name, value in cell.attrib.items()}
    kind = attributes.get(f"{OFFICE}value-type", "")
    if kind in {"date", "time"}:
        return date.fromisoformat(attributes.get(f"{OFFICE}date-value", "1899-12-30")[:10])
    if kind == "float":
        return float(attributes.get(f"{OFFICE}value", "nan"))
    lines = ["".join(pieces(part)) for part in cell.iterchildren(f"{TEXT}p")]
    return "\n".join(lines) or None


def pieces(part: etree._Element) -> Iterator[str]:
    """The text of a paragraph, with the blanks, tabs and line ends that are elements of it."""
    name = part.tag
    if name == f"{TEXT}s":
        yield " " * min(int(part.get(f"{TEXT}c", "1")), 32_767)
    elif name in {f"{TEXT}tab", f"{TEXT}line-break"}:
        yield "\t" if name == f"{TEXT}tab" else "\n"
    elif name not in ASIDE and isinstance(name, str):
        yield part.text or ""
        for child in part:
            yield from pieces(child)
            yield child.tail or ""
