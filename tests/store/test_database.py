"""The writer shares commits and loses nothing that it acknowledged; the reader only reads."""

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import BenchwrightError, DiskFull, NotFound, StoreFailed, StoreRefused
from benchwright.store import connection as module
from benchwright.store import files, migrate
from benchwright.store.database import Database, Rank, together
from benchwright.store.faults import translate_failure
from benchwright.store.files import release

TABLE = "CREATE TABLE notes (body TEXT NOT NULL UNIQUE)"


def table(connection: sqlite3.Connection) -> None:
    connection.execute(TABLE)


def note(body: str | None) -> Callable[[sqlite3.Connection], None]:
    def operation(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO notes VALUES (?)", (body,))

    return operation


def notes(connection: sqlite3.Connection) -> list[str]:
    return [body for (body,) in connection.execute("SELECT body FROM notes ORDER BY rowid")]


async def test_operations_that_wait_together_share_a_commit_and_keep_their_results() -> None:
    async with await Database.open(None) as database:
        await database.write(table)
        await asyncio.gather(*(database.write(note(str(n))) for n in range(1000)))
        assert await database.read(notes) == [str(n) for n in range(1000)]


async def test_an_operation_that_fails_is_undone_alone() -> None:
    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO notes VALUES ('half')")
        raise NotFound

    async with await Database.open(None) as database:
        await database.write(table)
        outcomes = await asyncio.gather(
            database.write(note("one")),
            database.write(half),
            database.write(note("one")),
            database.write(note("two")),
            return_exceptions=True,
        )
        assert [type(outcome) for outcome in outcomes] == [type(None), NotFound, sqlite3.IntegrityError, type(None)]
        assert await database.read(notes) == ["one", "two"]


async def test_a_bug_in_an_operation_undoes_its_whole_commit_and_every_caller_learns_of_it() -> None:
    def bug(_: sqlite3.Connection) -> None:
        raise ZeroDivisionError

    async with await Database.open(None) as database:
        await database.write(table)
        outcomes = await asyncio.gather(
            database.write(note("one")), database.write(bug), database.write(note("two")), return_exceptions=True
        )
        assert all(isinstance(outcome, StoreFailed) for outcome in outcomes)
        assert await database.read(notes) == []
        with pytest.raises(StoreFailed):
            await database.write(note("later"))


async def test_paid_results_go_first_then_claims_then_the_rest() -> None:
    async with await Database.open(None) as database:
        await database.write(table)
        await asyncio.gather(
            database.write(note("rest")),
            database.write(note("claim"), Rank.CLAIM),
            database.write(note("paid"), Rank.PAID),
        )
        assert await database.read(notes) == ["paid", "claim", "rest"]


async def test_a_caller_that_has_gone_stops_nobody() -> None:
    async with await Database.open(None) as database:
        await database.write(table)
        gone = asyncio.create_task(database.write(note("gone")))
        other = asyncio.create_task(database.write(note("other")))
        await asyncio.sleep(0)
        gone.cancel()
        await other
        assert "other" in await database.read(notes)


async def test_nobody_waits_for_ever_when_the_writer_is_cancelled() -> None:
    async with await Database.open(None) as database:
        waiting = asyncio.gather(database.write(table), database.write(note("one")), return_exceptions=True)
        await asyncio.sleep(0)
        tasks = [task for task in asyncio.all_tasks() if "_flush" in repr(task)]
        tasks[0].cancel()
        assert all(isinstance(outcome, StoreFailed) for outcome in await waiting)
        with pytest.raises(StoreFailed, match="closed"):
            await database.write(table)


async def test_closing_finishes_what_waits(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    database = await Database.open(path, create=True)
    waiting = asyncio.gather(database.write(table), database.write(note("last")))
    await asyncio.sleep(0)
    await database.close()
    await waiting
    async with await Database.open(path) as again:
        assert await again.read(notes) == ["last"]


async def test_readers_cannot_write(tmp_path: Path) -> None:
    async with await Database.open(tmp_path / "c.db", create=True) as database:
        with pytest.raises(BenchwrightError, match="read-only"):
            await database.read(table)


async def test_a_reader_that_takes_too_long_is_cut_and_writes_go_on(tmp_path: Path) -> None:
    def endless(connection: sqlite3.Connection) -> None:
        connection.execute(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        ).fetchone()

    async with await Database.open(tmp_path / "c.db", create=True) as database:
        with pytest.raises(StoreFailed, match="took too long"):
            await database.read(endless, seconds=0.05)
        await database.write(table)
        assert await database.read(notes) == []


def settings(connection: sqlite3.Connection) -> dict[str, Any]:
    return {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in module.PRAGMAS}


async def test_the_writer_is_as_durable_as_it_says(tmp_path: Path) -> None:
    async with await Database.open(tmp_path / "c.db", create=True) as database:
        assert await database.write(settings) == module.PRAGMAS


async def test_a_file_system_that_lowers_a_pragma_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(module.PRAGMAS, "synchronous", 7)  # SQLite takes 7 for 3: what it was told did not hold
    with pytest.raises(StoreRefused, match=r"synchronous is .*, not 7"):
        await Database.open(tmp_path / "c.db", create=True)


async def test_a_folder_a_missing_file_and_a_missing_folder_are_refused_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="is a folder"):
        await Database.open(tmp_path)
    with pytest.raises(StoreRefused, match="benchwright run"):
        await Database.open(tmp_path / "none.db")
    with pytest.raises(StoreRefused, match="create the folder"):
        await Database.open(tmp_path / "none" / "c.db", create=True)


async def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    other = sqlite3.connect(path)
    other.execute(TABLE)
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreRefused, match="another program"):
        await Database.open(path)
    assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(b"not a database, but long enough to be looked at" * 50)
    with pytest.raises(StoreRefused, match="not a Benchwright database"):
        await Database.open(path)


