"""The published data of RESPONSE (arXiv 2503.11348), imported, checked and measured: the figures of its release."""

import json
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.cli.campaign import typed

from benchwright.domain.statistics import fisher
from benchwright.pipelines.crisis.annotation import Annotation, missing_pairs, pairs, read_annotation
from benchwright.pipelines.crisis.metrics.bleu import bleu, chrf
from benchwright.pipelines.crisis.metrics.texts import pair_up
from benchwright.pipelines.crisis.ontology import read_ontology
from benchwright.pipelines.crisis.phrases import fault_of_time
from benchwright.pipelines.crisis.preferences import WORDS, Outcome, Word, place_of, tally
from benchwright.show.code import Code

Shared = Callable[[str], Path]
TIMES = ("immediate", "week", "month")
WORD: dict[int, Word] = {1: "win", 0: "tie", -1: "lose"}


@cache
def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(name="released")
def _released(shared_data: Shared) -> list[dict[str, Any]]:
    return rows(shared_data("response/response.jsonl"))


def test_the_release_is_read_with_the_counts_of_its_readme(released: list[dict[str, Any]]) -> None:
    found = [read_annotation(row) for row in released]
    assert (len(found), len({one.scene for one in found})) == (1789, 890)
    assert sum(len(one.released or ()) for one in found) == 6055
    assert all(one.is_whole and one.shown for one in found)
    assert len({one.identity for one in found}) == 1789
    assert sum(len(text.split()) > 15 for one in found for text in one.solutions) == 13


def test_the_product_of_labels_is_that_of_647_records_and_197_miss_a_pair(released: list[dict[str, Any]]) -> None:
    labelled = [one for one in map(read_annotation, released) if one.labelled]
    assert len(labelled) == 860
    assert sum(is_product(one) for one in labelled) == 647
    assert sum(bool(missing_pairs(one)) for one in labelled) == 197
    assert not any(missing_pairs(one) for one in map(read_annotation, released) if not one.labelled)


def is_product(found: Annotation) -> bool:
    """Whether the published questions are about each pair once."""
    return sorted(found.released or ()) == sorted(pairs(found.incidents, found.places))


def test_validate_names_what_is_wrong_line_by_line(shared_data: Shared) -> None:
    labels = shared_data("response/incidents1m_labels.json")
    told = typed("validate", shared_data("response/response.jsonl"), "--labels", labels, "--json")
    assert told.code == Code.FAILED
    assert told.json["counts"] == {"annotations": 1789, "scenes": 890, "question sets": 6055}
    lacking = [flaw for flaw in told.json["flaws"] if flaw["message"].startswith("lacks questions")]
    assert len({flaw["line"] for flaw in lacking}) == len(lacking) == 197
    assert told.json["total"] == 197 + 13
    outside = [note for note in told.json["remarks"] if "outside of the labels" in note]
    assert sum(note.startswith("incident") for note in outside) == 14
    assert sum(note.startswith("place") for note in outside) == 18
    assert any("'mudslide' is outside of the labels: taken as 'mudslide mudflow'" in note for note in outside)
    assert any("'collapse' is outside of the labels; did you mean 'collapsed'?" in note for note in outside)


def test_a_run_takes_the_whole_release_in_and_builds_its_pairs(shared_data: Shared, tmp_path: Path) -> None:
    shutil.copy(shared_data("response/response.jsonl"), tmp_path / "scenes.jsonl")
    file = tmp_path / "released.toml"
    file.write_text(
        'pipeline = "crisis"\ncorpus = ["scenes.jsonl"]\n[models.a]\nbase_url = "http://127.0.0.1:9/v1"\n'
        'model = "a"\n[roles]\ndefault = "a"\n[rule]\naccept = 0.8\nreject = 0.6\nquorum = 1\n',
        "utf-8",
    )
    told = typed("estimate", file, "--json")
    assert (told.code, told.err) == (Code.DONE, "")
    assert told.json["items"] == 1789 * (1 + 2 + 2 * 3 * 2)


def test_the_labels_of_incidents1m_are_43_and_49(shared_data: Shared) -> None:
    found = read_ontology(shared_data("response/incidents1m_labels.json"))
    assert (len(found.incidents.names), len(found.places.names)) == (43, 49)


