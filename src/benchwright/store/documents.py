"""The documents of a campaign: each file admitted, or refused with a reason."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from benchwright.domain.document import Document, Section, Span, View
from benchwright.domain.ids import canonical
from benchwright.domain.source import Outline, outline
from benchwright.errors import NotFound
from benchwright.store.digests import digest
from benchwright.store.queries import load

SQL = load("documents")


@dataclass(frozen=True, slots=True)
class Listed:
    """One file of the corpus; `reason` says why it was refused, `notes` what its reader had to mend."""

    name: str
    id: str | None
    reason: str | None
    notes: tuple[str, ...] = ()


def admit(connection: sqlite3.Connection, document: Document, view: View) -> None:
    """Take a document in; the same bytes under a second name are refused with a reason."""
    if (same := connection.execute(SQL["same"], {"id": document.id}).fetchone()) and same[0] != document.name:
        refuse(connection, document.name, f"the same bytes as {same[0]}")
        return
    values = {
        "name": document.name,
        "id": document.id,
        "reason": None,
        "body": canonical(asdict(document)),
        "sections": canonical(view.sections),
        "masked": canonical(view.masked),
        "titles": canonical(outline(document, view).titles),
        "notes": canonical(document.notes),
    }
    seal = digest(*(values[name] for name in ("name", "id", "body", "sections", "masked", "titles", "notes")))
    connection.execute(SQL["add"], values | {"digest": seal})


def refuse(connection: sqlite3.Connection, name: str, reason: str) -> None:
    """Record why a file is no document of the campaign."""
    nothing = dict.fromkeys(("id", "body", "sections", "masked", "titles", "notes", "digest"))
    connection.execute(SQL["add"], {"name": name, "reason": reason, **nothing})


def forget(connection: sqlite3.Connection) -> None:
    """Strike the files that were refused off the record, so that they are read again."""
    connection.execute(SQL["forget"])


def sizes(connection: sqlite3.Connection) -> list[tuple[str, int]]:
    """The ids of the admitted documents, with the lengths of their texts in characters."""
    return list(connection.execute(SQL["sizes"]))


def text_of(connection: sqlite3.Connection, name: str) -> str:
    """The text of the document with this id."""
    text: str = connection.execute(SQL["text"], {"id": name}).fetchone()[0]
    return text


def leave_out(connection: sqlite3.Connection, reasons: Mapping[str, str]) -> None:
    """Refuse admitted documents after all, each by its id with its reason; the others move up."""
    for name, reason in reasons.items():
        connection.execute(SQL["leave_out"], {"id": name, "reason": reason})
    connection.execute(SQL["clear_places"])
    connection.execute(SQL["set_places"])


def forget_alike(connection: sqlite3.Connection, reason: str) -> None:
    """Strike the files that were refused with reasons that begin like this off the record."""
    connection.execute(SQL["forget_alike"], {"reason": reason})


def get(connection: sqlite3.Connection, name: str) -> tuple[Document, View]:
    """A document by id, and its view."""
    row = connection.execute(SQL["get"], {"id": name}).fetchone()
    if row is None:
        message = f"there is no document {name} in this campaign"
        raise NotFound(message)
    return parse_document(json.loads(row[0])), view_of(name, *row[1:])


def view_of(name: str, sections: str, masked: str | None) -> View:
    """A document's view from its two lists; documents of before there were masks have only one."""
    return View(name, tuple(json.loads(sections)), tuple(json.loads(masked or "[]")))


def parse_document(body: dict[str, Any]) -> Document:
    """A document from its JSON."""
    sections = tuple(
        Section(part["title"], part["kind"], tuple(Span(**span) for span in part["sentences"]))
        for part in body["sections"]
    )
    return Document(**body | {"sections": sections, "notes": tuple(body["notes"])})


def outline_at(connection: sqlite3.Connection, place: int) -> Outline:
    """The outline of the admitted document at a place (from 0 on, in the order of the corpus)."""
    name, titles, *lists = connection.execute(SQL["outline"], {"place": place}).fetchone()
    return Outline(view_of(name, *lists), tuple(json.loads(titles)))


def count(connection: sqlite3.Connection) -> int:
    """How many documents were admitted."""
    number: int = connection.execute(SQL["count"]).fetchone()[0]
    return number


def count_refused(connection: sqlite3.Connection) -> int:
    """How many files were refused."""
    number: int = connection.execute(SQL["count_refused"]).fetchone()[0]
    return number


def refused_files(connection: sqlite3.Connection, most: int) -> dict[str, str]:
    """The first refused files, each with its reason."""
    return dict(connection.execute(SQL["refused"], {"most": most}).fetchall())


def noted_files(connection: sqlite3.Connection, most: int) -> dict[str, tuple[str, ...]]:
    """The first admitted files of which their reader had something to say, each with that."""
    rows = connection.execute(SQL["noted"], {"most": most})
    return {name: tuple(json.loads(notes)) for name, notes in rows}


def count_noted(connection: sqlite3.Connection) -> int:
    """How many admitted files their reader had something to say of."""
    number: int = connection.execute(SQL["count_noted"]).fetchone()[0]
    return number


def names(connection: sqlite3.Connection) -> set[str]:
    """The names of all files, admitted or refused."""
    return {name for (name,) in connection.execute(SQL["names"])}


def name_of(connection: sqlite3.Connection, document: str) -> str:
    """The name of the file that a document was read from."""
    name: str = connection.execute(SQL["same"], {"id": document}).fetchone()[0]
    return name


def list_files(connection: sqlite3.Connection) -> tuple[Listed, ...]:
    """Every file and what became of it."""
    rows = connection.execute(SQL["listed"])
    return tuple(Listed(name, doc, reason, tuple(json.loads(notes or "[]"))) for name, doc, reason, notes in rows)
