"""The human queue as a file: written for people and their spreadsheets, read back whatever these did to it."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from io import StringIO
from typing import Any

from benchwright.domain.opinion import DECISIONS, EDIT
from benchwright.errors import UsageError

NEEDED = ("key", "decision")
READ = (*NEEDED, "wording", "reason", "reviewer", "option")
SEPARATORS = ",;\t"
SHORT = 24  # characters: longer texts, and those of several words, are no number and no date to any spreadsheet
WORD = re.compile(r"[^\W\d_]+")
FORMULA = re.compile(r"[\t\r\n]|\s*[-=+@'\uff0b\uff0d\uff1d\uff20]")  # with their full-width forms


@dataclass(frozen=True, slots=True)
class Card:
    """One option that waits for people, with what a decision needs; the last four fields are theirs to fill."""

    key: str  # the item's id, a slash, the option's id
    question: str
    option: str
    claim: str
    evidence: str
    votes: tuple[str, ...]
    others: tuple[str, ...]
    document: str
    title: str
    item: str
    option_id: str
    decision: str = ""
    wording: str = ""
    reason: str = ""
    reviewer: str = ""


COLUMNS = tuple(field.name for field in fields(Card))
AS_THEY_ARE = ("key", "item", "option_id")  # made of hexadecimal digits: no spreadsheet is asked to spare them


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a file that came back. `decision` is one of `DECISIONS` or "" (undecided), `wording` an edit's.

    `line` is the line of a .jsonl file, the row of a table; `option` is the option's text in the file, None where it
    has none; `fault` says why the row cannot be used.
    """

    line: int
    key: str = ""
    decision: str = ""
    reason: str = ""
    reviewer: str = ""
    option: str | None = None
    fault: str = ""
    wording: str = ""

    @property
    def touched(self) -> bool:
        """Whether someone has written into it, as far as can be told."""
        return any((self.decision, self.wording, self.reason, self.reviewer, self.fault))


# ----------------------------------------------------------------------------------------------------------- out


def as_jsonl(cards: Iterable[Any]) -> str:
    """One object a line."""
    return "".join(json.dumps(asdict(card), ensure_ascii=False) + "\n" for card in cards)


def as_csv(cards: Iterable[Any], kind: type = Card) -> str:
    """A table of cards, or of another dataclass, with the mark by which spreadsheets know UTF-8."""
    out = StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows(table(cards, kind))
    return "\ufeff" + out.getvalue()


def table(cards: Iterable[Any], kind: type = Card) -> Iterator[list[str]]:
    """The rows of a table, the names of its columns first."""
    yield [field.name for field in fields(kind)]
    for card in cards:
        yield [cell(name, value) for name, value in asdict(card).items()]


def cell(name: str, value: str | Sequence[str]) -> str:
    """A field as a cell; where a spreadsheet could make something else of it, an apostrophe protects it."""
    text = value if isinstance(value, str) else "\n".join(value)
    return f"'{text}" if name not in AS_THEY_ARE and changeable(text) else text


def changeable(text: str) -> bool:
    """Whether a spreadsheet may make a formula, a number, a date or a truth value of a text."""
    figure = len(text) <= SHORT and any(map(str.isdigit, text)) and len(WORD.findall(text)) <= 1
    return bool(FORMULA.match(text)) or figure or text.strip().lower() in {"true", "false"}


def restored(text: str) -> str:
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
    return row(number, {name.strip().lower(): as_text(field) for name, field in value.items()})


def as_text(value: Any) -> str:
    """A JSON value as the text that stands for it."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def from_csv(text: str) -> Iterator[Row]:
    """Each row that is not empty, under the names of the first."""
    # Python refuses longer cells than 128 kB by itself; what was written must be readable.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    first = re.split(r"[\r\n]", text, maxsplit=1)[0]
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        yield from from_table(reader)
    except csv.Error as error:
        message = f"line {reader.line_num}: not a table ({error}): mend it, or save it as CSV again"
        raise UsageError(message) from error


def from_table(rows: Iterator[list[str]]) -> Iterator[Row]:
    """Each row that is not empty, under the names of the first."""
    names = header(next(rows, []))
    for number, cells in enumerate(rows, 2):
        if any(map(str.strip, cells)):
            yield row(number, dict(zip(names, map(restored, cells), strict=False)))


def header(cells: Iterable[str]) -> list[str]:
    """The names of the columns; raises `UsageError` where one that is needed is missing, or is there twice."""
    names = [cell.strip().lower() for cell in cells]
    if missing := [name for name in NEEDED if name not in names]:
        message = f"no column {' and no '.join(map(repr, missing))} in its first row: wanted are {', '.join(COLUMNS)}"
        raise UsageError(message)
    if twice := [name for name in READ if names.count(name) > 1]:
        message = f"the column {twice[0]!r} is there twice: remove one"
        raise UsageError(message)
    return names


def row(number: int, said: Mapping[str, str]) -> Row:
    """What a row says, under the names of its columns."""
    key, reviewer = said.get("key", "").strip(), said.get("reviewer", "").strip()
    decision, reason, option = said.get("decision", ""), said.get("reason", ""), said.get("option")
    word = "_".join(decision.lower().split())
    found = Row(number, key, word, reason, reviewer, option, wording=said.get("wording", "").strip())
    return Row(number, key, fault=fault) if (fault := fault_of(found, decision)) else found


def fault_of(found: Row, decision: str) -> str:
    """What keeps a row from being used; "" for nothing."""
    if not found.key:
        return "no key: the column 'key' says which option is meant; copy it from the export"
    if found.decision and found.decision not in DECISIONS:
        return f"decision {decision!r} is none of {', '.join(DECISIONS)}: write one of these, or nothing"
    if (found.decision == EDIT) != bool(found.wording):
        return "'edit' needs the new text in the column 'wording', and only 'edit' has one: fill in both or neither"
    if re.search("[\ud800-\udfff]", f"{found.key}{found.reason}{found.reviewer}{found.option}{found.wording}"):
        return "it holds half a character, which no file can store: type that text again"
    return ""
