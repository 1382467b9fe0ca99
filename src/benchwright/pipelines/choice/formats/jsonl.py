"""The set as JSON Lines: a flat table to test models with, one of how each item came about, one of the documents.

The first is all that a test taker may see, and the key. Whatever would lead a model - labels, votes, reasons - stands
in another file.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchwright.domain.jsonl import json_line
from benchwright.pipelines import source_texts
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.formats import provenance
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.kind import ColumnType, Finished, Kept, Subset
from benchwright.pipelines.source_texts import TEXTS, text_lines

DATA, PROVENANCE = "items.jsonl", "provenance.jsonl"
SPLIT = "test"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
COLUMNS: Mapping[str, ColumnType] = {
    "id": "string",
    "context": "string",
    "question": "string",
    "choices": ["string"],
    "answer": "string",
    "split": "string",
}
ABOUT = f"""\
- `items.jsonl` is the table to test models with, one item a line: `context` is what the reader of the item gets to see,
  with its sentences numbered; `question`; `choices` in the order to show them, the first one A; `answer` the letters of
  all correct choices, such as `AC`, empty where none is right; `split`. It holds nothing that leads to the answer.
{provenance.ABOUT}
{source_texts.ABOUT}
- `load_dataset(FOLDER, "items")` of the library `datasets` loads the first of them; `"provenance"` and `"documents"`
  are the others."""


class JsonLines:
    """Such files."""

    about = ABOUT
    subsets = (
        Subset("items", {SPLIT: DATA}, COLUMNS),
        Subset("provenance", {SPLIT: PROVENANCE}, provenance.COLUMNS),
        Subset("documents", {SPLIT: TEXTS}, source_texts.COLUMNS),
    )

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The three files."""
        return {
            DATA: (json_line(row(item)) for item in found.items()),
            PROVENANCE: (json_line(provenance.record(item, found.campaign)) for item in found.items()),
            TEXTS: text_lines(found),
        }


def row(kept: Kept) -> dict[str, Any]:
    """An item as a test taker gets it, with the key."""
    body: Body = kept.item.body  # type: ignore[assignment] # a kept item has one
    return {
        "id": kept.item.id,
        "context": kept.sources[0].text,
        "question": body.question.question,
        "choices": [one.text for one in body.options_in_item],
        "answer": "".join(right_letters(body)),
        "split": SPLIT,
    }


def right_letters(body: Body) -> Iterator[str]:
    """The letters of the correct options."""
    for letter, one in zip(LETTERS, body.options_in_item, strict=False):
        if one.label == CORRECT:
            yield letter
