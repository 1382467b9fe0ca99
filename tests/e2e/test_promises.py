"""What other programs and people may do to a campaign that runs: remove, copy, look (docs/promises.md)."""

import json
import shutil
from pathlib import Path

from tests.e2e.machine import begin, campaign, command, ledger, rows, sound, until
from tests.e2e.models import serving

from benchwright.show.code import Code

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
