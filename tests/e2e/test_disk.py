"""A disk that fills up while a campaign runs; folders and files that may not be written (QUEUE tests 6 and 7)."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.machine import begin, begin_anew, campaign, command, ledger, sound, until
from tests.e2e.models import serving

from benchwright.show.code import Code

WIDTHS = 3 * 4  # calls in flight at most: three models, four each
ENDS = {Code.DONE, Code.WAITING}


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 40 MB: the write-ahead log alone may take 16."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, check=False).returncode:
        pytest.skip("no small disk can be mounted here: that takes root and the right to mount")
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


def fill(filler: Path) -> None:
    """Take what room is left, to the last byte."""
    with filler.open("ab", buffering=0) as file:
        for size in (1 << 16, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


def test_a_full_disk_stops_the_campaign_before_the_next_paid_call_and_loses_no_reply(
    tmp_path: Path, small_disk: Path
) -> None:
    with serving(0.3) as models:
        file, filler = campaign(small_disk / "campaign", models.url), small_disk / "filler"
        run = begin("run", file)
        until(lambda: len(models.traces) >= 30, "calls are in flight")
        fill(filler)
        before = len(models.traces)
        ended = run.end()
        assert ended.code == Code.FAILED, ended
        assert f"the disk that holds {file.parent} is full" in ended.err
        assert len(models.traces) <= before + WIDTHS
        fill(filler)
        full = command("run", file)
        assert (full.code, f"the disk that holds {file.parent} is full" in full.err) == (Code.FAILED, True), full
        assert "Traceback" not in ended.err + full.err
        stopped = list(models.traces)
        filler.unlink()
        # Every reply that came back has found room in the reserve.
        assert sorted(entry.trace for entry in ledger(file).values() if entry.state == "done") == sorted(stopped)
        assert command("run", file).code in ENDS
        assert len(set(models.traces)) == len(models.traces)
    sound(file)


@pytest.fixture
def bound(tmp_path: Path) -> list[str]:
    """What to start a command through so that permissions bind it: nothing but for root, who is above them."""
    if os.geteuid() != 0:
        return []
    without = ["setpriv", "--bounding-set", "-dac_override,-dac_read_search"]
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    if not shutil.which(without[0]) or not subprocess.run([*without, "touch", closed / "file"], check=False).returncode:
        pytest.skip("this is root, and its power over permissions cannot be laid down here")
    return without


def test_a_folder_that_cannot_be_written_is_said_before_any_call(tmp_path: Path, bound: list[str]) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1)
        file.parent.chmod(0o555)
        told = begin_anew("run", file, through=bound).end()
        file.parent.chmod(0o755)
        assert told.code == Code.USAGE, told
        assert str(file.parent) in told.err
        assert "write permission" in told.err
        assert models.traces == []


def test_a_database_that_cannot_be_written_is_said_before_any_call(tmp_path: Path, bound: list[str]) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1)
        assert command("run", file).code in ENDS
        before = len(models.traces)
        file.with_suffix(".db").chmod(0o444)
        told = begin_anew("run", file, through=bound).end()
        assert told.code == Code.USAGE, told
        assert str(file.with_suffix(".db")) in told.err
        assert "read-only" in told.err
        assert len(models.traces) == before


def test_looking_needs_no_permission_to_write_and_leaves_nothing_behind(tmp_path: Path, bound: list[str]) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1)
        assert command("run", file).code in ENDS
    before = sorted((one.name, one.stat().st_mtime_ns) for one in file.parent.iterdir())
    file.parent.chmod(0o555)
    file.with_suffix(".db").chmod(0o444)
    looks = [
        begin_anew(*words, through=bound)
        for words in (("status", file), ("items", file), ("export", file, "--folder", tmp_path / "set"))
    ]
    told = [look.end() for look in looks]
    file.parent.chmod(0o755)
    assert [one.code for one in told] == [Code.DONE] * len(looks), told
    assert sorted((one.name, one.stat().st_mtime_ns) for one in file.parent.iterdir()) == before


def test_an_export_a_log_and_a_backup_on_a_full_disk_are_said_and_leave_no_half_of_themselves(
    tmp_path: Path, small_disk: Path
) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=2)
        assert command("run", file).code in ENDS
        other = campaign(tmp_path / "other", models.url, reports=1)
        assert command("export", file, "--folder", small_disk / "set").code == Code.DONE
        before = {one.name: one.read_bytes() for one in (small_disk / "set").iterdir() if one.is_file()}
        fill(small_disk / "filler")
        for words in (("export", file, "--folder", small_disk / "set"), ("backup", file, small_disk / "copy.db")):
            told = command(*words)
            assert told.code in {Code.FAILED, Code.USAGE}, told
            assert "No space left" in told.err or "full" in told.err, told
            assert "unexpected" not in told.err
        assert {one.name: one.read_bytes() for one in (small_disk / "set").iterdir() if one.is_file()} == before
        assert not (small_disk / "copy.db").exists()
        logged = command("run", other, "--log", small_disk / "run.log")
        assert "unexpected" not in logged.err
        assert logged.code in ENDS | {Code.USAGE, Code.FAILED}, logged
    sound(file)
