"""kill -9 in each phase of a campaign about incidents: the next run goes on, and the set is the same, byte by byte."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.crisis.campaign import RECORDS, campaign
from tests.crisis.models import agree
from tests.e2e.machine import begin, command, rows, sound, until
from tests.stub import Stub, in_thread

from benchwright.drill.child import contents
from benchwright.show.code import Code

# A field of what is wanted of a model in each phase.
FIELDS = {"scenes": "best", "questions": "immediate", "answers": "explanation", "judgement": "better"}
SETTINGS = 'compared = 0.0\npairwise = "people"'


def asks(body: dict[str, Any], phase: str) -> bool:
    """Whether a request is of that phase."""
    return f'"{FIELDS[phase]}"' in str(body["response_format"]).replace("'", '"')


@pytest.mark.timeout(240)
def test_a_campaign_killed_in_each_phase_comes_to_the_same_bytes(tmp_path: Path) -> None:
    with in_thread(Stub(agree, latency=0.02)) as models:
        whole, cut = (
            campaign(tmp_path / name, models.url, settings=SETTINGS, records=RECORDS[:1]) for name in ("whole", "cut")
        )
        assert command("run", whole).code == Code.DONE
        for phase in FIELDS:
            before = len(models.seen)
            run = begin("run", cut)
            until(partial(has_asked, models, before, phase), f"{phase} is asked about")
            assert run.kill().killed
            sound_after(cut, phase)
        assert command("run", cut).code == Code.DONE
    sound(cut)
    sets = [contents(export(file)) for file in (whole, cut)]
    assert sets[0] == sets[1]
    assert len(sets[0]["judgements.jsonl"].splitlines()) == 2 * 3 * 3


def has_asked(models: Stub, before: int, phase: str) -> bool:
    """Whether the models were asked something of that phase after so many requests."""
    return any(asks(one, phase) for one in models.seen[before:])


def sound_after(file: Path, phase: str) -> None:
    """Something of that phase has begun, and nothing is lost."""
    assert rows(file, "SELECT count(*) FROM phases")[0][0] >= list(FIELDS).index(phase) + 1
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]


def export(file: Path) -> Path:
    """The folder of the set."""
    assert command("export", file).code == Code.DONE
    return file.with_name(f"{file.stem}-set")
