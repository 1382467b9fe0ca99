"""kill -9 of the engine with 64 calls in flight (QUEUE tests 1 and 16), judged by files that the queue never sees."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import pytest
from tests.e2e.engine import WIDTH
from tests.e2e.machine import copied, environment, rows, sound, until

from benchwright.engine.outcome import DEADLY
from benchwright.engine.runner import claims

SEED = int(os.environ.get("BENCHWRIGHT_SEED", "64"))  # scripts/endure sets it
KILLS = int(os.environ.get("BENCHWRIGHT_KILLS", "3"))
REPORTS = 60 + 7 * KILLS
LINE = 33  # bytes of a line in the files: an id


class Engine:
    """Processes that run one campaign, one after the other."""

    def __init__(self, folder: Path, reports: int) -> None:
        (folder / "reports").write_text(str(reports))
        self.folder = folder
        self.file = folder / "engine.toml"
        self.server = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.engine", str(folder)],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def told(self) -> int:
        """The next number that the server prints."""
        assert self.server.stdout
        return int(self.server.stdout.readline())

    def begin(self) -> int:
        """Begin a run; the id of its process."""
        assert self.server.stdin
        self.server.stdin.write("run\n")
        self.server.stdin.flush()
        return self.told()

    def count(self, name: str) -> int:
        """How many lines a file has, without reading it."""
        file = self.folder / name
        return file.stat().st_size // LINE if file.exists() else 0

    def noted(self, name: str) -> list[str]:
        """The calls in one of the two files."""
        file = self.folder / name
        return file.read_text().split() if file.exists() else []


@contextmanager
def engine(folder: Path, reports: int) -> Iterator[Engine]:
    """The server that forks."""
    one = Engine(folder, reports)
    try:
        yield one
    finally:
        one.server.kill()
        one.server.communicate()


def states(file: Path) -> dict[str, str]:
    """The ledger: the state of each call."""
    with closing(sqlite3.connect(file.with_suffix(".db"))) as connection:
        return dict(connection.execute("SELECT id, state FROM calls"))


def killed(one: Engine, chance: Random) -> int:
    """Run, kill at a random moment, and hold the ledger against the two files; how many calls were in flight."""
    before, process = one.count("paid"), one.begin()
    wanted = before + WIDTH + chance.randint(16, 96)
    until(lambda: one.count("paid") >= wanted or not Path(f"/proc/{process}").exists(), "calls are in flight")
    time.sleep(chance.uniform(0, 0.02))
    os.kill(process, signal.SIGKILL)
    assert one.told() == -signal.SIGKILL, "the campaign ended before it could be killed: give it more reports"
    after = copied(one.file, one.folder / "look")
    sound(after)
    found, paid = states(after), one.noted("paid")
    flying = {name for name, state in found.items() if state == "intended"}
    assert set(one.noted("done")) <= found.keys() - flying
    assert set(paid) - flying <= found.keys()
    return len(flying)


@pytest.mark.timeout(300)
def test_nothing_acknowledged_is_lost_or_paid_again_however_often_64_calls_in_flight_are_killed(tmp_path: Path) -> None:
    chance = Random(SEED)
    with engine(tmp_path, REPORTS) as one:
        flying = [killed(one, chance) for _ in range(KILLS)]
        one.begin()
        assert one.told() == 0
        paid, done = Counter(one.noted("paid")), Counter(one.noted("done"))
    assert sum(count >= WIDTH * 3 // 8 for count in flying) >= KILLS * 3 // 4
    assert set(done.values()) == {1}
    sent = dict(rows(one.file, "SELECT id, sent FROM calls"))
    assert states(one.file) == dict.fromkeys(paid, "done")
    assert all(count <= sent[name] for name, count in paid.items())
    assert 0 < paid.total() - len(paid) <= sum(flying)
    assert max(flying) <= claims(WIDTH)  # some have been noted but wait at the gate
    sound(one.file)
    assert rows(one.file, "SELECT count(*) FROM answers WHERE body LIKE '%crashed%'") == [(0,)]


def test_a_job_that_kills_the_process_every_time_dies_alone_and_its_neighbours_come_through(tmp_path: Path) -> None:
    (tmp_path / "poison").touch()
    with engine(tmp_path, reports=6) as one:
        ends = list[int]()
        while not ends or ends[-1]:
            one.begin()
            ends.append(one.told())
            assert len(ends) <= DEADLY + 6 * 3  # until it is a suspect it shares the blame with the five others
    assert ends == [7] * (len(ends) - 1) + [0]
    assert rows(one.file, "SELECT cause FROM items WHERE cause LIKE '%crashed%'") == [("choose_class: crashed",)]
    assert rows(one.file, "SELECT count(*) FROM answers WHERE body LIKE '%crashed%'") == [(1,)]
    sound(one.file)
