"""What people have said so far, card by card: decisions, reviewers, times, reasons, and what was hidden before them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchwright.domain.opinion import author_of_word, fold_name, standing_opinions
from benchwright.review import sheet, workbook
from benchwright.review.cases import Case, Desk, Part, case, waiting_parts, words
from benchwright.review.exchange import cells
from benchwright.review.sheet import Cell
from benchwright.store import reviews
from benchwright.store.database import Connection
from benchwright.store.reviews import Word

MARKS = ("key", "status", "opinions")  # columns by which such a file is known
FORMS = (".jsonl", ".csv", ".xlsx")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A card that people have spoken about.

    `status` is `decided`, `waiting` for further opinions or in `conflict`; `holds` is what holds, by column. In JSON
    `opinions` are objects; their `at` is UTC, their `seconds` are how long the card lay before the person, where that
    is known. `shown` is what the card shows, what was hidden too, and what its pipeline notes.
    """

    key: str
    status: str
    holds: Mapping[str, str]
    opinions: tuple[Mapping[str, Any], ...]
    shown: Mapping[str, Cell]
    item_state: str

    @property
    def row(self) -> dict[str, Any]:
        """The card by columns."""
        said = {"key": self.key, "status": self.status, **self.holds, "opinions": self.opinions}
        return (
            said
            | {name: value for name, value in self.shown.items() if name not in said}
            | {"item_state": self.item_state}
        )


def reviewed_parts(connection: Connection, desk: Desk) -> Iterator[Reviewed]:
    """Every card that somebody's opinion stands on, in the order of the first words about them."""
    found: dict[Part, list[Word]] = {}
    for part, word in words(connection, desk):
        found.setdefault(part, []).append(word)
    times, left = reviews.times(connection), waiting_parts(connection, desk)
    for part, said in found.items():
        if standing_opinions(word.answer for word in said) and (one := case(connection, desk, part)):
            yield entry(one, said, times, owed=part in left)


def entry(one: Case, said: Sequence[Word], times: dict[tuple[int, str, str], float], *, owed: bool) -> Reviewed:
    """One card."""
    holds = None if owed else one.outcome.holds
    values = holds.values if holds else {}
    return Reviewed(
        key=one.name,
        status=("conflict" if one.conflict else "waiting") if owed else "decided",
        holds={put.column_name: str(values.get(put.name) or "") for put in one.card.inputs if put.required},
        opinions=tuple(opinions(one, said, times)),
        shown=cells(one, decided=True) | dict(one.card.notes),
        item_state=one.item.state,
    )


def opinions(one: Case, said: Sequence[Word], times: dict[tuple[int, str, str], float]) -> Iterator[dict[str, Any]]:
    """The opinions that stand, each with when it was given and how long it took."""
    at = {fold_name(word.answer.by): word.at for word in said}
    folded = {(item, about, fold_name(who)): seconds for (item, about, who), seconds in times.items()}
    place = one.folder.desk.place(one.part)
    for heard in standing_opinions(word.answer for word in said):
        by = author_of_word(heard.who, heard.word - 1)
        seconds = folded.get((*place, by))
        yield heard.json() | {"at": at[by], "seconds": None if seconds is None else round(seconds, 1)}


def line(one: Mapping[str, Any]) -> str:
    """An opinion on a line of its own."""
    beside = ("by", "decision", "reason", "text", "at", "seconds", "first")
    values = [f"{name} {value}" for name, value in one.items() if name not in beside and value not in {"", None}]
    word = " ".join(filter(None, (str(one.get("decision", "")).replace("_", " "), ", ".join(values))))
    wording = f" to {one['text']!r}" if one.get("text") else ""
    first = f" (first {one['first']})" if one.get("first") else ""
    took = f", {one['seconds']:.0f} s" if one["seconds"] is not None else ""
    return f"{one['by']} says {word}{wording}{first} ({one['at']}{took}): {one.get('reason', '')}".removesuffix(": ")


def make(found: Sequence[Reviewed], suffix: str) -> bytes:
    """The file: .jsonl, .csv or .xlsx."""
    rows = [one.row for one in found]
    if suffix == ".jsonl":
        return sheet.as_jsonl(rows).encode()
    lines = [row | {"opinions": tuple(map(line, row["opinions"]))} for row in rows]
    names = list(dict.fromkeys(["key", "status", *(name for row in lines for name in row)]))
    if suffix == ".csv":
        return sheet.as_csv(lines, names).encode()
    return workbook.make(sheet.table(lines, names))
