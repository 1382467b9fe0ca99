"""`explain` of items whose questions were answered only at the second call, or never."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import answer, served, typed, written
from tests.stub import completion

from benchwright.show.code import Code

NONSENSE = "I would rather not say"


def fail(body: dict[str, Any]) -> dict[str, Any]:
    """Nonsense for the question about one document, and for that about another until it is shown back."""
    text = body["messages"][1]["content"]
    asks_question = "question" in body["response_format"]["json_schema"]["schema"]["properties"]
    corrected = "cannot be used" in body["messages"][-1]["content"]
    if asks_question and ("is waiting." in text or ("is kept." in text and not corrected)):
        return completion(body, NONSENSE)
    return answer(body)


@dataclass(frozen=True, slots=True)
class Ran:
    """A run, and its items by document."""

    path: Path
    items: dict[str, str]
    estimate: dict[str, Any]


@pytest.fixture(name="ran", scope="module")
def _ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    folder = tmp_path_factory.mktemp("failed")
    with served(fail) as stub:
        path = written(folder, stub.url)
        assert typed("run", path).code == Code.DONE
        estimate = typed("estimate", path, "--pilot", "3", "--json").json
    found = typed("items", path, "--json").json
    return Ran(path, {Path(one["document"]).stem.removeprefix("[red]"): one["id"] for one in found}, estimate)


def test_a_failed_answer_shows_what_was_asked_what_came_back_and_what_was_paid(ran: Ran) -> None:
    told = typed("explain", ran.path, ran.items["waiting"]).out
    assert told.count("unused: write_question, writer (") == 2
    assert told.count(f"reply: {NONSENSE}") == 2
    assert "asked: Your reply cannot be used" in told
    assert "asked: Draw from" in told or "asked: Topic" in told
    assert "0 calls" not in told
    found = typed("explain", ran.path, ran.items["waiting"], "--json").json
    failed = next(one for one in found["said"] if one["body"].get("failure"))
    assert (failed["call"], len(failed["others"])) == (None, 2)
    assert all(call["cost"] > 0 for call in failed["others"])
    assert found["cost"] > sum(call["cost"] for call in failed["others"])
    assert found["unanswered"] == []


def test_a_mended_answer_shows_the_call_that_it_mends_and_costs_both(ran: Ran) -> None:
    found = typed("explain", ran.path, ran.items["kept"], "--json").json
    mended = next(one for one in found["said"] if one["step"] == "write_question")
    (first,) = mended["others"]
    assert (first["reply"], mended["call"]["origin"]) == (NONSENSE, first["id"])
    told = typed("explain", ran.path, ran.items["kept"]).out
    assert told.count("unused: write_question, writer (") == 1
    calls = {call["id"]: call["cost"] for one in found["said"] for call in (one["call"], *one["others"]) if call}
    assert found["calls"] == len(calls)
    assert found["cost"] is None  # the second checker has no price


def test_a_pilot_counts_what_mending_and_failing_took(ran: Ran) -> None:
    (line,) = (one for one in ran.estimate["lines"] if one["role"] == "write_question")
    assert line["calls"]["likely"] == pytest.approx(5)  # two in vain, one mended, two answers
