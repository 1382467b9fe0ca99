"""What items are about: the corpus by place, and the name under which people know a source."""

import json
import sqlite3
from collections.abc import Iterator

from benchwright.domain.document import Document, Reading, View, read_out
from benchwright.domain.source import (
    About,
    Content,
    ItemRef,
    Outline,
    Passage,
    RecordRef,
    Ref,
    as_reading,
    each_source,
    passage_reading,
    view_of,
)
from benchwright.store import documents, phases, records

NO_SOURCE = "no source"  # of an item about nothing: it holds all that it is about
SHORT = 10  # digits of an item's id by which people know it


class Corpus:
    """The admitted documents, then the records, in the order in which they were taken in: one is read at a time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._documents = documents.count(connection)
        self._count = self._documents + records.count(connection)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Outline]:
        return (self[place] for place in range(len(self)))

    def __getitem__(self, place: int, /) -> Outline:
        if not 0 <= place < self._count:
            raise IndexError(place)
        if place < self._documents:
            return documents.outline_at(self._connection, place)
        values = {"place": place - self._documents + 1}
        name, body = self._connection.execute(records.SQL["at"], values).fetchone()
        return Outline(RecordRef(name), body=json.loads(body))


def name_of(connection: sqlite3.Connection, about: About) -> str:
    """What an item is about, as people know it: the names of its sources, joined; words for none."""
    return " + ".join(source_name(connection, source) for source in each_source(about)) or NO_SOURCE


def source_name(connection: sqlite3.Connection, source: Ref) -> str:
    """The name of a source: a file, a line of one, or the id of an item."""
    match source:
        case RecordRef():
            return records.name_of(connection, source.record)
        case ItemRef():
            return f"item {source.item[:SHORT]}"
    return documents.name_of(connection, view_of(source).document)


def content(connection: sqlite3.Connection, about: About) -> Content:
    """What is shown of what an item is about."""
    match about:
        case tuple():
            return tuple(content(connection, source) for source in about)
        case View():
            return reading(connection, about)
        case Passage():
            return passage_reading(reading(connection, about.view), about)
        case RecordRef():
            return records.get(connection, about.record).fields
    return phases.item_body(connection, about.item)


def reading(connection: sqlite3.Connection, view: View) -> Reading:
    """A view of a document, read out."""
    document, _ = documents.get(connection, view.document)
    return read_out(document, view)


def of_item(connection: sqlite3.Connection, about: About) -> tuple[Document, Reading]:
    """What an item is about, with its reading: of a passage the document in which it stands.

    Other sources than a document stand in for one by name and text.
    """
    if isinstance(about, View | Passage):
        view = view_of(about)
        document, _ = documents.get(connection, view.document)
        return document, read_out(document, view)
    found = as_reading(content(connection, about))
    return Document("", name_of(connection, about), found.title, found.text, ()), found
