"""Death at chosen moments: between a reply and its commit, between that and the answer's commit (QUEUE test 2)."""

from collections import Counter
from pathlib import Path

import pytest
from tests.e2e import die
from tests.e2e.machine import campaign, command, ledger, sound, status
from tests.e2e.models import serving

from benchwright.show.code import Code


@pytest.mark.parametrize(
    ("moment", "uncertain", "paid_again"),
    [("settle", 1, 1), ("close", 0, 0)],
    ids=["between reply and commit", "between ledger and answer"],
)
def test_a_death_around_a_commit_costs_at_most_one_call_which_the_status_shows(
    tmp_path: Path, moment: str, uncertain: int, paid_again: int
) -> None:
    with serving(0.01) as models:
        file = campaign(tmp_path / "campaign", models.url, reports=1, width=1, distractors=2)
        assert command(moment, 3, "run", file, main=die.main).code == 9
        assert status(file)["uncertain"] == uncertain
        before = len(models.traces)
        assert before == 3  # so far one after the other
        assert command("run", file).code in {Code.DONE, Code.WAITING, Code.PARTIAL}
        times = Counter(models.traces)
    assert status(file)["uncertain"] == uncertain  # for good: it may have been paid for twice
    assert times.total() - len(times) == paid_again
    entries = ledger(file).values()
    assert {entry.trace: entry.sent for entry in entries} == times
    assert {entry.state for entry in entries} == {"done"}
    sound(file)
