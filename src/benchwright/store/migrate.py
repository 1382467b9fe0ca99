"""Migrations: numbered `.sql` files, each applied once in a transaction together with the record that it was."""

import sqlite3
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from benchwright.errors import StoreRefused

APPLICATION = 0x42574348  # "BWCH"


def scripts() -> list[tuple[int, str]]:
    """The migrations in order, each with its number."""
    found = sorted(
        entry.name for entry in files(__package__).joinpath("migrations").iterdir() if entry.name[0].isdigit()
    )
    return [(int(name[:4]), files(__package__).joinpath("migrations", name).read_text("utf-8")) for name in found]


def newest() -> int:
    """The number of the last migration."""
    return scripts()[-1][0]


def refuse_strange(connection: sqlite3.Connection, path: Path | None) -> None:
    """Raise `StoreRefused` for a database that another program, or a newer Benchwright, has made."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if tables and application != APPLICATION:
        message = f"{path} is a database of another program: name another file"
        raise StoreRefused(message)
    known = newest()
    if version > known:
        message = f"{path} was made by a newer Benchwright (schema {version}, this one knows {known}): upgrade first"
        raise StoreRefused(message)


def up(connection: sqlite3.Connection) -> None:
    """Apply what is missing, each migration in a transaction of its own.

    A table is built anew under its old name by the procedure that SQLite recommends: foreign keys are not enforced
    meanwhile, and all of them are checked before the commit. Raises `StoreRefused` where one would lead nowhere.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    missing = [(number, script) for number, script in scripts() if number > version]
    if not missing:
        return
    enforced = connection.execute("PRAGMA foreign_keys").fetchone()[0]
    connection.execute("PRAGMA foreign_keys = OFF")
    try:
        for number, script in missing:
            apply(connection, number, script)
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute(f"PRAGMA foreign_keys = {enforced}")


def apply(connection: sqlite3.Connection, number: int, script: str) -> None:
    """Apply one migration together with the record that it was, unless another process has done so meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] < number:
        for statement in statements(script):  # executescript would commit first
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {number}")
        if lost := connection.execute("PRAGMA foreign_key_check").fetchall():
            message = (
                f"{len(lost)} rows refer to rows that do not exist, first in {lost[0][0]}: the database is damaged"
            )
            raise StoreRefused(message)
    connection.execute("COMMIT")


def statements(script: str) -> Iterator[str]:
    """The statements of a script, each with the comments before it."""
    begun = ""
    for line in script.splitlines(keepends=True):
        begun += line
        if sqlite3.complete_statement(begun):
            yield begun
            begun = ""
    yield begun  # what is left: a comment, or an error that must be seen
