"""Rows of CSV and TSV files, plain or gzipped, and what is said where one is not as it should be."""

import csv
import gzip
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TextIO

from benchwright.errors import UsageError

FIELD_MOST = 10_000_000  # characters; the csv module's own limit is too small for long definitions

Row = dict[str, str]


def rows(path: Path, wanted: Collection[str]) -> Iterator[tuple[int, Row]]:
    """Each row under the names of the header, with the number of its line; needs the columns `wanted`."""
    csv.field_size_limit(FIELD_MOST)
    try:
        with open_text(path) as file:
            reader = table(path, file)
            if missing := [name for name in wanted if name not in (reader.fieldnames or ())]:
                raise line_error(path, 1, f"has no column {', '.join(missing)}; {describe_columns(reader)}")
            for row in reader:
                if None in row:
                    raise line_error(path, reader.line_num, "has more fields than the header")
                yield reader.line_num, row
    except csv.Error as error:
        raise line_error(path, reader.reader.line_num, str(error)) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 text: save it as UTF-8") from error
    except (OSError, EOFError) as error:
        raise UsageError(f"{path}: cannot be read as a table: {getattr(error, 'strerror', None) or error}") from error


def open_text(path: Path) -> TextIO:
    """The file as text; a byte order mark is no part of it."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8-sig", newline="")
    return path.open(encoding="utf-8-sig", newline="")


def table(path: Path, file: TextIO) -> "csv.DictReader[str]":
    """The reader that fits: tabs without quotes in `.tsv` and `.sif`, else whatever mark the first line has most of."""
    if {".tsv", ".sif"}.isdisjoint(path.suffixes):
        head = file.readline()
        file.seek(0)
        return csv.DictReader(file, delimiter=max(",;\t", key=head.count), restval="")
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
