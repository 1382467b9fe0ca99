"""Files of records, JSONL and CSV: read line by line, so that a file may be larger than memory.

A line that is no record is reported with its reason and stops nothing.
"""

import csv
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from io import TextIOWrapper
from math import isinf
from pathlib import Path
from typing import Any, BinaryIO

from benchwright.corpus.decode import decode, encoding_of, refuse_other_kinds
from benchwright.corpus.read import demand_file, file_faults
from benchwright.domain.ids import canonical
from benchwright.domain.source import Record
from benchwright.errors import Unreadable

LONGEST = 4 * 2**20  # bytes of one line, or characters where a character takes more than one
HEAD = 4096  # bytes that show a file's encoding
SEPARATORS = ",;\t"

Line = tuple[int, Record | str]  # the number of a line, and its record or the reason why it is none
Text = tuple[int, str, tuple[str, ...]]  # the number of a line, its text, and what had to be mended
Strange = dict[int, str]  # lines that are no text, each with the reason


def read_records(path: Path, name: str) -> Iterator[Line]:
    """The records of a file, called `name`, in its order; raises `Unreadable` where it cannot be read at all."""
    with file_faults(name):
        demand_file(path, name)
        with path.open("rb") as file:
            head = file.read(HEAD)
            refuse_other_kinds(head, name)
            if not head.strip():
                raise Unreadable(f"{name}: is empty; add its records or take it out")
            encoding, mark = encoding_of(head)
            file.seek(mark)
            strange: Strange = {}
            yield from RECORD_READERS[path.suffix.lower()](texts(file, encoding, name, strange), name, strange)


def texts(file: BinaryIO, encoding: str, name: str, strange: Strange) -> Iterator[Text]:
    """The lines of a file as text; one that is none is empty, and its reason is put into `strange`."""
    for number, data in enumerate(lines(file, encoding), 1):
        try:
            text, notes = decode(data, name)
        except Unreadable as error:
            strange[number] = str(error).removeprefix(f"{name}: ")
            text, notes = "", ()
        if len(data) > LONGEST:
            strange[number], text = f"is longer than {LONGEST >> 20} MB; split it into records", ""
        yield number, text, notes


def lines(file: BinaryIO, encoding: str) -> Iterator[bytes]:
    """The lines of a file as bytes, with their ends; of one that is too long a little more than the most."""
    wide = None if encoding == "utf-8" else TextIOWrapper(file, encoding, "replace", newline="\n")

    def piece(most: int) -> bytes:
        return wide.readline(most).encode() if wide else file.readline(most)

    try:
        while line := piece(LONGEST + 1):
            more = line
            while not more.endswith(b"\n") and (more := piece(LONGEST)):
                pass
            yield line
    finally:
        if wide:
            wide.detach()  # the file is closed by who opened it


def json_lines(read: Iterator[Text], name: str, strange: Strange) -> Iterator[Line]:
    """One JSON object a line; empty lines are passed over."""
    for number, text, notes in read:
        if number in strange:
            yield number, strange.pop(number)
        elif text.strip():
            try:
                yield number, record(f"{name}:{number}", parse_line(text), notes)
            except Unreadable as error:
                yield number, str(error)


def parse_line(text: str) -> Mapping[str, Any]:
    """The object that a line holds."""
    try:
        value = json.loads(
            text,
            strict=False,
            object_pairs_hook=fields_once,
            parse_constant=refuse_constant,
            parse_float=parse_float,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(f"is not JSON: {error.msg}, column {error.colno}") from error
    except (RecursionError, ValueError) as error:
        raise Unreadable("is nested too deeply, or holds a number that is too long") from error
    if not isinstance(value, dict):
        raise Unreadable("is no JSON object; a record is one object of named fields on a line of its own")
    return value


def fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names differ."""
    names = Counter(name for name, _ in pairs)
    if twice := next((name for name, times in names.items() if times > 1), None):
        raise Unreadable(f"names the field {twice!r} twice")
    return dict(pairs)


def refuse_constant(name: str) -> Any:
    """NaN and the infinities are no JSON."""
    raise Unreadable(f"holds {name}, which is no JSON; use null")


def parse_float(text: str) -> float:
    """A number that is finite."""
    if isinf(value := float(text)):
        raise Unreadable(f"holds {text}, which is larger than any number here; write it as text")
    return value


def record(name: str, fields: Mapping[str, Any], notes: tuple[str, ...]) -> Record:
    """The record of these fields."""
    if not fields:
        raise Unreadable("has no fields")
    try:
        canonical(fields).encode()
    except UnicodeEncodeError as error:
        raise Unreadable("holds half of a surrogate pair, which is no character") from error
    return Record(name, fields, notes)


def csv_rows(read: Iterator[Text], name: str, strange: Strange) -> Iterator[Line]:
    """The rows of a table whose first line names the fields; all values are text, empty lines are passed over.

    Cells are separated by commas, or by semicolons or tabs where these are more frequent in the first line.
    """
    number, first, _ = next(read)
    if number in strange:
        raise Unreadable(f"{name}: line 1 {strange[number]}")
    separator = max(SEPARATORS, key=first.count)
    noted: dict[int, tuple[str, ...]] = {}

    def rest() -> Iterator[str]:
        yield first
        for place, text, notes in read:
            if notes:
                noted[place] = notes
            yield text[:-1].replace("\n", " ") + text[-1:]  # other breaks than a line feed were made line feeds

    # Strict, for a quotation mark that is never closed would swallow the rest of the file as one cell.
    rows = csv.reader(rest(), delimiter=separator, strict=True)
    head = header(rows, name)
    while True:
        begin = rows.line_num + 1
        try:
            cells = next(rows, None)
            reason = "" if cells is None else misfit(cells, head)
        except csv.Error as error:
            cells, reason = ["?"], f"is not CSV: {error}"
        if cells is None:
            return
        within = range(begin, rows.line_num + 1)
        notes = tuple(note for place in within for note in noted.pop(place, ()))
        reason = next(filter(None, [strange.pop(place, "") for place in within]), reason)
        if reason:
            yield begin, reason
        elif cells:
            yield begin, Record(f"{name}:{begin}", dict(zip(head, cells, strict=True)), notes)


def header(rows: Iterator[list[str]], name: str) -> list[str]:
    """The names of the fields, from the first row; raises `Unreadable` where they are no names."""
    try:
        names = [cell.strip() for cell in next(rows)]
    except csv.Error as error:
        raise Unreadable(f"{name}: its first line is not CSV: {error}") from error
    if not names or not all(names):
        raise Unreadable(f"{name}: its first line, which names the fields, leaves one without a name")
    if twice := next((one for one, times in Counter(names).items() if times > 1), None):
        raise Unreadable(f"{name}: its first line names the field {twice!r} twice")
    return names


def misfit(cells: list[str], head: list[str]) -> str:
    """Why a row does not fit the first line; empty where it does, or is empty itself."""
    return f"has {len(cells)} cells, the first line names {len(head)}" if cells and len(cells) != len(head) else ""


RECORD_READERS: Mapping[str, Callable[[Iterator[Text], str, Strange], Iterator[Line]]] = {
    ".csv": csv_rows,
    ".jsonl": json_lines,
}
