"""The human queue as a file: written for people and their spreadsheets, read back whatever these did to it.

A row has what is to be filled in and who did, then what the card shows, and last the card's key, which people need not
read. Files of earlier versions begin with the key. One file may hold cards of several forms: its columns are those of
all of them.
"""

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import chain, islice
from typing import Any

from benchwright.domain.jsonl import portable
from benchwright.errors import UsageError
from benchwright.pipelines.card import Card, Input

MISREAD_MARK = "\ufeff".encode().decode("cp1252")  # the mark of UTF-8 in a table that was opened as cp1252
KEY, REVIEWER = "key", "reviewer"
WHERE = ("document", "title", "item", "about")  # columns that tell where a card comes from, unless it has its own
OLD = ("decision", "wording", "reason")  # what was filled in at the end of files of versions that knew one form only
SEPARATORS = ",;\t|~^"
SEPARATOR_LINE = re.compile(r"""["']?sep=([^\r\n])["']?[^\S\t]*(?:\r\n|\r|\n)""", re.IGNORECASE)  # Excel's
HEAD_MOST = 50  # rows in which the names of the columns are looked for; people write above them
ERRORS = {"#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A"}  # what is left of a wrong formula
SHORT = 24  # characters: longer texts, and those of several words, are no number and no date to any spreadsheet
WORD = re.compile(r"[^\W\d_]+")
FORMULA = re.compile(r"[\t\r\n]|\s*[-=+@'\uff0b\uff0d\uff1d\uff20]")  # with their full-width forms
# Control characters, which terminals and spreadsheets obey, as the signs that stand for them; line ends and tabs stay.
PICTURES = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n\r"}
PICTURES |= {0x7F: "\u2421"} | dict.fromkeys(range(128, 160), "�")
AS_THEY_ARE = (KEY, "item", "about")  # made of hexadecimal digits: no spreadsheet is asked to spare them

Cell = str | tuple[str, ...]
Text = Callable[[Any], str]  # reads a cell
Numbered = tuple[int, Sequence[object]]  # the cells of a row under its number


