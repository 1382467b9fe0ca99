"""The documents of a campaign: each file admitted, or refused with a reason."""

import json
import sqlite3
from dataclasses import asdict, dataclass
from typing import Any

from benchwright.domain.document import Document, Outline, Section, Span, View, outline
from benchwright.domain.ids import canonical
from benchwright.errors import NotFound
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
    connection.execute(SQL["add"], values)


def refuse(connection: sqlite3.Connection, name: str, reason: str) -> None:
    """Record why a file is no document of the campaign."""
    nothing = dict.fromkeys(("id", "body", "sections", "masked", "titles", "notes"))
    connection.execute(SQL["add"], {"name": name, "reason": reason, **nothing})


def forget(connection: sqlite3.Connection) -> None:
    """Strike the files that were refused off the record, so that they are read again."""
    connection.execute(SQL["forget"])


def get(connection: sqlite3.Connection, name: str) -> tuple[Document, View]:
    """A document by id, and its view."""
    row = connection.execute(SQL["get"], {"id": name}).fetchone()
    if row is None:
        message = f"there is no document {name} in this campaign"
        raise NotFound(message)
    return restored(json.loads(row[0])), view_of(name, *row[1:])


def view_of(name: str, sections: str, masked: str | None) -> View:
    """A document's view from its two lists; documents of before there were masks have only one."""
    return View(name, tuple(json.loads(sections)), tuple(json.loads(masked or "[]")))


def restored(body: dict[str, Any]) -> Document:
    """A document from its JSON."""
    sections = tuple(
        Section(part["title"], part["kind"], tuple(Span(**span) for span in part["sentences"]))
        for part in body["sections"]
    )
    return Document(**body | {"sections": sections, "notes": tuple(body["notes"])})


def outlines(connection: sqlite3.Connection) -> tuple[Outline, ...]:
    """The outlines of all admitted documents, in the order of the corpus."""
    rows = connection.execute(SQL["outlines"])
    return tuple(Outline(view_of(name, *lists), tuple(json.loads(titles))) for name, titles, *lists in rows)


def listed(connection: sqlite3.Connection) -> tuple[Listed, ...]:
    """Every file and what became of it."""
    rows = connection.execute(SQL["listed"])
    return tuple(Listed(name, doc, reason, tuple(json.loads(notes or "[]"))) for name, doc, reason, notes in rows)