async def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    async with await Database.open(path, create=True) as database:
        await database.write(table)
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 9999")
    raw.commit()
    raw.close()
    with pytest.raises(StoreRefused, match="newer Benchwright"):
        await Database.open(path)


async def test_opening_again_keeps_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    async with await Database.open(path, create=True) as database:
        await database.write(table)
        await database.write(note("one"))
    async with await Database.open(path, create=True) as database:
        assert await database.read(notes) == ["one"]


def test_a_migration_killed_in_the_middle_leaves_the_old_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        migrate, "scripts", lambda: [(1, "CREATE TABLE one (a);\nCREATE TABLE two (a);\nSELECT nonsense")]
    )
    connection = sqlite3.connect(":memory:", isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        migrate.up(connection)
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    assert connection.execute("PRAGMA user_version").fetchone() == (0,)


def full(error: type[Exception] = sqlite3.OperationalError) -> Exception:
    """The error that a full disk gives, taken from SQLite itself."""
    connection = sqlite3.connect(":memory:")
    connection.execute(TABLE)
    connection.execute("PRAGMA max_page_count = 4")
    with pytest.raises(error) as caught:
        connection.execute("INSERT INTO notes VALUES (?)", ("x" * 100_000,))
    return caught.value


async def test_on_a_full_disk_paid_results_are_written_and_nothing_else_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    kept = path.with_name("c.db.reserve")
    error = full()

    def needs_room(connection: sqlite3.Connection) -> None:
        note("paid")(connection)
        if kept.exists():
            raise error

    async with await Database.open(path, create=True) as database:
        await database.write(table)
        other, paid = await asyncio.gather(
            database.write(note("other")), database.write(needs_room, Rank.PAID), return_exceptions=True
        )
        assert isinstance(other, DiskFull)
        assert str(tmp_path) in str(other)
        assert paid is None
        with pytest.raises(DiskFull):
            await database.write(note("claim"), Rank.CLAIM)
        await database.write(note("late reply"), Rank.PAID)
        assert await database.read(notes) == ["paid", "late reply"]


async def test_a_disk_that_is_full_for_good_loses_no_acknowledged_result(tmp_path: Path) -> None:
    error = full()

    def never(_: sqlite3.Connection) -> None:
        raise error

    async with await Database.open(tmp_path / "c.db", create=True) as database:
        await database.write(table)
        await database.write(note("kept"))
        for _ in range(2):
            with pytest.raises(DiskFull, match="free some space"):
                await database.write(never, Rank.PAID)
        assert await database.read(notes) == ["kept"]


async def test_a_full_disk_without_paid_results_waiting_only_refuses(tmp_path: Path) -> None:
    error = full()

    def never(_: sqlite3.Connection) -> None:
        raise error

    async with await Database.open(tmp_path / "c.db", create=True) as database:
        with pytest.raises(DiskFull):
            await database.write(never)
    assert not release(tmp_path / "c.db")


async def test_no_room_for_the_reserve_is_said_before_anything_is_paid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(_: Path, __: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", no_room)
    with pytest.raises(StoreRefused, match="No space left on device"):
        files.reserve(tmp_path / "c.db")


def test_a_commit_that_fails_for_any_other_reason_is_the_end_of_the_writer() -> None:
    failure = translate_failure(sqlite3.OperationalError("disk I/O error"), Path("c.db"))
    assert isinstance(failure, StoreFailed)
    assert not isinstance(failure, DiskFull)
    assert "disk I/O error" in str(failure)
    memory = translate_failure(full(), None)
    assert isinstance(memory, DiskFull)


def test_a_file_that_cannot_be_written_is_for_the_person_to_change() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    with pytest.raises(sqlite3.OperationalError) as error:
        connection.execute("CREATE TABLE notes (text TEXT)")
    connection.close()
    refused = translate_failure(error.value, Path("c.db"))
    assert isinstance(refused, StoreRefused)
    assert "write permission" in str(refused)


def test_a_commit_that_cannot_begin_leaves_no_transaction_behind(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    connection = sqlite3.connect(path, isolation_level=None, timeout=0)
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        together([partial(table)], (), (), connection)
    assert not connection.in_transaction
    holder.close()
    connection.close()


def test_every_error_of_the_store_says_what_to_do() -> None:
    for kind in (DiskFull, StoreFailed, StoreRefused):
        assert issubclass(kind, BenchwrightError)
        assert str(kind())


@pytest.mark.parametrize("alone", [False, True])
async def test_who_keeps_what_operations_did_is_told_when_they_are_undone(alone: bool) -> None:
    async with await Database.open(None, create=True) as database:
        told: list[str] = []
        database.undone.append(lambda: told.append("undone"))
        await database.write(table)
        assert told == []

        def refuse(_: sqlite3.Connection) -> None:
            raise StoreRefused

        others = [] if alone else [database.write(lambda connection: connection.execute("SELECT 1"))]
        results = await asyncio.gather(database.write(refuse), *others, return_exceptions=True)
        assert isinstance(results[0], StoreRefused)
        assert told == ["undone", "undone"]  # all of them together, then this one within its fence


async def test_an_old_database_that_another_process_holds_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "old.db"
    async with await Database.open(file, create=True):
        pass
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("PRAGMA user_version = 11")
    other.execute("BEGIN IMMEDIATE")
    monkeypatch.setattr(module, "PRAGMAS", module.PRAGMAS | {"busy_timeout": 10})
    with pytest.raises(StoreRefused, match="another process is changing it; run the same command again in a minute"):
        await Database.open(file)
    other.close()
