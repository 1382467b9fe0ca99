"""`benchwright evaluate` and `benchwright report`: real models on loopback, kills, failures, files from elsewhere."""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed
from tests.e2e.machine import Command, begin, campaign, command, until
from tests.evaluation.made import answer, by_model, contents, evaluation, question_in, write_set
from tests.stub import Stub, in_thread

from benchwright.show.code import Code


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a set, in which the commands are typed."""
    monkeypatch.chdir(tmp_path)
    return write_set(tmp_path / "set").parent


def models(url: str, *names: str) -> list[str]:
    return [word for name in names for word in ("--model", f"{url}#{name}")]


# ------------------------------------------------------------------------------------------------ asking models


def test_models_are_asked_and_measured_and_one_that_writes_no_json_fails_alone(here: Path) -> None:
    with in_thread(Stub(answer)) as stub:
        told = typed("evaluate", "set", *models(stub.url, "strong", "weak", "shy", "mute"), "--json")
    found = by_model(told.json)

    assert told.code == Code.DONE, told.err
    assert [found[name]["answered"] for name in ("strong", "weak", "shy", "mute")] == [12, 12, 12, 0]
    assert found["strong"]["mean"]["exact"] == 1
    assert found["weak"]["mean"]["exact"] == 3 / 12
    assert (found["shy"]["abstained"], found["shy"]["mean"]["exact"]) == (12, 0)
    assert (found["mute"]["failed"], found["mute"]["mean"], found["mute"]["failures"]) == (12, None, {"no_json": 12})
    assert {one["question"] for one in rows(here)} == {f"q{n:03}" for n in range(12)}


def rows(here: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(here / "set-evaluation.db")) as connection:
        return [json.loads(body)["task"] for (body,) in connection.execute("SELECT body FROM items")]


def test_the_same_command_again_asks_nobody_and_says_the_same(here: Path) -> None:
    with in_thread(Stub(answer)) as stub:
        words = ("evaluate", "set", *models(stub.url, "strong", "weak"), "--json")
        first, seen = typed(*words), len(stub.seen)
        assert typed(*words).json == first.json
        assert len(stub.seen) == seen == 24
        assert typed("report", "set-evaluation.toml", "--json").json == first.json
        other = typed("evaluate", "set", *models(stub.url, "weak"))
    assert (other.code, "is there already and says something else" in other.err) == (Code.USAGE, True)


def test_a_killed_evaluation_goes_on_without_asking_anything_twice(here: Path) -> None:
    """Show: three models, one of them mute; killed with calls in flight, again and again."""
    with in_thread(Stub(answer, latency=0.03)) as stub:
        (here / "e.toml").write_text(evaluation(stub.url, "strong", "weak", "mute"), "utf-8")
        for kill in range(3):
            before, run = len(stub.seen), begin("evaluate", here / "e.toml")
            until(partial(has_seen, stub, before + 5, run), "calls arrive")
            assert run.kill().killed, kill
        ended = command("evaluate", here / "e.toml", "--json")
        times = Counter((body["model"], question_in(body), body.get("seed")) for body in stub.seen)
    assert ended.code == Code.DONE, ended.err
    found = {one["name"]: one for one in json.loads(ended.out)["models"]}
    assert [found[name]["answered"] for name in ("strong", "weak", "mute")] == [12, 12, 0]
    assert found["mute"]["failed"] == 12
    again = {key: n for key, n in times.items() if n > 1 and key[0] != "mute"}  # in flight at a kill
    assert len(again) <= 3 * 3 * 4


def has_seen(stub: Stub, number: int, run: Command) -> bool:
    """Whether so many calls have arrived, or the run is over."""
    return len(stub.seen) >= number or run.process.poll() is not None


def test_the_key_is_in_no_request(here: Path) -> None:
    with in_thread(Stub(answer)) as stub:
        words = ("--condition", "full", "--condition", "closed_book", "--condition", "choices_only", "--shots", "1")
        told = typed("evaluate", "set", *models(stub.url, "weak"), *words, "--json")
        texts = ["\n".join(map(str, contents(body))) for body in stub.seen]
    assert told.code == Code.DONE, told.err
    assert not any('"answer"' in text or "provenance" in text for text in texts)
    assert sum("<document>\n" in text for text in texts) == 12
    assert len(texts) <= 36  # choices alone are the same for several questions, and nothing is asked twice
    assert set(by_model(told.json)) == {"weak (full)", "weak (closed_book)", "weak (choices_only)"}


def test_other_commands_know_an_evaluation(here: Path) -> None:
    with in_thread(Stub(answer)) as stub:
        typed("evaluate", "set", *models(stub.url, "strong", "mute"), "--questions", "2", "--file", "e.toml")
    listed = typed("items", "e.toml", "--json").json
    assert Counter(one["cause"] for one in listed) == {"answered": 2, "failed": 2}
    for one in listed:
        assert typed("explain", "e.toml", one["id"]).code == Code.DONE
    assert typed("status", "e.toml").code == Code.DONE
    assert typed("export", "e.toml").code == Code.DONE
    again = typed("evaluate", "set", "--answers", "e-set/answers.jsonl", "--json")
    assert by_model(again.json)["strong"]["mean"]["exact"] == 1
    assert by_model(again.json)["mute"]["failures"] == {"no_json": 2}


def test_an_evaluation_needs_models_or_answers_and_a_set(here: Path) -> None:
    assert "name the models to measure" in typed("evaluate", "set").err
    assert "name it as smollm2" in typed("evaluate", "set", "--model", "gpt-5").err
    assert "name an exported set" in typed("evaluate", "nothing", "--model", "smollm2").err
    assert typed("evaluate", "set", "--model", "smollm2", "--file", "no/such/e.toml").code == Code.USAGE


# ------------------------------------------------------------------------------------------------ reports


def test_answers_from_elsewhere_become_a_page_json_and_csv(here: Path) -> None:
    rows = [{"id": f"q{n:03}", "model": f"<b>m{m}", "answer": "ABCD"[(n + m) % 4]} for n in range(12) for m in range(2)]
    (here / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files = ("--into", "r.html", "--into", "deep/r.json", "--into", "r.csv")
    told = typed("evaluate", "set", "--answers", "mine.jsonl", *files)

    assert (told.code, "Evaluation on made" in told.out) == (Code.DONE, True)
    page = (here / "r.html").read_text("utf-8")
    assert "<b>m0" not in page
    assert "&lt;b&gt;m0" in page
    assert json.loads((here / "deep" / "r.json").read_text("utf-8"))["questions"] == 12
    assert (here / "r.csv").read_text("utf-8").startswith("model,answered,abstained,failed,exact,")
    assert typed("evaluate", "set", "--answers", "mine.jsonl", "--into", "r.pdf").code == Code.USAGE


def test_a_report_of_another_campaign_tells_what_was_made(here: Path) -> None:
    with in_thread(Stub()) as stub:
        file = campaign(here / "small", stub.url, reports=2)
        typed("run", file)
        told = typed("report", file, "--into", "r.html", "--json")
    assert told.code == Code.DONE, told.err
    assert {"counts", "ends"} <= set(told.json)
    assert "How items ended" in (here / "r.html").read_text("utf-8")


def addresses(page: str) -> Iterator[str]:
    yield from re.findall(r"""(?:https?:|//|src=|url\(|@import)[^\s"'<>]*""", page)


def test_a_page_needs_no_other_host_and_no_script(here: Path) -> None:
    (here / "mine.jsonl").write_text(json.dumps({"id": "q000", "answer": "A"}) + "\n")
    typed("evaluate", "set", "--answers", "mine.jsonl", "--into", "r.html")
    page = (here / "r.html").read_text("utf-8")

    assert list(addresses(page)) == []
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert page.count("<svg") == page.count('role="img"') == page.count("<desc") > 1
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for labels in re.findall(r'aria-labelledby="([^"]+)"', page):
        assert set(labels.split()) <= set(ids)
