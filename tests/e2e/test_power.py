"""The power goes: what lies on disk at any instant opens, is sound, and holds all that was acknowledged (QUEUE test 4).

A copy of database and log while the process stands still is what a power cut leaves of them, where all that was synced
has arrived and nothing else is older. A torn copy ends its log in the middle of what was being written.
"""

import os
import shutil
import signal
import time
from pathlib import Path
from random import Random

import pytest
from tests.e2e.engine import WIDTH
from tests.e2e.machine import rows, sound, until
from tests.e2e.test_flight import SEED, Engine, engine, states

COPIES = int(os.environ.get("BENCHWRIGHT_COPIES", "5"))  # scripts/endure sets it
FRAME = 4096 + 24  # bytes of a page in the log


def copy(one: Engine, process: int, chance: Random, torn: Path) -> int:
    """Hold the process, copy its files, let it go; how many calls were acknowledged by then: the copy has them."""
    time.sleep(chance.uniform(0, 0.05))
    os.kill(process, signal.SIGSTOP)
    acknowledged = one.noted("done")
    whole = one.folder / "whole"
    for folder in (whole, torn):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for ending in ("", "-wal"):
            shutil.copy(f"{one.file.with_suffix('.db')}{ending}", folder / f"engine.db{ending}")
    os.kill(process, signal.SIGCONT)
    copied = whole / "engine.toml"
    sound(copied)
    found = states(copied)
    assert {found[name] for name in acknowledged} <= {"done"}
    return len(acknowledged)


def tear(folder: Path, chance: Random) -> None:
    """Cut the log off in the middle of a page that was being written, or write rubbish in its place."""
    log = folder / "engine.db-wal"
    size = log.stat().st_size
    with log.open("r+b") as file:
        if chance.random() < 0.5:
            file.truncate(max(0, size - chance.randrange(1, FRAME)))
        else:
            file.seek(max(0, size - chance.randrange(1, FRAME)))
            file.write(chance.randbytes(16))


@pytest.mark.timeout(300)
def test_what_a_power_cut_leaves_is_sound_and_holds_all_that_was_acknowledged(tmp_path: Path) -> None:
    chance = Random(SEED)
    with engine(tmp_path, 20 + 4 * COPIES) as one:
        process, held = one.begin(), list[int]()
        for number in range(COPIES):
            wanted = one.count("paid") + WIDTH // 2
            until(lambda wanted=wanted: one.count("paid") >= wanted, "calls are in flight")  # type: ignore[misc]
            held.append(copy(one, process, chance, torn := tmp_path / "torn"))
            tear(torn, chance)
            sound(torn / "engine.toml")
            assert number == 0 or held[-1] > 0
        os.kill(process, signal.SIGKILL)
        one.told()
    assert sorted(held) == held
    assert rows(one.file, "PRAGMA synchronous") == [(2,)]
