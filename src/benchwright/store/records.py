"""The records of a campaign, from files of one record a line."""

import json
import sqlite3
from collections.abc import Sequence

from benchwright.domain.ids import canonical
from benchwright.domain.source import Record
from benchwright.errors import NotFound
from benchwright.store.queries import load

SQL = load("records")

Line = tuple[int, Record | str]  # the number of a line, and its record or the reason why it is none


def drop_unfinished(connection: sqlite3.Connection) -> None:
    """Remove what there is of files that were not read to their ends.

    To be called before any other file is read: then theirs are the last records, and all others stay without a gap.
    """
    for statement in ("drop_records", "drop_refused", "drop_files"):
        connection.execute(SQL[statement])


def begin_file(connection: sqlite3.Connection, name: str) -> int:
    """The number of a file that is read from its beginning."""
    return connection.execute(SQL["begin_file"], {"name": name}).lastrowid or 0


def end_file(connection: sqlite3.Connection, file: int) -> None:
    """Record that a file was read to its end."""
    connection.execute(SQL["end_file"], {"file": file})


def ended_files(connection: sqlite3.Connection) -> set[str]:
    """The names of the files that were read to their ends."""
    return {name for (name,) in connection.execute(SQL["ended_files"])}


def forget(connection: sqlite3.Connection) -> None:
    """Strike all files off the record, of which no line could be used, so that they are read again."""
    connection.execute(SQL["forget_refused"])
    connection.execute(SQL["forget_files"])


def take(connection: sqlite3.Connection, file: int, lines: Sequence[Line]) -> None:
    """Take lines of a file in; one whose fields are there already is refused."""
    for number, found in lines:
        reason = found if isinstance(found, str) else admit(connection, file, number, found)
        if reason:
            connection.execute(SQL["refuse"], {"file": file, "line": number, "reason": reason})


def admit(connection: sqlite3.Connection, file: int, line: int, record: Record) -> str:
    """Take a record in; the reason where the same is there under another name."""
    notes = canonical(record.notes) if record.notes else None
    values = {"id": record.id, "file": file, "line": line, "body": canonical(record.fields), "notes": notes}
    if connection.execute(SQL["add"], values).rowcount:
        return ""
    return f"the same record as {name_of(connection, record.id)}"


def name_of(connection: sqlite3.Connection, record: str) -> str:
    """`FILE:LINE` of a record."""
    name, line = connection.execute(SQL["name"], {"id": record}).fetchone()
    return f"{name}:{line}"


def get(connection: sqlite3.Connection, record: str) -> Record:
    """A record by its id."""
    row = connection.execute(SQL["get"], {"id": record}).fetchone()
    if row is None:
        message = f"there is no record {record} in this campaign"
        raise NotFound(message)
    name, line, body, notes = row
    return Record(f"{name}:{line}", json.loads(body), tuple(json.loads(notes or "[]")))


def count(connection: sqlite3.Connection) -> int:
    """How many records there are."""
    number: int = connection.execute(SQL["count"]).fetchone()[0]
    return number


def count_refused(connection: sqlite3.Connection) -> int:
    """How many lines were refused."""
    number: int = connection.execute(SQL["count_refused"]).fetchone()[0]
    return number


def refused_lines(connection: sqlite3.Connection, most: int) -> dict[str, str]:
    """The first refused lines, each under `FILE:LINE` with its reason."""
    rows = connection.execute(SQL["refused"], {"most": most})
    return {f"{name}:{line}": reason for name, line, reason in rows}
