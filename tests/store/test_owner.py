"""One runner owns a campaign; a second is told who and since when."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from benchwright.errors import Owned, StoreRefused, Superseded
from benchwright.store import migrate, process
from benchwright.store.database import Database, Rank
from benchwright.store.owner import find, own_campaign, own_database, runner, take, this_process
from benchwright.store.process import birth, lives

HOLD = """
import sys
from pathlib import Path
from benchwright.store.owner import own_campaign
with own_campaign(Path(sys.argv[1]), "2026-05-01T10:00:00+00:00"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_the_second_runner_is_told_process_host_and_time_also_through_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "c.db", tmp_path / "link.db"
    path.touch()
    link.symlink_to(path)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    assert holder.stdin
    with holder:
        assert holder.stdout.readline() == "held\n"
        for name in (path, link):
            who = re.escape(f"process {holder.pid} on {os.uname().nodename}")
            with pytest.raises(Owned, match=who) as told, own_campaign(name, "later"):
                pass
            assert "since 2026-05-01T10:00:00+00:00" in str(told.value)
        holder.stdin.close()
    with own_campaign(path, "later"):
        pass


def test_the_lock_dies_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout
    with holder:
        assert holder.stdout.readline() == "held\n"
        holder.kill()
    with own_campaign(path, "later"):
        pass


def test_an_owner_that_left_no_name_is_an_owner_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    with own_campaign(path, "now"):
        (tmp_path / "c.db.lock").write_text("not what we wrote")
        with pytest.raises(Owned, match="another process"), own_campaign(path, "later"):
            pass


def test_a_folder_without_write_permission_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    (tmp_path / "c.db.lock").mkdir()
    with pytest.raises(StoreRefused, match="write permission"), own_campaign(path, "now"):
        pass


def recorded(path: Path) -> str | None:
    """Who runs the campaign, as its database and its lock tell."""
    connection = sqlite3.connect(path, isolation_level=None)
    migrate.up(connection)
    with closing(connection):
        return runner(connection, path)


def test_who_runs_a_campaign_can_be_read_without_touching_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    assert recorded(path) is None
    with own_campaign(path, "monday"):
        assert recorded(path) == f"process {os.getpid()} on {os.uname().nodename} since monday"
    assert recorded(path) is None


def test_a_dead_runner_runs_nothing_and_one_on_another_host_is_believed(tmp_path: Path) -> None:
    path, gone = tmp_path / "c.db", subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    who = asdict(this_process(path, "monday")) | {"pid": gone.pid, "file": ""}
    lock = tmp_path / "c.db.lock"
    lock.write_text(json.dumps(who))
    assert recorded(path) is None
    lock.write_text(json.dumps(who | {"host": "elsewhere"}))
    assert recorded(path) == f"process {gone.pid} on elsewhere since monday"


def test_a_process_that_got_the_number_of_a_dead_runner_is_not_taken_for_it(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    mine = asdict(this_process(path, "monday")) | {"file": ""}
    lock = tmp_path / "c.db.lock"
    lock.write_text(json.dumps(mine))
    assert recorded(path)
    lock.write_text(json.dumps(mine | {"born": f"{mine['born']}0"}))
    assert recorded(path) is None


def test_a_copy_of_a_running_campaign_is_run_by_nobody(tmp_path: Path) -> None:
    path, copy = tmp_path / "c.db", tmp_path / "copy.db"
    recorded(path)
    connection = sqlite3.connect(path, isolation_level=None)
    take(connection, this_process(path, "monday"), path)
    connection.close()
    assert recorded(path)
    shutil.copy(path, copy)
    assert recorded(copy) is None


@pytest.fixture
def sleeper() -> Iterator["subprocess.Popen[bytes]"]:
    """Another process that lives."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process
        process.kill()


async def test_a_row_keeps_a_second_runner_out_where_the_lock_was_removed(
    tmp_path: Path, sleeper: "subprocess.Popen[bytes]"
) -> None:
    path = tmp_path / "c.db"
    async with await Database.open(path, create=True) as database:
        other = replace(this_process(path, "monday"), pid=sleeper.pid, born=birth(sleeper.pid))
        await database.write(lambda connection: take(connection, other, path))
        with pytest.raises(Owned, match=f"process {sleeper.pid} on .* since monday"):
            async with own_database(database, path, "tuesday"):
                pytest.fail("two runners")
        sleeper.kill()
        sleeper.wait()
        async with own_database(database, path, "tuesday"):
            assert (await database.read(find)) is not None
        assert await database.read(find) is None


async def test_a_runner_whose_place_was_taken_writes_only_what_is_paid_for(tmp_path: Path) -> None:
    path = tmp_path / "c.db"

    def note(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE campaign SET paused = 0")

    async with (
        await Database.open(path, create=True) as first,
        await Database.open(path) as second,
        own_database(first, path, "monday"),
    ):
        await first.write(lambda connection: connection.execute("SELECT 1"))
        async with own_database(second, path, "tuesday"):
            for rank in (Rank.CLAIM, Rank.HAND_BACK, Rank.OTHER):
                with pytest.raises(Superseded, match="taken over by process"):
                    await first.write(note, rank)
            await first.write(note, Rank.PAID)
            await second.write(lambda connection: connection.execute("SELECT 1"))


def test_a_process_that_ended_and_was_not_asked_how_is_dead() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        while birth(process.pid):  # it is a zombie until `wait`
            time.sleep(0.01)
        assert not lives(process.pid, birth(os.getpid()))


def test_a_process_of_a_system_without_proc_is_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "BOOT", Path("/none"))
    found = birth(os.getpid())
    assert lives(os.getpid(), found)
    if shutil.which("ps"):
        assert found
    monkeypatch.setenv("PATH", "")
    assert birth(os.getpid()) == ""


def test_no_number_of_a_process_is_too_large_to_be_asked_for() -> None:
    assert not lives(2**70, "")
    assert birth(2**70) == ""


def test_another_users_process_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_ours(_: int, __: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", not_ours)
    assert lives(1, birth(1))
    assert not lives(1, "another time")
