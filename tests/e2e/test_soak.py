"""A long run beside everything that may look at it: memory, handles and log stay flat, and nobody stands in the way.

Some seconds in the suite; `scripts/endure soak` takes half an hour.
"""

import csv
import json
import os
import shutil
import time
from pathlib import Path
from random import Random

import pytest
from tests.e2e.machine import begin, campaign, command, ledger, sound, until
from tests.e2e.models import serving

from benchwright.show.code import Code

SECONDS = float(os.environ.get("BENCHWRIGHT_SOAK", "6"))
SEED = int(os.environ.get("BENCHWRIGHT_SEED", "19"))
MEGABYTES, HANDLES, LOG = 30, 15, 80  # that may come in addition, and that the log may have
ENDS = {Code.DONE, Code.WAITING}


def state(process: int, file: Path) -> tuple[float, int, float]:
    """Megabytes of memory, open handles, megabytes of the log."""
    pages = int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1])
    log = Path(f"{file.with_suffix('.db')}-wal")
    size = log.stat().st_size if log.exists() else 0
    return pages * 4096 / 1e6, len(list(Path(f"/proc/{process}/fd").iterdir())), size / 1e6


def look(file: Path, chance: Random) -> None:
    """One of those who come by: a second runner, a reviewer, an exporter, somebody who wants to know."""
    what = chance.choice(["run", "review", "export", "status", "items", "backup"])
    folder = file.parent / "others"
    match what:
        case "run":
            assert command("run", file).code == Code.USAGE
        case "review":
            queue = folder / "queue.csv"
            for old in folder.glob("queue.*"):
                old.unlink()
            assert command("review", "export", file, queue).code == Code.DONE
            keep_all(queue)
            assert command("review", "import", file, queue, "--by", "ada").code in {Code.DONE, Code.PARTIAL}
        case "export":
            assert command("export", file, "--folder", folder / "set").code == Code.DONE
        case "backup":
            (folder / "copy.db").unlink(missing_ok=True)
            assert command("backup", file, folder / "copy.db").code == Code.DONE
        case _:
            assert command(what, file).code == Code.DONE


def keep_all(queue: Path) -> None:
    """Decide on every card in the file."""
    with queue.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    if rows:
        with queue.open("w", encoding="utf-8-sig", newline="") as file:
            out = csv.DictWriter(file, rows[0].keys())
            out.writeheader()
            out.writerows(row | {"decision": "keep"} for row in rows)


@pytest.mark.timeout(7200)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory and handles are read from /proc")
def test_a_long_run_with_many_around_it_stays_flat_and_ends_whole(tmp_path: Path) -> None:
    chance, found = Random(SEED), list[tuple[float, int, float]]()
    with serving(0.05) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=int(20 + 4 * SECONDS), width=8)
        (file.parent / "others").mkdir()
        run = begin("run", file)
        watching = begin("status", file, "--watch") if until_begun(file) else None
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and run.process.poll() is None:
            look(file, chance)
            if run.process.poll() is None:
                found.append(state(run.process.pid, file))
        models.answer_within(0)
        ended = run.end(3600)
        assert ended.code in ENDS, ended
        if watching:
            assert watching.end().code == Code.DONE
        assert len(set(models.traces)) == len(models.traces)
    sound(file)
    assert {entry.state for entry in ledger(file).values()} == {"done"}
    tell(found)
    shutil.rmtree(tmp_path / "campaign")


def until_begun(file: Path) -> bool:
    """Wait until there is a campaign to look at."""
    until(lambda: command("status", file).code == Code.DONE, "the campaign has begun")
    return True


def tell(found: list[tuple[float, int, float]]) -> None:
    """Demand that memory, handles and log are flat, and leave the figures where `scripts/endure` wants them."""
    third = max(1, len(found) // 3)
    first, last = found[third : 2 * third] or found[:third], found[-third:]
    figures = {
        name: [max(one[place] for one in part) for part in (first, last)]
        for place, name in enumerate(("memory MB", "handles", "log MB"))
    }
    if report := os.environ.get("BENCHWRIGHT_REPORT"):
        with Path(report).open("a", encoding="utf-8") as out:
            out.write(json.dumps({"soak s": SECONDS, "looks": len(found), **figures}) + "\n")
    for name, more in (("memory MB", MEGABYTES), ("handles", HANDLES)):
        assert figures[name][1] <= figures[name][0] + more, figures
    assert figures["log MB"][1] <= LOG, figures
