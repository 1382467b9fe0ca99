"""What other programs and people may do to a campaign that runs: remove, copy, look (docs/promises.md)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.e2e.forks import Main
from tests.e2e.machine import begin, campaign, command, environment, ledger, rows, sound, until
from tests.e2e.models import serving

from benchwright import campaign_file, cli
from benchwright.show.code import Code
from benchwright.store import campaigns

ENDS = {Code.DONE, Code.WAITING}


def test_a_run_whose_database_is_removed_stops_at_once_and_what_was_paid_for_is_saved(tmp_path: Path) -> None:
    with serving(0.1) as models:
        file = campaign(tmp_path / "campaign", models.url)
        run = begin("run", file)
        until(lambda: len(models.traces) >= 30, "calls are in flight")
        for one in file.parent.glob("reports.db*"):
            one.unlink()
        ended = run.end()
        assert ended.code == Code.FAILED, ended
        assert "removed, moved or replaced" in ended.err
        assert "reports.db.rescued" in ended.err
        asked = list(models.traces)
        file.with_name("reports.db.rescued").rename(file.with_suffix(".db"))
        assert sorted(entry.trace for entry in ledger(file).values() if entry.state == "done") == sorted(asked)
        assert command("run", file).code in ENDS
        assert len(set(models.traces)) == len(models.traces)
    sound(file)


def test_a_second_runner_is_kept_out_although_the_lock_was_removed(tmp_path: Path) -> None:
    with serving(60) as models:
        file = campaign(tmp_path / "campaign", models.url)
        first = begin("run", file)
        try:
            until(lambda: len(models.traces) == 4, "the first runner's calls are in flight")
            file.with_name("reports.db.lock").unlink()
            told = command("run", file)
            assert told.code == Code.USAGE, told
            assert f"by process {first.process.pid} on " in told.err
            assert len(models.traces) == 4
            status = json.loads(command("status", file, "--json").out)
            assert f"process {first.process.pid} on " in status["runner"]
        finally:
            first.kill()


def test_a_backup_of_a_running_campaign_is_whole_and_can_be_gone_on_with(tmp_path: Path) -> None:
    with serving(0.05) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=4)
        run = begin("run", file)
        until(lambda: len(models.traces) >= 20, "calls are in flight")
        copy = tmp_path / "copies" / "campaign"
        shutil.copytree(file.parent, copy, ignore=shutil.ignore_patterns("reports.db*"))
        told = command("backup", file, copy, "--json")
        assert told.code == Code.DONE, told
        assert json.loads(told.out)["backup"] == str(copy / "reports.db")
        assert "is there already" in command("backup", file, copy).err
        assert run.end().code in ENDS
        done = [entry for entry in ledger(copy / file.name).values() if entry.state == "done"]
        assert done
        assert command("run", copy / file.name).code in ENDS
    sound(copy / file.name)
    assert rows(copy / file.name, "SELECT id, state FROM items") == rows(file, "SELECT id, state FROM items")


def test_a_file_name_that_is_no_utf_8_is_a_document_like_any_other(tmp_path: Path) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=2)
        first = file.parent / "documents" / "report-000.md"
        try:
            first.rename(Path(os.fsdecode(os.fsencode(file.parent) + b"/documents/caf\xe9-\xff.md")))
        except OSError:
            pytest.skip("this file system takes UTF-8 names only")
        checked = command("doctor", file)
        ended = command("run", file)
    assert checked.code == Code.DONE, checked
    assert ended.code in ENDS, ended
    assert rows(file, "SELECT name FROM documents ORDER BY name") == [
        (r"documents/caf\xe9-\xff.md",),
        ("documents/report-001.md",),
    ]


def shell(line: str) -> "subprocess.CompletedProcess[str]":
    """The command line as a shell starts it."""
    whole = f"{sys.executable} -m benchwright {line}"
    return subprocess.run(["sh", "-c", whole], capture_output=True, text=True, env=environment(), check=False)


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("status CAMPAIGN > /dev/full", Code.FAILED, "standard output cannot be written: No space left on device"),
        ("status CAMPAIGN --json > /dev/full", Code.FAILED, "standard output cannot be written"),
        ("status CAMPAIGN >&-", Code.DONE, ""),
        ("status none.toml 2>/dev/full", Code.USAGE, ""),
        ("status none.toml >&- 2>&-", Code.USAGE, ""),
    ],
)
def test_output_that_cannot_be_written_is_said_and_is_no_fault_of_ours(
    finished: Path, line: str, code: Code, said: str
) -> None:
    ended = shell(line.replace("CAMPAIGN", str(finished)))
    assert ended.returncode == code, ended
    assert said in ended.stderr
    assert "unexpected" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


@pytest.mark.parametrize("width", ["0", "1", "wide"])
def test_no_width_of_a_terminal_is_too_small(finished: Path, width: str) -> None:
    ended = narrow(finished, width)
    assert ended.returncode == Code.DONE, ended
    assert "campaign reports" in ended.stdout


def narrow(file: Path, width: str) -> "subprocess.CompletedProcess[str]":
    """The status as it is drawn so many columns wide."""
    line = [sys.executable, "-m", "benchwright", "status", str(file)]
    return subprocess.run(line, capture_output=True, text=True, env=environment() | {"COLUMNS": width}, check=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that has come to its end."""
    with serving(0.02) as models:
        file = campaign(tmp_path_factory.mktemp("finished") / "campaign", models.url, reports=1)
        assert command("run", file).code in ENDS
    return file


def die_before_the_file(words: Sequence[str]) -> None:
    """The command line, which dies as soon as the new campaign file is to be put in its place."""
    campaign_file.put_in_place = lambda file: os._exit(9)
    cli.main(words)


def die_before_the_database(words: Sequence[str]) -> None:
    """The command line, which dies as soon as the new rule is to be recorded."""
    campaigns.accept = lambda *_, **__: os._exit(9)
    cli.main(words)


@pytest.mark.parametrize("main", [die_before_the_file, die_before_the_database])
def test_a_change_of_the_rule_that_a_crash_interrupts_is_made_whole_or_not_at_all(tmp_path: Path, main: Main) -> None:
    with serving(0.02) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1)
        assert command("run", file).code in ENDS
        link = file.with_name("link.toml")
        link.symlink_to(file)
        file.with_name("link.db").symlink_to(file.with_suffix(".db"))
        change = ("--apply", "--by", "ada", "--why", "to see")
        assert command("whatif", link, "--accept", "0.65", *change, main=main).code == 9
        told = command("run", link)
        assert told.code in ENDS, told
        assert ("0.65" in file.read_text("utf-8")) == (main is die_before_the_file)
        assert not list(file.parent.glob(".*.new"))
        again = command("whatif", link, "--accept", "0.66", *change)
        assert again.code == Code.DONE, again
        assert "0.66" in file.read_text("utf-8")
        assert link.is_symlink()
        assert command("run", file).code in ENDS