@dataclass(frozen=True, slots=True)
class Entry:
    """A card in a file: its key, what it shows by columns, and what is filled in, by the headings of its inputs."""

    key: str
    card: Card
    shown: Mapping[str, Cell]
    given: Mapping[str, str] = field(default_factory=dict)

    @property
    def cells(self) -> dict[str, Cell]:
        """All of it by columns, what is to be filled in in front."""
        inputs = {one.column_name: self.given.get(one.column_name, "") for one in self.card.inputs}
        return {**inputs, REVIEWER: self.given.get(REVIEWER, ""), **self.shown, KEY: self.key}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a file that came back: its cells by the names of their columns.

    `line` is the line of a .jsonl file, the row of a table; `fault` says why the row cannot be used. In the columns
    `changed`, a spreadsheet has made something else of what was typed.
    """

    line: int
    key: str = ""
    given: Mapping[str, str] = field(default_factory=dict)
    reviewer: str = ""
    fault: str = ""
    changed: frozenset[str] = frozenset()

    def texts(self, inputs: Iterable[Input]) -> dict[str, str]:
        """What is given for these inputs, by their names."""
        return {one.name: self.given.get(one.column_name, "") for one in inputs}

    @property
    def asks(self) -> tuple[str, ...]:
        """The columns that are filled in, as far as the order of the columns tells: those before reviewer."""
        names = [name for name in self.given if name != KEY]
        if KEY not in self.given or REVIEWER not in names:
            return ()
        between = tuple(names[: names.index(REVIEWER)])
        return OLD if set(between) & set(WHERE) else between

    def has_entry(self, inputs: Iterable[str]) -> bool:
        """Whether someone has written into it, as far as can be told; `inputs` are columns that are filled in."""
        names = {*inputs, *self.asks}
        return bool(self.reviewer or self.fault or any(self.given.get(name, "").strip() for name in names))


# ----------------------------------------------------------------------------------------------------------- out


def inputs_of(entries: Iterable[Entry]) -> dict[str, Input]:
    """The inputs of all cards by their columns."""
    found: dict[str, Input] = {}
    for entry in entries:
        for one in entry.card.inputs:
            found.setdefault(one.column_name, one)
    return found


def required_columns(entries: Sequence[Entry]) -> set[str]:
    """The columns that must be filled in whatever a card of the file is."""
    of_each = [{one.column_name for one in e.card.inputs if one.required and not one.only_with} for e in entries]
    return set.intersection(*of_each) if of_each else set()


def fields_of(entries: Iterable[Entry]) -> dict[str, str]:
    """What the cards show: the labels of their fields by column."""
    return {one.name: one.label for entry in entries for one in entry.card.shown if one.name in entry.shown}


def columns(entries: Sequence[Entry]) -> list[str]:
    """The columns of a file with these cards."""
    shown = dict.fromkeys(name for entry in entries for name in entry.shown)
    return list(dict.fromkeys([*inputs_of(entries), REVIEWER, *shown, KEY]))


def as_jsonl(rows: Iterable[Mapping[str, Any]]) -> str:
    """One object a line."""
    return "".join(portable(json.dumps(row, ensure_ascii=False)) + "\n" for row in rows)


def as_csv(rows: Iterable[Mapping[str, Cell]], names: Sequence[str]) -> str:
    """A table with these columns, with the mark by which spreadsheets know UTF-8."""
    out = StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(table(rows, names))
    return "\ufeff" + out.getvalue()


def table(rows: Iterable[Mapping[str, Cell]], names: Sequence[str]) -> Iterator[list[str]]:
    """The rows of a table, the names of its columns first."""
    yield list(names)
    for row in rows:
        yield [cell(name, row.get(name, "")) for name in names]


def cell(name: str, value: Cell) -> str:
    """A field as a cell; where a spreadsheet could make something else of it, an apostrophe protects it."""
    text = without_controls(value if isinstance(value, str) else "\n".join(value))
    return f"'{text}" if name not in AS_THEY_ARE and changeable(text) else text


def without_controls(text: str) -> str:
    """A text in which signs stand for control characters."""
    return text.translate(PICTURES)


def changeable(text: str) -> bool:
    """Whether a spreadsheet may make a formula, a number, a date or a truth value of a text."""
    figure = len(text) <= SHORT and any(map(str.isdigit, text)) and len(WORD.findall(text)) <= 1
    return bool(FORMULA.match(text)) or figure or text.strip().lower() in {"true", "false"}


def cell_text(text: str) -> str:
    """The text of a cell, without the apostrophe that protected it."""
    return text[1:] if text.startswith("'") and changeable(text[1:]) else text


# ------------------------------------------------------------------------------------------------------------ in


def from_jsonl(text: str) -> Iterator[Row]:
    """Each line that is not empty."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield from_object(number, line)


def from_object(number: int, line: str) -> Row:
    """One line of JSON."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        return Row(number, fault=f"the line is not JSON ({error}): mend it, or export again")
    if not isinstance(value, dict):
        return Row(number, fault="the line is not a JSON object: mend it, or export again")
    return row(number, {name.strip().lower(): as_text(part) for name, part in value.items()})


def as_text(value: Any) -> str:
    """A JSON value as the text that stands for it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def from_csv(text: str) -> Iterator[Row]:
    """Each row of a table as text that is not empty, whatever parts its cells."""
    # Python refuses longer cells than 128 kB by itself; what was written must be readable.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    if told := SEPARATOR_LINE.match(text):
        # The line counts: rows are numbered as the program that shows them numbers them.
        reader = csv.reader(StringIO(f"\n{text[told.end() :]}", newline=""), delimiter=told[1], strict=True)
    else:
        reader = csv.reader(StringIO(text, newline=""), delimiter=separator_of(text), strict=True)
    try:
        yield from from_table(enumerate(reader, 1))
    except csv.Error as error:
        message = f"line {reader.line_num}: not a table ({error}): mend it, or save it as CSV again"
        raise UsageError(message) from error


