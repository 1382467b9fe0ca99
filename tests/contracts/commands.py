"""What every kind of item must do at the command line: each command works, or says that it does not apply.

A case is a campaign of one pipeline, of which something waits for people. `made` runs it once, killed on the way; then
every check looks at a copy, or goes on with one.
"""

import io
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.cli.campaign import Typed, typed
from tests.e2e.forks import Main
from tests.e2e.machine import begin, command, environment, rows, sound
from tests.stub import Stub

from benchwright.domain.source import Inputs
from benchwright.pipelines import PIPELINES
from benchwright.show.code import Code

FORMS = {"csv": "cards.csv", "xlsx": "cards.xlsx", "label-studio": "tasks.json", "argilla": "records.json"}
PATIENCE = 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Case:
    """A pipeline at the command line.

    `write` puts a campaign for models at an address into a folder. `thing` is what its panel votes on, `voted` whether
    that is by yes or no, `key` what decides a card at the desk, `filled` the same as fields of a file and a page.
    `files` are those of its set. `module` is what Python runs, `main` the same as a function.
    """

    pipeline: str
    write: Callable[[Path, str], Path]
    main: Main
    module: str
    thing: str
    voted: bool
    key: str
    filled: Mapping[str, str]
    files: frozenset[str]
    wanted: int  # items, in all phases
    takes: str  # how the name of a file of its corpus may end


def made(case: Case, folder: Path, models: Stub) -> Path:
    """Run the case's campaign, kill the run with calls in flight, and run it to where people are next."""
    file = case.write(folder, models.url)
    before = len(models.seen)
    first = begin("run", file, main=case.main)
    end = time.monotonic() + PATIENCE
    while len(models.seen) - before < 5:
        assert time.monotonic() < end, "the run has asked nothing"
        time.sleep(0.002)
    assert first.kill().killed
    ran = command("run", file, main=case.main)
    assert ran.code == Code.WAITING, ran.out + ran.err
    assert "people" in ran.out
    sound(file)
    return file


def init_writes_a_campaign_that_names_the_pipeline(case: Case, folder: Path) -> None:
    """And does not overwrite it; what has not begun says so in words."""
    file = folder / "first" / "campaign.toml"
    told = typed("init", file, "--pipeline", case.pipeline)
    assert (told.code, case.takes in told.out) == (Code.DONE, True)
    text, made = file.read_text("utf-8"), PIPELINES[case.pipeline]
    assert f'pipeline = "{case.pipeline}"' in text
    votes = any(role.votes for role in made.roles)
    assert ("[rule]" in text, "audit = " in text) == (votes, votes)
    assert ("long_documents" in text) == (Inputs.DOCUMENTS in made.inputs and not made.splits)
    assert "\n\n\n" not in text
    assert typed("init", file, "--pipeline", case.pipeline).code == Code.USAGE
    for name in ("status", "items", "checkers"):
        told = typed(name, file)
        assert (told.code, "benchwright run" in told.err) == (Code.USAGE, True), name


def doctor_finds_all_in_order(case: Case, folder: Path, url: str) -> None:
    """Corpus and models."""
    told = typed("doctor", case.write(folder, url), "--json")
    assert (told.code, told.err) == (Code.DONE, "")
    assert {"corpus"} < {check["name"] for check in told.json}


def estimate_counts_items_and_calls_before_anything_is_asked(case: Case, folder: Path, models: Stub) -> None:
    """As many items as the campaign then makes; no model is asked."""
    file, before = case.write(folder, models.url), len(models.seen)
    told = typed("estimate", file, "--json")
    assert told.code == Code.DONE, told.err
    assert told.json["items"] == case.wanted
    assert 0 < told.json["calls"]["low"] <= told.json["calls"]["high"]
    assert len(models.seen) == before
    assert "calls" in typed("estimate", file).out
    piloted = typed("estimate", file, "--pilot", "2", "--json")
    assert (piloted.code, len(models.seen) > before) == (Code.DONE, True), piloted.err
    assert piloted.json["items"] == case.wanted or any("is not in it" in note for note in piloted.json["notes"])


def status_and_items_tell_how_it_stands(case: Case, file: Path) -> None:
    """The same in both; every item is listed with what it is."""
    status, listed = typed("status", file, "--json").json, typed("items", file, "--json").json
    assert status["items"]["waiting"] == sum(one["state"] == "waiting" for one in listed) > 0
    assert len(listed) == rows(file, "SELECT count(*) FROM items")[0][0]
    assert all(one["title"] and one["document"] for one in listed if one["state"] != "discarded")
    assert "waiting" in typed("status", file).out
    assert typed("items", file, "--state", "waiting").out.count("waiting") == status["items"]["waiting"]


def every_item_is_explained(case: Case, file: Path) -> None:
    """Each with its own story, in words and as JSON."""
    for one in typed("items", file, "--json").json:
        told = typed("explain", file, one["id"])
        assert (told.code, told.err) == (Code.DONE, ""), told.err
        assert one["title"][:40] in " ".join(told.out.split())
        assert typed("explain", file, one["id"], "--json").json["item"]["id"].startswith(one["id"])


def checkers_are_measured(case: Case, file: Path) -> None:
    """Each model of the panel, about the kind's own things."""
    found = typed("checkers", file, "--json").json["panels"]
    assert found
    assert all(len(panel["checkers"]) > 1 for panel in found)
    told = typed("checkers", file)
    assert (told.code, told.err, f"{case.thing}s" in told.out) == (Code.DONE, "", True)


