"""The texts that the items of a set are made of, as a table that any kind may export."""

from collections.abc import Iterator

from benchwright.domain.jsonl import json_line
from benchwright.pipelines.kind import ColumnType, Finished, Source

TEXTS = "documents.jsonl"
COLUMNS: dict[str, ColumnType] = dict.fromkeys(
    ("id", "sort", "name", "title", "doi", "licence", "language", "text"), "string"
)
ABOUT = """\
- `documents.jsonl` holds one source a line: the documents (`sort` is `document`), records and items that the items are
  made of. The `text` of a document is the text as it was stored, whole, with parts that no reader of an item sees. In
  it stands each piece of evidence of that document, from character `start` (counted from 0) to before `end`."""


def text_lines(found: Finished) -> Iterator[str]:
    """Each source once, in the order in which items first use it."""
    seen: set[str] = set()
    for kept in found.items():
        for source in kept.sources:
            if source.id not in seen:
                seen.add(source.id)
                yield json_line(row(source))


def row(source: Source) -> dict[str, str]:
    """A source as a row."""
    return {name: getattr(source, name) for name in COLUMNS} | {"text": source.stored or source.text}