def test_most_published_questions_say_their_time_in_words_that_code_knows(released: list[dict[str, Any]]) -> None:
    asked = [
        (time, text)
        for row in released
        for one in row["scenarios"]
        for time, text in zip(TIMES, one["questions"], strict=True)
    ]
    known = sum(not fault_of_time(text, time) for time, text in asked)  # type: ignore[arg-type]
    assert known / len(asked) > 0.98


@pytest.mark.parametrize("model", ["gpt4", "claude"])
@pytest.mark.parametrize("time", TIMES)
def test_sacrebleu_gives_the_golden_figures(shared_data: Shared, time: str, model: str) -> None:
    golden = json.loads(shared_data("response/golden_metrics.json").read_text("utf-8"))["bleu"][time][model]
    found = [
        row
        for row in rows(shared_data("response/model_answers.jsonl"))
        if (row["timeframe"], row["model"]) == (time, model)
    ]
    both = {
        "answer": ("answer", "gold_answer"),
        "explanation": ("explanation", "gold_explanation"),
    }
    texts: dict[str, tuple[Sequence[str], Sequence[str]]] = {
        name: ([row[own] for row in found], [row[gold] for row in found]) for name, (own, gold) in both.items()
    }
    sides = zip(texts["answer"], texts["explanation"], strict=True)
    joined = [[f"{a} {b}" for a, b in zip(*side, strict=True)] for side in sides]
    texts["answer_space_explanation"] = (joined[0], joined[1])
    for name, (own, gold) in texts.items():
        for lowercase in (True, False) if time == "immediate" else (True,):
            score = bleu(pair_up(own, [gold]), lowercase=lowercase)
            assert score.value == pytest.approx(golden[f"{name}|lowercase={lowercase}"]["score"], abs=1e-6)
            assert (score.n, score.signature.startswith("nrefs:1|case:")) == (golden["n"], True)
    chrf2 = chrf(pair_up(*texts["answer"][:1], [texts["answer"][1]]))
    assert chrf2.value == pytest.approx(golden["chrf2_answer"], abs=1e-6)


def outcomes(shared_data: Shared, time: str, criterion: str) -> list[Outcome]:
    """The published votes; `flag` is taken for the place on the page, as its README supposes."""
    found = [row for row in rows(shared_data("response/human_eval.jsonl")) if row["timeframe"] == time]
    return [
        Outcome(str(n), "evaluator", row["model"], time, criterion, WORD[row[criterion]], bool(row["flag"]))
        for n, row in enumerate(found)
        if row[criterion] is not None
    ]


@pytest.mark.parametrize("criterion", ["sufficiency", "usefulness", "correctness"])
@pytest.mark.parametrize("time", TIMES)
def test_people_s_votes_give_the_counts_of_the_release(shared_data: Shared, time: str, criterion: str) -> None:
    golden = json.loads(shared_data("response/golden_metrics.json").read_text("utf-8"))["human_eval_counts"][time]
    found = tally(outcomes(shared_data, time, criterion))
    assert {word: getattr(found, word).n for word in WORDS} == {word: golden[criterion][word] for word in WORDS}
    assert found.n == golden["n"] - golden[criterion]["missing"]


def test_immediate_sufficiency_is_31_4_19_6_and_49_percent_and_its_place_on_the_page_is_flagged(
    shared_data: Shared,
) -> None:
    found = tally(outcomes(shared_data, "immediate", "sufficiency"))
    shares = [round(100 * (getattr(found, word).value or 0), 1) for word in WORDS]
    assert shares == [31.4, 19.6, 49.0]
    assert all(rate.low < rate.value < rate.high for rate in (found.win, found.tie, found.lose))  # type: ignore[operator]
    assert found.p is not None
    assert found.p > 0.05
    assert found.place.second == (0, 21)
    assert found.place.p == fisher(found.place.first, found.place.second)
    assert "the place on the page matters" in found.place.flag


def test_no_place_is_flagged_where_it_has_nothing_to_do_with_the_outcome() -> None:
    even = [Outcome(str(n), "a", "m", "week", "c", WORDS[2 * (n % 2)], n % 4 < 2) for n in range(40)]
    assert place_of(even).flag == ""
    assert place_of([]).flag == ""
