"""What the tests of the real command line need: its processes, campaigns, a look at databases."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.e2e.forks import Fork, Main
from tests.scripted_recall import phrase

import benchwright
from benchwright import cli
from benchwright.config import load
from benchwright.drill import record
from benchwright.drill.record import Entry, entry, request
from benchwright.store import calls

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(benchwright.__file__).parents[1]
PATIENCE = 60.0  # seconds that anything may take on a busy machine
CAMPAIGN = """
name = "{name}"
pipeline = "recall"
corpus = ["documents"]
[recall]
distractors = {distractors}
min_options = 3
no_correct = "keep"
[rule]
accept = 0.7
reject = 0.4
quorum = 2
[models.writer]
base_url = "{url}"
model = "stub"
width = {width}
[models.second]
base_url = "{url}"
model = "other"
width = {width}
[models.third]
base_url = "{url}"
model = "other"
temperature = 1.0
width = {width}
[roles]
default = "writer"
check_option = {{ panel = ["writer", "second", "third"], runs = 2 }}
"""


def environment() -> dict[str, str]:
    """So that a process finds this package and these tests."""
    return os.environ | {"PYTHONPATH": f"{SOURCE}{os.pathsep}{ROOT}"}


def until(true: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
    """Wait until something holds; an error where it never does."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            message = f"after {seconds:g} s still not: {what}"
            raise AssertionError(message)
        time.sleep(0.002)


def campaign(folder: Path, url: str, *, reports: int = 8, width: int = 4, distractors: int = 3) -> Path:
    """A campaign file with its documents: the same content in any folder."""
    (folder / "documents").mkdir(parents=True)
    for number in range(reports):
        lines = [f"Sentence {n} of report {number} tells of {phrase(number, n)}." for n in range(8)]
        text = f"# Report {number}\n\n## Findings\n\n{' '.join(lines[:4])}\n\n## Response\n\n{' '.join(lines[4:])}\n"
        (folder / "documents" / f"report-{number:03}.md").write_text(text, "utf-8")
    path = folder / "reports.toml"
    path.write_text(CAMPAIGN.format(name="reports", url=url, width=width, distractors=distractors), "utf-8")
    return path


@dataclass
class Command:
    """The real command line at work in a process; `began` is its start by the monotonic clock."""

    process: "subprocess.Popen[str] | Fork"
    began: float = field(default_factory=time.monotonic)

    def end(self, seconds: float = PATIENCE) -> "Ended":
        """Wait for its end."""
        out, err = self.process.communicate(timeout=seconds)
        return Ended(self.process.returncode or 0, out, err)

    def signal(self, number: int) -> None:
        """Send it a signal."""
        self.process.send_signal(number)

    def kill(self) -> "Ended":
        """Kill it (-9), and see how it ended."""
        self.process.kill()
        return self.end()


@dataclass(frozen=True, slots=True)
class Ended:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def killed(self) -> bool:
        """Whether it was killed before it came to its end."""
        return self.code == -signal.SIGKILL


def begin(*words: object, cwd: Path | None = None, main: Main = cli.main) -> Command:
    """Start a command line that has imported what it needs."""
    return Command(Fork(main, [*map(str, words)], environment(), cwd or Path.cwd()))


def begin_anew(*words: object, through: Sequence[str] = ()) -> Command:
    """Start a command line from nothing, perhaps through another program."""
    line = [*through, sys.executable, "-m", "benchwright", *map(str, words)]
    pipes: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return Command(subprocess.Popen(line, env=environment(), text=True, **pipes))


def command(*words: object, cwd: Path | None = None, main: Main = cli.main) -> Ended:
    """Carry out a command line."""
    return begin(*words, cwd=cwd, main=main).end()


def ledger(file: Path) -> dict[str, Entry]:
    """The ledger of a campaign by call; each request is put together again from what is recorded."""
    known = load(file).models
    with closing(sqlite3.connect(file.with_suffix(".db"))) as connection:
        found = {name: calls.get(connection, name) or {} for name in calls.ids(connection)}
    assert all(request(row, known[row["model"]]).id == name for name, row in found.items())
    return {name: entry(row, known[row["model"]]) for name, row in found.items()}


def copied(file: Path, folder: Path) -> Path:
    """The campaign as it lies on disk: what a kill left is looked at in a copy and not mended by looking."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return record.copy_database(file, folder)


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    """What a query finds in the campaign's database."""
    with closing(sqlite3.connect(f"{file.with_suffix('.db').as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(sql).fetchall()


def sound(file: Path) -> None:
    """What must hold whenever nothing runs."""
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]
    assert rows(file, "PRAGMA foreign_key_check") == []
    assert rows(file, "SELECT count(*) FROM answers") == rows(
        file, "SELECT count(DISTINCT item || ' ' || step || ' ' || about || ' ' || who) FROM answers"
    )
    live = "SELECT 1 FROM jobs WHERE jobs.item = items.seq AND jobs.state IN ('ready', 'running', 'delayed', 'failed')"
    assert rows(file, f"SELECT id FROM items WHERE state IN ('open', 'waiting') AND NOT EXISTS ({live})") == []  # noqa: S608


def status(file: Path) -> dict[str, Any]:
    """What `status --json` says."""
    told = command("status", file, "--json")
    assert told.code == 0, told.err
    found: dict[str, Any] = json.loads(told.out)
    return found
