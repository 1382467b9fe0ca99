"""People who compare answers see the two answers, and nothing that tells whose they are."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
from tests.cli.campaign import typed
from tests.contracts.commands import link
from tests.crisis.campaign import RECORDS, campaign
from tests.crisis.models import agree
from tests.e2e.machine import environment
from tests.stub import Stub, in_thread

from benchwright.show.code import Code


def test_no_surface_shows_whose_answers_people_compare(tmp_path: Path) -> None:
    with in_thread(Stub(agree)) as models:
        file = campaign(tmp_path, models.url, settings="compared = 1.0\npairs = 1", records=RECORDS[:1])
        assert typed("run", file).code == Code.WAITING
    cards = tmp_path / "cards.jsonl"
    assert typed("review", "export", file, cards).code == Code.DONE
    rows = [json.loads(line) for line in cards.read_text("utf-8").splitlines()]
    assert len(rows) == 6
    for row in rows:
        assert {"first", "second", "question"} <= set(row)
        shown = str({name: value for name, value in row.items() if name not in {"about", "key"}})
        tells_nothing(shown)
    tells_nothing(page_of(file))


def tells_nothing(shown: str) -> None:
    """The notes behind the scene, with the answers of people for all times, are nowhere."""
    assert "resource_class" not in shown
    assert "replies" not in shown
    gold = RECORDS[0]["solutions"]
    assert sum(one in shown for one in gold) <= 1


def page_of(file: Path) -> str:
    """A card at the desk, without the names of its form's fields."""
    line = [sys.executable, "-m", "benchwright", "review", "serve", str(file), "--port", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(line, env=environment(), **pipes) as desk:
        try:
            base, word = link(desk).split("/enter?word=")
            with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
                page = browser.post("/enter", data={"word": word, "name": "Bob"}).text
                assert "First answer" in page
                assert 'aria-label="The document"' not in page
                return page
        finally:
            desk.send_signal(signal.SIGINT)
