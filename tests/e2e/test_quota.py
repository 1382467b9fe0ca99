"""A provider that gives no more, or only now and then: the real command line against a server on loopback."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import answer, served, typed
from tests.scripted_recall import phrase
from tests.stub import Answer, Raw, completion

from benchwright.engine import outcome
from benchwright.engine.runner import claims
from benchwright.llm.limits import circuit
from benchwright.show.code import Code

# Five jobs for each document: topic, question, correct option, distractors, one check. So 20 documents are 100 jobs.
CAMPAIGN = """
name = "hundred"
pipeline = "recall"
corpus = ["documents"]
[recall]
taxonomy = "topics.toml"
distractors = 2
min_options = 3
refills = 0
check_stems = false
check_evidence = false
family_veto = false
[rule]
quorum = 1
[models.writer]
base_url = "{url}"
model = "stub"
width = {width}
[roles]
default = "writer"
check_option = {{ panel = ["writer"] }}
"""
TOPICS = """
[[classes]]
name = "One"
topics = [{ name = "this" }, { name = "that" }]
"""


def campaign(folder: Path, url: str, *, documents: int = 20, width: int = 8) -> Path:
    (folder / "documents").mkdir(exist_ok=True)
    for number in range(documents):
        text = f"# Report {number}\n\nThis document is kept. It tells of {phrase(number)}.\n"
        (folder / "documents" / f"{number:03}.md").write_text(text, "utf-8")
    (folder / "topics.toml").write_text(TOPICS, "utf-8")
    path = folder / "hundred.toml"
    path.write_text(CAMPAIGN.format(url=url, width=width), "utf-8")
    return path


def rows(file: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file.with_suffix(".db"))) as connection:
        return connection.execute(sql).fetchall()


def scarce(most: int, wall: Raw) -> Answer:
    """Answers so many requests, and then no more."""
    left = iter(range(most))
    return lambda body: answer(body) if next(left, None) is not None else wall


def test_after_60_of_100_calls_a_quota_pauses_the_run_and_the_next_one_makes_exactly_the_other_40(
    tmp_path: Path,
) -> None:
    wall = Raw(429, '{"error": {"message": "quota exceeded"}}', {"retry-after": "3600"})
    with served(scarce(60, wall)) as stub:
        file = campaign(tmp_path, stub.url)
        began = datetime.now(UTC)
        ran = typed("run", file)
        assert ran.code == Code.PAUSED, ran
        told = " ".join(ran.out.split())  # however the lines are broken
        assert "paused (quota): model 'writer': " in told
        assert "'quota exceeded' (status 429); more at 20" in told
        assert "then run the same command" in told
        assert rows(file, "SELECT count(*) FROM calls WHERE state = 'done'") == [(60,)]
        assert rows(file, "SELECT count(*) FROM answers") == [(60,)]
        assert rows(file, "SELECT DISTINCT state, attempt FROM jobs WHERE state NOT IN ('done')") == [("ready", 0)]
        told = typed("status", file, "--json").json["ended"]
        assert (told["how"], told["cause"]) == ("paused", "quota")
        assert 3500 < (datetime.fromisoformat(told["until"]) - began).total_seconds() < 3700
        assert "paused (quota): " in typed("status", file).out

        # before its time is over it simply tries again, and finds the same
        assert typed("run", file, "--json").json["ended"]["cause"] == "quota"
        assert rows(file, "SELECT count(*) FROM calls WHERE state = 'done'") == [(60,)]

        before = len(stub.seen)
        stub.answer = answer
        assert typed("run", file).code == Code.DONE
        assert len(stub.seen) - before == 40
        assert rows(file, "SELECT count(*), sum(state = 'done') FROM calls") == [(100, 100)]
        assert rows(file, "SELECT count(*) FROM jobs WHERE state = 'done'") == [(100,)]


def test_an_account_without_credit_pauses_the_run_whatever_the_status(tmp_path: Path) -> None:
    wall = Raw(400, json.dumps({"error": {"message": "Your credit balance is too low", "type": "invalid_request"}}))
    with served(scarce(10, wall)) as stub:
        file = campaign(tmp_path, stub.url, documents=4)
        ran = typed("run", file)
        assert ran.code == Code.PAUSED
        assert "has no credit left; add some" in ran.out
        stub.answer = answer
        assert typed("run", file).code == Code.DONE
        assert rows(file, "SELECT count(*), sum(state = 'done') FROM calls") == [(20, 20)]


def test_200_rate_limits_cost_no_attempt_and_only_real_failures_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """50 jobs of 3 attempts each: 200 refusals, then each of 50 requests fails once, then all is well."""
    monkeypatch.setattr(outcome, "ATTEMPTS", 3)
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.01)
    refused, failed = iter(range(200)), Counter[str]()

    def said(body: dict[str, Any]) -> dict[str, Any] | Raw:
        if next(refused, None) is not None:
            return Raw(429, "slow down", {"retry-after": "0.01"})
        key = json.dumps(body["messages"])
        failed[key] += 1
        return Raw(500, "boom") if failed[key] == 1 and len(failed) % 2 else answer(body)

    with served(said) as stub:
        file = campaign(tmp_path, stub.url, documents=10)
        ran = typed("run", file)
        assert ran.code == Code.DONE, ran
        assert rows(file, "SELECT count(*) FROM answers WHERE json_extract(body, '$.failure') IS NOT NULL") == [(0,)]
        assert rows(file, "SELECT count(*), sum(state = 'done') FROM calls") == [(50, 50)]
        attempts = Counter(dict(rows(file, "SELECT attempt, count(*) FROM jobs GROUP BY 1")))
        failures = sum(count - 1 for count in failed.values())
        assert failures > 10
        assert sum((attempt - 1) * count for attempt, count in attempts.items()) == failures
        assert max(attempts) == 2
        assert len(stub.seen) == 200 + 50 + failures


def test_replies_that_never_parse_stop_the_run_show_one_and_leave_nothing_behind(tmp_path: Path) -> None:
    def said(body: dict[str, Any]) -> dict[str, Any]:
        return completion(body, "Of course!\x1b[2J Here are my thoughts.")

    with served(said) as stub:
        file = campaign(tmp_path, stub.url, documents=40)
        ran = typed("run", file)
        assert ran.code == Code.FAILED
        assert "model 'writer': 20 of 20 replies did not parse (no_json 20)" in ran.err
        assert "'Of course!\\x1b[2J Here are my thoughts.'" in ran.err
        assert "\x1b[2J" not in ran.out + ran.err
        assert len(stub.seen) <= 2 * (20 + claims(8))  # what is in work when it stops is asked and corrected once
        assert rows(file, "SELECT count(*) FROM answers") == [(0,)]
        assert rows(file, "SELECT DISTINCT state FROM items") == [("open",)]
        assert typed("export", file).code == Code.DONE
        assert (tmp_path / "hundred-set" / "items.jsonl").read_text() == ""

        # another model is asked anew for all that the first one spoilt
        stub.answer = answer
        changed = file.read_text().replace('model = "stub"', 'model = "other"')
        file.write_text(changed)
        assert typed("run", file).code == Code.USAGE
        assert typed("run", file, "--accept-changes").code == Code.DONE
        assert rows(file, "SELECT count(*) FROM items WHERE state = 'kept'") == [(40,)]


def test_an_endpoint_that_breaks_down_is_left_alone_and_the_run_goes_on_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(circuit, "FIRST", 0.2)
    monkeypatch.setattr(outcome, "backoff", lambda attempt, jitter: 0.05)
    count = iter(range(10_000))

    def said(body: dict[str, Any]) -> dict[str, Any] | Raw:
        return Raw(502, "<html>Bad Gateway</html>") if 10 <= next(count) < 20 else answer(body)

    with served(said) as stub:
        file = campaign(tmp_path, stub.url, documents=4, width=4)
        ran = typed("run", file)
        assert ran.code == Code.DONE
        assert "writer rests for 0 s: model 'writer': " in ran.out
        assert "calls in a row have failed" in ran.out
        assert rows(file, "SELECT count(*), sum(state = 'done') FROM calls") == [(20, 20)]
        assert len(stub.seen) == 30
