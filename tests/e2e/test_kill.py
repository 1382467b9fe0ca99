"""kill -9 of the real command line at random moments, each time followed by the same command."""

import os
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from tests.e2e.machine import begin, begin_anew, campaign, command, copied, ledger, rows, sound, until
from tests.e2e.models import Models, serving

from benchwright.drill.child import contents
from benchwright.drill.record import Entry
from benchwright.show.code import Code

SEED = int(os.environ.get("BENCHWRIGHT_SEED", "25"))  # scripts/endure sets it
KILLS, HITS = 25, 15  # how often it is killed, and how often at least while calls are in flight
LATENCY = 0.04  # seconds
START = 1.0  # seconds in which a process that begins anew is killed: longer, and a fast machine ends the campaign
BEGUN = "SELECT 1 FROM sqlite_schema WHERE name = 'calls'"
ENDS = {Code.DONE, Code.WAITING}


@dataclass(frozen=True, slots=True)
class Left:
    """What a kill left: the ledger, and how many requests the models had seen by then."""

    seen: int
    ledger: dict[str, Entry]

    def traces(self, state: str) -> set[str]:
        """What was asked, of the calls in that state."""
        return {entry.trace for entry in self.ledger.values() if entry.state == state}


def killed(file: Path, models: Models, chance: Random, *, at_start: bool, most: int = 10) -> Left | None:
    """Run, kill at a random moment, look; None where there is nothing to see yet.

    The moment is a time since the process began, or, so that it hits calls in flight on a machine of any speed, a time
    since the models saw the n-th request of this run, n being `most` at most.
    """
    before, run = len(models.traces), (begin_anew if at_start else begin)("run", file)
    if not at_start:
        nth = before + chance.randint(1, most)
        until(lambda: len(models.traces) >= nth or run.process.poll() is not None, "calls arrive")
    time.sleep(chance.uniform(0, START) if at_start else chance.uniform(0, LATENCY))
    ended = run.kill()
    assert ended.killed or ended.code in ENDS, ended
    looked_at = copied(file, file.parents[1] / "look")
    if not (looked_at.with_suffix(".db").exists() and rows(looked_at, BEGUN)):
        return None
    return Left(len(models.traces), ledger(looked_at))


@pytest.mark.timeout(300)
def test_a_campaign_killed_at_25_random_moments_exports_the_same_bytes_and_pays_nothing_completed_twice(
    tmp_path: Path,
) -> None:
    with serving(LATENCY) as models:
        whole = campaign(tmp_path / "whole", models.url, reports=12)
        assert begin_anew("run", whole).end().code in ENDS
        before = len(models.traces)
        cut, chance = campaign(tmp_path / "cut", models.url, reports=12), Random(SEED)
        left = [killed(cut, models, chance, at_start=number % 5 == 0) for number in range(KILLS)]
        assert command("run", cut).code in ENDS
        seen = models.traces
    found = [one for one in left if one]
    assert sum(bool(one.traces("intended")) for one in found) >= HITS
    nothing_completed_was_paid_twice(seen, before, found, ledger(cut))
    sound(cut)
    exported = [contents(export(file)) for file in (whole, cut)]
    assert exported[0] == exported[1]
    assert len(exported[0]["items.jsonl"].splitlines()) >= 3


def nothing_completed_was_paid_twice(seen: list[str], before: int, found: list[Left], last: dict[str, Entry]) -> None:
    """The models' own log against the ledger after each kill and at the end."""
    for one in found:
        assert not one.traces("done") & set(seen[one.seen :])
    times = Counter(seen[before:])
    assert {entry.trace: entry.state for entry in last.values()} == dict.fromkeys(times, "done")
    assert len(last) == len(times)  # each completed reply once
    # A request that left again is visible as such, and only what was in flight at a kill did.
    assert all(times[entry.trace] <= entry.sent for entry in last.values())
    assert times.total() - len(times) <= sum(len(one.traces("intended")) for one in found)


def export(file: Path) -> Path:
    """The folder of the set."""
    assert command("export", file).code == Code.DONE
    return file.with_name(f"{file.stem}-set")