def another_rule_is_tried_or_said_not_to_apply(case: Case, file: Path) -> None:
    """Never an empty table."""
    told = typed("whatif", file, "--accept", "0.5", "--reject", "0.4")
    applied = typed("whatif", file, "--accept", "0.5", "--apply", "--by", "ada", "--why", "so")
    if case.voted:
        assert (told.code, f"{case.thing}s keep" in told.out, applied.code) == (Code.DONE, True, Code.DONE)
        return
    for refused in (told, applied):
        assert (refused.code, f"no {case.thing} of this kind is decided by yes/no" in refused.err) == (Code.USAGE, True)


def people_decide_at_the_terminal(case: Case, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One card with one key."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{case.key}\nq\n"))
    told = typed("review", file, "--reviewer", "ada")
    assert (told.code, told.err) == (Code.DONE, "")
    assert "1 decision made" in told.out


def people_decide_on_a_page(case: Case, file: Path) -> None:
    """One card with one button, over the real server."""
    line = [sys.executable, "-m", case.module, "review", "serve", str(file), "--port", "0"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with subprocess.Popen(line, env=environment(), **pipes) as desk:
        try:
            base, word = link(desk).split("/enter?word=")
            with httpx2.Client(base_url=base, follow_redirects=True, headers={"Origin": base}) as browser:
                shown = browser.post("/enter", data={"word": word, "name": "Bob"}).text
                fields = hidden(shown)
                assert "card" in fields, shown
                after = browser.post("/decide", data={**fields, **case.filled, "reason": ""})
                assert after.status_code == 200, after.text
                assert hidden(after.text).get("card") != fields["card"]
        finally:
            desk.send_signal(signal.SIGINT)


def hidden(page: str) -> dict[str, str]:
    """The hidden fields of a page's first form, which is that of the card."""
    found: dict[str, str] = {}
    for name, value in re.findall(r'type="hidden" name="(csrf|card)" value="([^"]+)"', page):
        found.setdefault(name, value)
    return found


def link(desk: "subprocess.Popen[str]") -> str:
    """The link that a served desk prints."""
    assert desk.stdout
    while found := desk.stdout.readline():
        if match := re.match(r"  .+: (http://\S+)", found):
            return match[1]
    pytest.fail("the desk did not open")


def people_decide_in_files(case: Case, file: Path, folder: Path) -> Typed:
    """All that waits, in every form; one is filled in and taken back."""
    folder.mkdir()
    for form, name in FORMS.items():
        told = typed("review", "export", file, folder / name, "--format", form)
        assert (told.code, told.err) == (Code.DONE, ""), told.err
        assert (folder / name).stat().st_size > 0
    cards = folder / "cards.jsonl"
    assert typed("review", "export", file, cards).code == Code.DONE
    filled = [json.loads(line) | case.filled for line in cards.read_text("utf-8").splitlines()]
    assert filled
    cards.write_text("".join(f"{json.dumps(row)}\n" for row in filled), "utf-8")
    told = typed("review", "import", file, cards, "--by", "cyd")
    assert (told.code, told.err) == (Code.DONE, ""), told.out + told.err
    return told


def ends_when_people_have_decided_and_is_exported(case: Case, file: Path, folder: Path) -> None:
    """Decide whatever waits until nothing does, then write the set, twice the same."""
    for turn in range(20):
        ran = command("run", file, main=case.main)
        if ran.code != Code.WAITING:
            break
        people_decide_in_files(case, file, folder / str(turn))
    assert ran.code in {Code.DONE, Code.PARTIAL}, ran.out + ran.err
    sets = [folder / name for name in ("one", "two")]
    for place in sets:
        told = typed("export", file, "--folder", place)
        assert (told.code, told.err) == (Code.DONE, ""), told.err
    files = [sorted(path for path in place.rglob("*") if path.is_file()) for place in sets]
    found = [
        {path.relative_to(place).as_posix(): path.read_bytes() for path in paths}
        for place, paths in zip(sets, files, strict=True)
    ]
    assert case.files <= set(found[0])
    assert all(found[0][name] for name in case.files)
    assert {name: found[0][name] for name in case.files} == {name: found[1][name] for name in case.files}
    counts = json.loads(found[0]["manifest.json"])["counts"]["items"]
    kept = json.loads(typed("items", file, "--state", "kept", "--json").out)
    assert (counts["exported"], counts["waiting_for_people"]) == (len(kept), 0)
    card, manifest = found[0]["README.md"].decode(), json.loads(found[0]["manifest.json"])
    assert f"| items | {len(kept)} |" in card
    assert "## What people decided" in card
    assert manifest["judgements"]["panels"]
    assert manifest["judgements"]["people"]["reviewers"] == 1
    assert not any(b"human:cyd" in data for data in found[0].values()), "people are published under pseudonyms"
    named = folder / "named"
    assert typed("export", file, "--folder", named, "--names").code == Code.DONE
    published = any(b"human:reviewer-1" in data for data in found[0].values())
    assert any(b"human:cyd" in path.read_bytes() for path in named.rglob("*") if path.is_file()) == published
    every_item_is_explained(case, file)


def copied(file: Path, folder: Path) -> Path:
    """A campaign, with all that lies beside it, to go on with."""
    return Path(shutil.copytree(file.parent, folder, ignore_dangling_symlinks=True)) / file.name
