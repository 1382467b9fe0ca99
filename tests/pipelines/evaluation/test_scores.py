"""Scores, intervals and comparisons: by hand, by property, and every published score of EpiQAL recomputed."""

import gzip
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.domain.ids import seeded_random
from benchwright.pipelines.choice.difficulty import mark
from benchwright.pipelines.evaluation.measures.bootstrap import compare, estimate, quantile
from benchwright.pipelines.evaluation.measures.scores import Score, mean_score, score

NAMES = st.frozensets(st.sampled_from("ABCDE"))
RUN = ("release", "subset", "shots", "mode", "run", "model")
QUOTED = {  # README: release 2026-01, by subset, model and mode
    ("A", "Mistral-Large", "noCOT"): "0.812",
    ("B", "Mistral-Large", "noCOT"): "0.574",
    ("A", "Mistral-7B", "noCOT"): "0.632",
    ("B", "Mistral-7B", "noCOT"): "0.760",
    ("B", "Mistral-7B", "COT"): "0.732",
    ("B", "Qwen3-30B-A3B", "noCOT"): "0.568",
    ("B", "Qwen3-30B-A3B", "COT"): "0.720",
    ("B", "Llama-3.1-8B", "noCOT"): "0.262",
    ("B", "Llama-3.1-8B", "COT"): "0.584",
}


def lines(name: str) -> Iterator[dict[str, Any]]:
    path = shared_data(f"epiqal/{name}")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


# ------------------------------------------------------------------------------------------------ scores


@pytest.mark.parametrize(
    ("chosen", "key", "expected"),
    [
        ("A", "A", Score(1, 1, 1, 1, 1)),
        ("AB", "A", Score(0, 2 / 3, 1 / 2, 1, 2)),
        ("A", "AB", Score(0, 2 / 3, 1, 1 / 2, 1)),
        ("", "A", Score(0, 0, 0, 0, 0)),
        ("A", "", Score(0, 0, 0, 0, 1)),
        ("", "", Score(1, 1, 1, 1, 0)),
        ("Z", "A", Score(0, 0, 0, 0, 1)),
    ],
)
def test_an_answer_is_scored_against_its_key(chosen: str, key: str, expected: Score) -> None:
    assert score(frozenset(chosen), frozenset(key)) == expected


def test_two_empty_sets_have_f1_0_in_the_released_code_and_exact_match_1() -> None:
    assert score(frozenset(), frozenset(), paper=True) == Score(1, 0, 0, 0, 0)


@given(NAMES, NAMES)
def test_scores_are_those_by_which_difficulty_is_measured(chosen: frozenset[str], key: frozenset[str]) -> None:
    found, known = score(chosen, key), mark(chosen, key)
    assert found.exact == known.exact
    assert found.f1 == pytest.approx(float(known.f1))


def test_the_mean_of_no_answers_is_undefined() -> None:
    assert mean_score([]) is None


# ------------------------------------------------------------------------------------------------ published scores


def published() -> Iterator[tuple[Mapping[str, Any], Score]]:
    """Every row of the repository's scores that is no copy, with the means that follow from answers and reference."""
    keys = {(row["release"], row["subset"], row["item"]): frozenset(row["ref"]) for row in lines("reference.jsonl.gz")}
    answers = {tuple(row[name] for name in RUN): row["answers"] for row in lines("answers.jsonl.gz")}
    for row in lines("scores_repo.jsonl"):
        if (row["subset"], row["shots"], row["mode"]) == ("A", 1, "noCOT"):
            continue  # a copy of the scores without examples
        given = answers[tuple(row[name] for name in RUN)]
        found = mean_score(
            score(frozenset(map(str, chosen)), keys[row["release"], row["subset"], item], paper=True)
            for item, chosen in given.items()
        )
        assert found is not None
        yield row, found


def test_every_published_score_follows_from_answers_and_keys() -> None:
    rows = list(published())

    assert len(rows) == 148
    for row, found in rows:
        assert found.f1 == pytest.approx(row["f1"], abs=1e-9), row
        assert found.exact == pytest.approx(row["em"], abs=1e-9), row


def test_the_quoted_values_of_the_paper_are_found() -> None:
    found = {
        (row["subset"], row["model"], row["mode"]): f"{scores.exact:.3f}"
        for row, scores in published()
        if row["release"] == "2026-01"
    }
    for (subset, model, mode), value in QUOTED.items():
        (match,) = [name for name in found if name[0] == subset and name[1].startswith(model) and name[2] == mode]
        assert found[match] == value


# ------------------------------------------------------------------------------------------------ intervals


def test_whole_documents_are_drawn_so_equal_answers_within_one_widen_the_interval() -> None:
    alone = [(str(n), float(n % 2)) for n in range(100)]
    together = [(str(n // 2 % 10), float(n // 2 % 2)) for n in range(100)]
    narrow, wide = estimate(alone), estimate(together)

    assert narrow
    assert wide
    assert (narrow.value, wide.value, narrow.clusters, wide.clusters) == (0.5, 0.5, 100, 10)
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low < 0.5 < narrow.high
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)
    assert narrow.low == pytest.approx(0.4, abs=0.03)  # 1.96 standard errors of 0.05


def test_an_interval_is_the_same_each_time_and_of_one_document_there_is_none() -> None:
    values = [(str(n), seeded_random(n).random()) for n in range(30)]
    assert estimate(values) == estimate(list(reversed(values)))
    one = estimate([("d", 1.0), ("d", 0.0)])
    assert one
    assert (one.value, one.low, one.high, one.clusters) == (0.5, None, None, 1)
    assert estimate([]) is None


def test_a_quantile_lies_between_two_values_in_proportion() -> None:
    assert quantile([0.0, 1.0], 0.25) == 0.25
    assert quantile([0.0, 1.0], 1) == 1


def test_models_are_compared_on_the_questions_that_both_answered() -> None:
    clusters = {name: name for name in "abcdefgh"}
    strong = dict.fromkeys("abcdefg", 1.0)
    weak = {**dict.fromkeys("abcdef", 0.0), "h": 1.0}
    found = compare(("strong", strong), ("weak", weak), clusters)

    assert (found.both, found.better, found.worse) == (6, 6, 0)
    assert found.p == pytest.approx(2 / 2**6)
    assert found.difference
    assert found.difference.value == 1


def test_models_that_never_differ_have_no_p() -> None:
    found = compare(("a", {"q": 1.0}), ("b", {"q": 1.0}), {"q": "d"})
    assert (found.p, found.better, found.worse) == (None, 0, 0)
    assert compare(("a", {"q": 1.0}), ("b", {"r": 1.0}), {"q": "d", "r": "d"}).difference is None
