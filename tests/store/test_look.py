"""A look at a database leaves no trace, needs no permission to write, and sees what was committed."""

import os
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from benchwright.errors import StoreFailed, StoreRefused
from benchwright.store import migrate
from benchwright.store.database import Database
from benchwright.store.look import Look


def note(body: str) -> Callable[[sqlite3.Connection], None]:
    def operation(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (body TEXT)")
        connection.execute("INSERT INTO notes VALUES (?)", (body,))

    return operation


def notes(connection: sqlite3.Connection) -> list[str]:
    return [body for (body,) in connection.execute("SELECT body FROM notes ORDER BY rowid")]


def files(path: Path) -> dict[str, tuple[int, int]]:
    """What lies beside the database: each file's number and last change."""
    return {one.name: (one.stat().st_ino, one.stat().st_mtime_ns) for one in path.parent.iterdir()}


async def make(path: Path, *bodies: str) -> None:
    async with await Database.open(path, create=True) as database:
        for body in bodies:
            await database.write(note(body))


async def see(path: Path) -> list[str]:
    async with await Look.at(path) as database:
        return await database.read(notes)


async def test_a_look_at_a_campaign_at_rest_leaves_no_file_behind(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    await make(path, "one")
    before = files(path)
    assert await see(path) == ["one"]
    assert files(path) == before


async def test_a_look_beside_a_runner_sees_what_is_committed_and_leaves_no_file_behind(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        before = set(files(path))
        async with await Look.at(path) as looked:
            assert await looked.read(notes) == ["one"]
            await database.write(note("two"))
            assert await looked.read(notes) == ["one", "two"]
        assert set(files(path)) == before
        await database.write(note("three"))


async def test_what_a_crash_left_in_the_log_is_seen_without_a_file_more(tmp_path: Path) -> None:
    path, crashed = tmp_path / "c.db", tmp_path / "crashed" / "c.db"
    crashed.parent.mkdir()
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{crashed}{ending}")
    before = files(crashed)
    assert await see(crashed) == ["one"]
    assert files(crashed) == before


async def test_a_look_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    await make(path, "one")
    async with await Look.at(path) as database:
        with pytest.raises(StoreRefused, match="read only"):
            await database.write(note("two"))
        with pytest.raises(StoreRefused, match="read-only"):
            await database.read(note("two"))
    assert await see(path) == ["one"]


async def test_a_look_at_an_older_database_updates_a_copy_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "c.db"
    await make(path, "one")
    later = [*migrate.scripts(), (9998, "CREATE TABLE later (a)")]
    monkeypatch.setattr(migrate, "scripts", lambda: later)
    before = path.read_bytes()
    async with await Look.at(path) as database:
        assert await database.read(notes) == ["one"]
        assert await database.read(lambda c: c.execute("SELECT count(*) FROM later").fetchone()) == (0,)
        with pytest.raises(StoreRefused, match="read-only"):
            await database.read(note("two"))
    assert path.read_bytes() == before
    assert set(files(path)) == {"c.db", "c.db.reserve"}


async def test_a_run_that_begins_during_a_look_does_not_mix_into_it(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    await make(path, "one")
    looks: list[list[str]] = []
    async with await Look.at(path) as looked, await Database.open(path) as database:

        def slow(connection: sqlite3.Connection) -> list[str]:
            if not looks:
                other = sqlite3.connect(path)
                other.execute("INSERT INTO notes VALUES ('two')")
                other.commit()
                other.close()
            looks.append(notes(connection))
            return looks[-1]

        assert await looked.read(slow) == ["one", "two"]
        assert len(looks) == 2
        assert await database.read(notes) == ["one", "two"]


async def test_a_file_that_changes_all_the_time_is_said(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    await make(path, "one")

    def disturb(connection: sqlite3.Connection) -> list[str]:
        os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
        return notes(connection)

    def stumble(connection: sqlite3.Connection) -> None:
        disturb(connection)
        connection.execute("SELECT nonsense")

    async with await Look.at(path) as looked:
        with pytest.raises(StoreRefused, match="changes again and again"):
            await looked.read(disturb)
        with pytest.raises(StoreRefused, match="changes again and again"):
            await looked.read(stumble)
        with pytest.raises(StoreFailed, match="nonsense"):
            await looked.read(lambda connection: connection.execute("SELECT nonsense"))


async def test_no_database_a_newer_one_and_another_programs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="does not exist"):
        await see(tmp_path / "none.db")
    strange = tmp_path / "strange.db"
    strange.write_bytes(b"no database, but long enough to be looked at" * 50)
    with pytest.raises(StoreRefused, match="not a Benchwright database"):
        await see(strange)
    path = tmp_path / "c.db"
    await make(path, "one")
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 9999")
    raw.commit()
    raw.close()
    with pytest.raises(StoreRefused, match="newer Benchwright"):
        await see(path)


async def test_a_look_through_a_link_sees_what_only_the_log_has(tmp_path: Path) -> None:
    path, link = tmp_path / "c.db", tmp_path / "links" / "link.db"
    link.parent.mkdir()
    link.symlink_to(path)
    async with await Database.open(path, create=True) as database:
        await database.write(note("one"))
        assert await see(link) == ["one"]