def separator_of(text: str) -> str:
    """What parts the names of the columns into most."""

    def count_names(separator: str) -> int:
        try:
            rows = islice(csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True), HEAD_MOST)
            return max((len(cells) for cells in rows if is_header(cells)), default=0)
        except csv.Error:
            return 0

    return max(SEPARATORS, key=count_names)


def from_sheets(sheets: Mapping[str, Iterable[Numbered]], own: str, text: Text) -> Iterator[Row]:
    """Each row that is not empty of the sheet with cards, wherever it stands among others.

    Raises `UsageError` where none has cards, or several: whether one is a copy, nobody can tell.
    """
    heads = {
        name: any(is_header(list(map(text, cells))) for _, cells in islice(rows, HEAD_MOST))
        for name, rows in sheets.items()
    }
    found = [name for name, has_head in heads.items() if has_head]
    if len(found) > 1:
        names = " and ".join(map(repr, found))
        message = f"the sheets {names} all have a column {KEY!r}: leave only one of them in the file"
        raise UsageError(message)
    chosen = found[0] if found else own if own in sheets else next(iter(sheets))
    yield from from_table(sheets[chosen], text)


def from_table(rows: Iterable[Numbered], text: Text = str) -> Iterator[Row]:
    """Each row that is not empty, under the names of the first row that has them; `text` reads a cell."""
    remaining = iter(rows)
    first = list(islice(remaining, HEAD_MOST))
    place = next((n for n, (_, cells) in enumerate(first) if is_header(list(map(text, cells)))), 0)
    names = header(map(text, first[place][1] if first else ()))
    for number, values in chain(first[place + 1 :], remaining):
        given = {name: cell_text(text(value)) for name, value in zip(names, values, strict=False)}
        if any(map(str.strip, given.values())):
            changed = frozenset(name for name, value in zip(names, values, strict=False) if is_changed(value))
            yield replace(row(number, given), changed=changed)


def is_header(cells: Sequence[str]) -> bool:
    """Whether these are the names of columns."""
    return KEY in map(str.lower, map(str.strip, cells)) and sum(map(bool, map(str.strip, cells))) > 1


def is_changed(value: object) -> bool:
    """Whether a spreadsheet has made a date, a time or an error of what somebody typed, which is lost."""
    return value in ERRORS if isinstance(value, str) else not isinstance(value, int | float | None)


def header(cells: Iterable[str]) -> list[str]:
    """The names of the columns; raises `UsageError` where there is no key, or a name is there twice."""
    names = [cell.strip().lower() for cell in cells]
    if any(name.startswith(MISREAD_MARK) for name in names):
        message = "a program has read it in another encoding than UTF-8: open the export as UTF-8 there, and save again"
        raise UsageError(message)
    if KEY not in names:
        message = (
            f"no column {KEY!r} in its first row, nor in the {HEAD_MOST - 1} below: it says which card a row is about; "
            "export again"
        )
        raise UsageError(message)
    if twice := [name for name in names if name and names.count(name) > 1]:
        message = f"the column {twice[0]!r} is there twice: remove one"
        raise UsageError(message)
    return names


def row(number: int, given: Mapping[str, str]) -> Row:
    """What a row says, under the names of its columns."""
    key, reviewer = given.get(KEY, "").strip(), given.get(REVIEWER, "").strip()
    if not key:
        return Row(number, fault="no key: the column 'key' says which card is meant; copy it from the export")
    if re.search("[\ud800-\udfff]", "".join(given.values())):
        fault = "it holds half a character, which no file can store: type that text again"
        return Row(number, key, fault=fault)
    return Row(number, key, given, reviewer)
