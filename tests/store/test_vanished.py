"""A database that vanishes under its writer, that lies in its log alone, that is copied, or that meets a full disk."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from benchwright.errors import DiskFull, StoreFailed, StoreRefused, Vanished
from benchwright.store import database as module
from benchwright.store import faults, files
from benchwright.store.backup import copy_whole
from benchwright.store.connection import on
from benchwright.store.database import Database, Rank
from benchwright.store.faults import refusal, translate_failure
from benchwright.store.files import log_of


def note(body: str) -> Callable[[sqlite3.Connection], None]:
    def operation(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (body TEXT)")
        connection.execute("INSERT INTO notes VALUES (?)", (body,))

    return operation


def notes(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [body for (body,) in connection.execute("SELECT body FROM notes ORDER BY rowid")]


def remove_all(path: Path) -> None:
    for one in path.parent.glob("c.db*"):
        one.unlink()


def move_away(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def replace_by_copy(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def remove_log(path: Path) -> None:
    log_of(path).unlink()


def remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("vanish", [remove_all, move_away, replace_by_copy, remove_log, remove_folder])
async def test_a_database_that_vanishes_takes_no_more_claims_and_saves_what_was_paid_for(
    tmp_path: Path, vanish: Callable[[Path], None]
) -> None:
    path = tmp_path / "folder" / "c.db"
    path.parent.mkdir()
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        vanish(path)
        told, _ = await asyncio.gather(
            database.write(note("claim"), Rank.CLAIM), database.write(note("paid"), Rank.PAID), return_exceptions=True
        )
        assert isinstance(told, Vanished)
        assert "c.db.rescued" in str(told)
        with pytest.raises(Vanished):
            await database.write(note("later"))
        await database.write(note("late"), Rank.PAID)
    assert notes(path.with_name("c.db.rescued")) == ["one", "paid", "late"]


async def test_a_database_that_cannot_be_saved_is_said(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "c.db"
    path.parent.mkdir()
    database = await Database.open(path, create=True)
    shutil.rmtree(path.parent)
    path.parent.touch()
    with pytest.raises(Vanished):
        await database.write(note("one"))
    with pytest.raises(StoreFailed, match="cannot be saved"):
        await database.close()


async def test_the_file_alone_has_what_was_committed_some_seconds_ago(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKPOINT", 0.05)
    path, copy = tmp_path / "c.db", tmp_path / "copy.db"
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        await asyncio.sleep(0.3)
        shutil.copy(path, copy)
    assert notes(copy) == ["one"]


async def test_a_clean_end_leaves_nothing_in_the_log_although_somebody_looks(tmp_path: Path) -> None:
    path, copy = tmp_path / "c.db", tmp_path / "copy.db"
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        looking = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
        looking.execute("SELECT count(*) FROM notes").fetchone()
    shutil.copy(path, copy)
    looking.close()
    assert notes(copy) == ["one"]


async def test_a_log_without_its_database_is_not_thrown_away(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        kept = log_of(path).read_bytes()
    path.unlink()
    log_of(path).write_bytes(kept)
    with pytest.raises(StoreRefused, match=r"c\.db is missing, but c\.db-wal is there"):
        await Database.open(path, create=True)
    assert log_of(path).read_bytes() == kept


async def test_a_copy_is_one_whole_file_also_while_others_write(tmp_path: Path) -> None:
    path, copy = tmp_path / "c.db", tmp_path / "copy.db"
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        await database.read(lambda connection: copy_whole(connection, copy))
        await database.write(note("two"))
    assert notes(copy) == ["one"]
    assert {one.name for one in tmp_path.glob("*copy*")} == {"copy.db"}


def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    path, copy = tmp_path / "c.db", tmp_path / "copy.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (body TEXT, other TEXT)")
        connection.execute("CREATE INDEX by_body ON notes (body)")
        connection.executemany("INSERT INTO notes VALUES (?, '')", [(f"note {n}",) for n in range(2000)])
        connection.commit()
    data = path.read_bytes()
    path.write_bytes(data.replace(b"note 77", b"nope 77"))
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.DatabaseError, match="damaged"):
        copy_whole(connection, copy)
    assert not list(tmp_path.glob("*copy*"))


def test_a_disk_without_room_is_never_called_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(sqlite3.OperationalError) as cannot_open:
        sqlite3.connect(f"{(tmp_path / 'none' / 'c.db').as_uri()}?mode=ro", uri=True)
    path = tmp_path / "c.db"
    assert isinstance(refusal(cannot_open.value, path), StoreRefused)
    monkeypatch.setattr(faults, "is_full", lambda folder: folder == tmp_path)
    assert isinstance(refusal(cannot_open.value, path), DiskFull)
    assert isinstance(translate_failure(cannot_open.value, path), DiskFull)


def test_a_disk_with_room_is_not_full_and_one_without_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not files.is_full(tmp_path)
    assert not files.is_full(tmp_path / "none")
    monkeypatch.setattr(files, "FULL", {2})  # as if "no such file" meant that
    assert files.is_full(tmp_path / "none")


def test_a_part_that_may_not_be_written_is_named_with_its_owner_and_whether_it_may_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(b"x")
    log_of(path).touch()
    monkeypatch.setattr(os, "access", lambda part, _: not str(part).endswith("-wal"))
    assert "c.db-wal, which belongs to " in faults.describe_closed(path)
    assert "so remove it" in faults.describe_closed(path)
    log_of(path).write_bytes(b"committed")
    assert "do not remove it" in faults.describe_closed(path)

    def unknown(_: Path) -> str:
        raise KeyError

    monkeypatch.setattr(Path, "owner", unknown)
    assert f"user {path.stat().st_uid}" in faults.describe_closed(path)
    monkeypatch.setattr(os, "access", lambda *_: True)
    assert "write permission on it and on its folder" in faults.describe_closed(path)


async def test_a_file_that_cannot_be_opened_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    path.symlink_to(tmp_path / "none" / "c.db")
    with pytest.raises(StoreRefused, match="read-only"):
        await Database.open(path, create=True)


def forbid_pragmas(action: int, *_: str | None) -> int:
    return sqlite3.SQLITE_DENY if action == sqlite3.SQLITE_PRAGMA else sqlite3.SQLITE_OK


async def test_a_move_into_the_database_that_fails_is_the_end_of_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CHECKPOINT", 0.05)
    async with await Database.open(tmp_path / "c.db", create=True) as database:
        await database.write(note("one"))
        await on(database._writer, lambda connection: connection.set_authorizer(forbid_pragmas))  # noqa: SLF001 - no file fails
        await asyncio.sleep(0.3)
        with pytest.raises(StoreFailed, match="not authorized"):
            await database.write(note("two"))


def test_an_error_without_a_known_reason_is_told_in_the_words_of_sqlite() -> None:
    assert "near syntax" in str(refusal(sqlite3.OperationalError("near syntax"), Path("c.db")))
