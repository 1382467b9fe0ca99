"""Which query begins next: cells of intents and categories, filled evenly, each over the event types of its category.

The sources of a cell are a row: from each event type in turn one passage (or one document, for intents that take
summaries), none twice. So a cell of 200 queries does not hold 200 of one event type, and what a refill draws on was
not drawn on before. A row that ends leaves slots empty: the report says so.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.source import Sources
from benchwright.pipelines.retrieval.intents import Category, Intent

WHOLE = 0  # in the place of a passage's number: the document as a whole


@dataclass(frozen=True, slots=True)
class Cell:
    """The queries of one intent in one category."""

    intent: Intent
    category: Category


@dataclass(frozen=True, slots=True)
class Origin:
    """What a query is written from: a document by its place among all, and a passage by its number from 1 on."""

    document: int
    passage: int


class Rows:
    """The rows of all categories: eight bytes for each passage."""

    def __init__(self, sources: Sources, categories: Sequence[Category], seed: int) -> None:
        """Read each document once."""
        found: dict[tuple[str, str, bool], array[int]] = {}
        for place, outline in enumerate(sources):
            body = outline.body or {}
            key = (body.get("category", ""), body.get("event", ""))
            row = found.setdefault((*key, False), array("Q"))
            row.extend(place << 24 | number for number in range(1, len(body.get("passages", ())) + 1))
            if body.get("summary"):
                found.setdefault((*key, True), array("Q")).append(place << 24 | WHOLE)
        self._rows = {
            (category.name, whole): interleaved(
                [found.get((category.name, e, whole), ()) for e in category.events], seed
            )
            for category in categories
            for whole in (False, True)
        }

    def origin(self, cell: Cell, number: int) -> Origin | None:
        """The origin at a place of a cell's row; None behind its end."""
        row = self._rows[cell.category.name, cell.intent.table.takes == "summary"]
        return Origin(row[number] >> 24, row[number] & 0xFFFFFF) if number < len(row) else None


def interleaved(rows: Sequence[Sequence[int]], seed: int) -> "array[int]":
    """One of each row in turn, each row and the rows among themselves in a seeded order."""
    order = seeded_shuffle(range(len(rows)), seed, "events")
    shuffled = [seeded_shuffle(rows[n], seed, "origins", n) for n in order if rows[n]]
    found = array("Q")
    for turn in range(max(map(len, shuffled), default=0)):
        found.extend(row[turn] for row in shuffled if turn < len(row))
    return found


def cells(intents: Sequence[Intent], categories: Sequence[Category]) -> tuple[Cell, ...]:
    """Every cell, the intents of one category after the other."""
    return tuple(Cell(intent, category) for category in categories for intent in intents)


def cell_of(slot: int, every: Sequence[Cell]) -> tuple[Cell, int]:
    """The cell of a slot and its turn within it: all cells grow together."""
    return every[slot % len(every)], slot // len(every)
