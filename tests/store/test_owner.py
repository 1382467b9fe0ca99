"""One runner owns a campaign; a second is told who and since when."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchwright.errors import Owned, StoreRefused
from benchwright.store.owner import alive, own_campaign, runner

HOLD = """
import sys
from pathlib import Path
from benchwright.store.owner import alive, own_campaign, runner
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


def test_who_runs_a_campaign_can_be_read_without_touching_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    assert runner(path) is None
    with own_campaign(path, "monday"):
        assert runner(path) == f"process {os.getpid()} on {os.uname().nodename} since monday"
    assert runner(path) is None


def test_a_dead_runner_runs_nothing_and_one_on_another_host_is_believed(tmp_path: Path) -> None:
    path, gone = tmp_path / "c.db", subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    who = {"pid": gone.pid, "host": os.uname().nodename, "since": "monday"}
    (tmp_path / "c.db.lock").write_text(json.dumps(who))
    assert runner(path) is None
    (tmp_path / "c.db.lock").write_text(json.dumps(who | {"host": "elsewhere"}))
    assert runner(path) == f"process {gone.pid} on elsewhere since monday"


def test_another_users_process_is_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_ours(_: int, __: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "kill", not_ours)
    assert alive(1)
