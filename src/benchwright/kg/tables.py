"""Rows of CSV and TSV files, plain or gzipped, and what is said where one is not as it should be."""

import codecs
import csv
import gzip
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TextIO, cast

from benchwright.errors import UsageError

FIELD_MOST = 10_000_000  # characters; the csv module's own limit is too small for long definitions

Row = dict[str, str]


def rows(path: Path, wanted: Collection[str]) -> Iterator[tuple[int, Row]]:
    """Each row under the names of the header, with the number of its line; needs the columns `wanted`.

    Blank rows are passed over; where the columns wanted are in small letters, the header's case does not matter.
    """
    csv.field_size_limit(FIELD_MOST)
    line = 0
    try:
        with open_text(path) as file:
            reader = table(path, file)
            name_columns(reader, wanted)
            if missing := [name for name in wanted if name not in (reader.fieldnames or ())]:
                raise line_error(path, 1, f"has no column {', '.join(missing)}; {describe_columns(reader)}")
            line = reader.line_num
            for row in reader:
                if any(cell.strip() for cell in row.pop(None, ())):
                    raise line_error(path, reader.line_num, "has more fields than the header")
                line = reader.line_num
                if any(map(str.strip, row.values())):
                    yield line, row
    except csv.Error as error:
        raise line_error(path, line + 1, describe_fault(str(error))) from error
    except UnicodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text: save it as UTF-8") from error
    except (OSError, EOFError) as error:
        raise UsageError(f"{path}: cannot be read as a table: {getattr(error, 'strerror', None) or error}") from error


def name_columns(reader: "csv.DictReader[str]", wanted: Collection[str]) -> None:
    """Take a header in other letters, or with blanks, for the one that is wanted."""
    found = list(reader.fieldnames or ())
    folded = [name.strip().lower() for name in found]
    if wanted and not set(wanted) <= set(found) and set(wanted) <= set(folded):
        reader.fieldnames = folded


def describe_fault(error: str) -> str:
    """What the csv module says of a row, in words; it speaks of the row's last line, not of the quotation mark."""
    quoted = "unexpected end" in error or "expected after" in error
    return "begins a row with a quotation mark that is not closed, or not before a comma" if quoted else error


def open_text(path: Path) -> TextIO:
    """The file as text, of UTF-8 or of UTF-16 with its byte order mark, which is no part of it."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as file:
        wide = file.read(2) in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
    return cast("TextIO", opened(path, "rt", encoding="utf-16" if wide else "utf-8-sig", newline=""))


def table(path: Path, file: TextIO) -> "csv.DictReader[str]":
    """The reader that fits: tabs without quotes in `.tsv` and `.sif`, else whatever mark the first line has most of."""
    if {".tsv", ".sif"}.isdisjoint(path.suffixes):
        head = file.readline()
        file.seek(0)
        return csv.DictReader(file, delimiter=max(",;\t", key=head.count), restval="", strict=True)
    return csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")


def describe_columns(reader: "csv.DictReader[str]") -> str:
    """The columns that there are, in words."""
    return f"its first line names {', '.join(reader.fieldnames or ()) or 'nothing'}"


def line_error(path: Path, line: int, what: str) -> UsageError:
    """The error for a line that cannot be used."""
    return UsageError(f"{path}, line {line}: {what}")


def pick(row: Row, *names: str) -> str:
    """The first of these fields that says anything; "" where none does."""
    return next((text for name in names if (text := row.get(name, "").strip())), "")
