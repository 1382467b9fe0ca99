"""kill -9 on both sides of a barrier: the next process goes on, and the set is the same."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.phased.pipeline import Pairs, campaign
from tests.phased.rig import phased, write_records

from benchwright.engine.runner import How

RECORDS = 5


def killed_at(folder: Path, call: int) -> int:
    """The exit code of a process that is killed at a call of its own."""
    command = [sys.executable, "-m", "tests.phased.die", str(folder), str(call)]
    return subprocess.run(command, check=False).returncode


@pytest.mark.parametrize("calls", [(RECORDS - 1, 1), (RECORDS, 0, 3)], ids=["before it falls", "after it has fallen"])
async def test_a_campaign_killed_around_a_barrier_comes_to_the_same_set(tmp_path: Path, calls: tuple[int, ...]) -> None:
    write_records(tmp_path, RECORDS)
    async with phased(Pairs(campaign(width=1)), tmp_path) as one:
        assert (await one.run()).how is How.DONE
        whole = await one.ends()
    for call in calls:
        assert killed_at(tmp_path, call) == -signal.SIGKILL
    async with phased(Pairs(campaign(width=1)), tmp_path, path=tmp_path / "campaign.db") as one:
        assert (await one.run()).how is How.DONE
        assert await one.ends() == whole
