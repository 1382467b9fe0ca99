"""Measures of rankings: equal to what trec_eval itself expects, and to the edge cases that tools disagree about."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from tests.conftest import shared_data

from benchwright.pipelines.evaluation.measures.ranking import RankingScores, find_holes, order_texts, score_ranking

NAMES = {"map": "AP", "recip_rank": "RR", "recall_10": "R@10", "ndcg_cut_10": "nDCG@10"}
FURTHER = {"recall_100": "R@100", "recall_1000": "R@1000", "P_10": "P@10"}


def read_qrels(name: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for line in shared_data(f"real/trec_eval/{name}").read_text("utf-8").splitlines():
        query, _, doc, grade = line.split()
        found.setdefault(query, {})[doc] = int(grade)
    return found


def read_run(name: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for line in shared_data(f"real/trec_eval/{name}").read_text("utf-8").splitlines():
        query, _, doc, _, value, _ = line.split(maxsplit=5)  # trec_eval's own file has junk at the end of lines
        found.setdefault(query, {})[doc] = float(value)
    return found


def read_json(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shared_data(f"real/trec_eval/{name}").read_text("utf-8"))
    return found


def expected_output(name: str) -> dict[tuple[str, str], str]:
    """An output of trec_eval: by measure and query ("all" for the mean) the value as it is printed."""
    lines = shared_data(f"real/trec_eval/{name}").read_text("utf-8").splitlines()
    return {(measure, query): value for measure, query, value in (line.split() for line in lines)}


@pytest.mark.parametrize(
    ("output", "run"),
    [("out.test", "results.test"), ("out.test.aq", "results.test"), ("out.test.aqc", "results.trunc")],
)
def test_trec_evals_own_expected_outputs_are_equal(output: str, run: str) -> None:
    expected = expected_output(output)
    found = score_ranking(read_qrels("qrels.test"), read_run(run))

    for theirs, ours in (NAMES | FURTHER).items():
        if (theirs, "all") in expected:
            assert f"{found.means[ours]:.4f}" == expected[theirs, "all"]
        for query, values in found.by_query.items():
            if (theirs, query) in expected:
                assert f"{values[ours]:.4f}" == expected[theirs, query]


def test_the_golden_metrics_are_equal_by_query_and_over_all_graded_queries() -> None:
    for pair, golden in read_json("golden_metrics.json").items():
        if pair == "_meta":
            continue
        qrels, _, run = pair.partition("|")
        found = score_ranking(read_qrels(qrels), read_run(run))
        for query, values in golden["linear_trec_eval"].items():
            for theirs, ours in (NAMES | FURTHER).items():
                assert found.by_query[query][ours] == pytest.approx(values[theirs], abs=1e-6), (pair, query, theirs)
        for query, values in golden["exp_gdeval_negatives_clipped_to_0"].items():
            assert found.by_query[query]["nDCG(exp)@10"] == pytest.approx(values["nDCG(dcg='exp-log2')@10"], abs=1e-5)
        assert found.means["nDCG@10"] == pytest.approx(golden["mean_ndcg_cut_10_over_qrels_queries(-c)"], abs=1e-6)


def edge_cases() -> Mapping[str, tuple[Mapping[str, Any], RankingScores]]:
    return {
        case["name"]: (case, score_ranking(case["qrels"], case["run"]))
        for case in read_json("edge_cases.json")["cases"]
    }


def test_the_edge_cases_are_equal() -> None:
    cases = edge_cases()

    assert len(cases) == 10
    for name, (case, found) in cases.items():
        for query, values in case["trec_eval_per_query"].items():
            for theirs, value in values.items():
                assert found.by_query[query][NAMES[theirs]] == pytest.approx(value, abs=1e-6), name
    assert cases["graded_linear_vs_exp"][1].by_query["1"]["nDCG(exp)@10"] == pytest.approx(0.607757, abs=1e-6)


def test_a_query_that_nothing_was_found_for_counts_as_0_and_is_named() -> None:
    found = score_ranking({"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}, "9": {"z": 1.0}})

    assert found.means["nDCG@10"] == 0.5
    assert (found.missing, found.strange) == (("2",), 1)
    assert found.judged == {"1": 1.0}


def test_texts_without_a_grade_are_holes() -> None:
    found = score_ranking({"1": {"a": 1}}, {"1": {"x": 3.0, "y": 2.0, "a": 1.0}})
    assert found.judged == {"1": pytest.approx(1 / 3)}
    assert found.holes == (("1", 1, "x"), ("1", 2, "y"))
    assert list(find_holes({"1": {"a": 1}}, {"1": ["a"]})) == []


def test_ties_go_by_name_descending_in_single_precision() -> None:
    assert order_texts({"a": 1.0, "b": 1.0, "c": 2.0}) == ["c", "b", "a"]
    assert order_texts({"a": 0.1234567891, "b": 0.123456789}) == ["b", "a"]
    assert order_texts({"10": 1.0, "9": 1.0}) == ["9", "10"]


def test_without_grades_there_is_nothing_to_score() -> None:
    found = score_ranking({}, {"1": {"a": 1.0}})
    assert (found.means, found.by_query, found.strange) == ({}, {}, 1)
