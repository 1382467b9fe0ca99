"""Test collections and rankings: read in every form, measured side by side, reported with what is missing."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from benchwright.errors import UsageError
from benchwright.pipelines import is_collection, measure_collection
from benchwright.pipelines.evaluation.collection_files import (
    Collection,
    read_collection,
    read_leaderboard,
    read_run,
    runs_in,
)
from benchwright.pipelines.evaluation.rankings import measure_rankings
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Heat, Measurement, Section

GRADES = {"q1": {"d1": 3, "d2": 1}, "q2": {"d3": 2}, "q3": {"d1": 0}}
HEAD = "query-id\tcorpus-id\tscore\n"
BEIR = {
    "qrels/test.tsv": HEAD + "q1\td1\t3\nq1\td2\t1\nq2\td3\t2\nq3\td1\t0\n",
    "queries.jsonl": (
        '{"_id": "q1", "text": "one", "metadata": {"intent": "qa", "category": ""}}\n{"_id": "q2", "text": "two"}\n'
    ),
    "corpus.jsonl": '{"_id": "d1", "title": "T", "text": "first"}\n\n{"_id": "d2", "text": "second"}\n',
}
MTEB = {
    "qrels.jsonl": "".join(
        json.dumps({"query-id": q, "corpus-id": d, "score": grade}) + "\n"
        for q, of in GRADES.items()
        for d, grade in of.items()
    )
}
TREC = {
    "qrels.txt": "q1 0 d1 3\nq1 0 d2 1\nq2 0 d3 2\nq3 0 d1 0\n",
    "topics.tsv": "q1\tone\n",
    "corpus/texts.jsonl": '{"id": "d1", "contents": "first"}\n',
    "runs/a-exact.run": "q1 Q0 d1 1 2.0 a\nq2 Q0 d3 1 1.0 a\nq9 Q0 d1 1 1.0 a\n",
    "runs/a-hnsw.run": "q1 Q0 d2 1 2.0 a with junk\n",
}


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def nothing(texts: Mapping[str, str], queries: Mapping[str, str]) -> Mapping[str, Any]:
    return {}


# ------------------------------------------------------------------------------------------------ files


@pytest.mark.parametrize("files", [BEIR, MTEB, TREC])
def test_a_collection_is_read_in_every_form(tmp_path: Path, files: Mapping[str, str]) -> None:
    assert is_collection(write(tmp_path, files))
    assert read_collection(tmp_path).grades == GRADES


def test_texts_and_queries_are_read_with_what_is_known_of_them(tmp_path: Path) -> None:
    found = read_collection(write(tmp_path, BEIR))
    assert found.texts == {"d1": "T first", "d2": "second"}
    assert found.queries == {"q1": "one", "q2": "two"}
    assert found.groups == {"q1": {"intent": "qa"}, "q2": {}}
    trec = read_collection(write(tmp_path / "trec", TREC))
    assert (trec.texts, trec.queries) == ({"d1": "first"}, {"q1": "one"})


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("qrels.txt", "q1 0 d1 1.5\n", r"qrels.txt:1: the grade '1.5' is no whole number"),
        ("qrels.txt", "q1 d1\n", r"qrels.txt:1: has 2 columns"),
        ("qrels.txt", "\n", r"qrels.txt: holds no grade"),
        ("qrels.jsonl", "[1]\n", r"qrels.jsonl:1: is no JSON object"),
        ("qrels.jsonl", "{\n", r"qrels.jsonl:1: is no JSON: "),
        ("corpus.jsonl", '{"text": "x"}\n', r"corpus.jsonl:1: has no _id"),
    ],
)
def test_what_cannot_be_read_is_named_by_file_and_line(tmp_path: Path, file: str, text: str, message: str) -> None:
    files = {file: text} if file.startswith("qrels") else TREC | {file: text}
    with pytest.raises(UsageError, match=message):
        read_collection(write(tmp_path, files))


def test_a_folder_without_grades_and_a_file_of_other_bytes_are_refused(tmp_path: Path) -> None:
    assert not is_collection(tmp_path)
    with pytest.raises(UsageError, match="holds no grades: expected is one of"):
        read_collection(tmp_path)
    (tmp_path / "qrels.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageError, match="is not UTF-8 text"):
        read_collection(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        read_run(tmp_path / "missing.run")


@pytest.mark.parametrize(
    ("line", "message"),
    [("q Q0 d 1", "has 4 columns"), ("q Q0 d 1 x t", "is no number"), ("q Q0 d 1 nan t", "is no finite number")],
)
def test_a_line_that_is_no_line_of_a_ranking_is_named(tmp_path: Path, line: str, message: str) -> None:
    (tmp_path / "a.run").write_text(f"q Q0 d 1 1.0 t\n{line}\n")
    with pytest.raises(UsageError, match=rf"a.run:2: .*{message}"):
        read_run(tmp_path / "a.run")


def test_another_leaderboard_is_a_table_with_a_head(tmp_path: Path) -> None:
    (tmp_path / "l.csv").write_text('name,score\n"a, b",0.5\n')
    assert read_leaderboard(tmp_path / "l.csv") == {"a, b": 0.5}
    (tmp_path / "l.csv").write_text("name,score\na\n")
    with pytest.raises(UsageError, match=r"l.csv:2: a leaderboard has a name and a number"):
        read_leaderboard(tmp_path / "l.csv")


# ------------------------------------------------------------------------------------------------ reports


def section(found: Measurement, title: str) -> Section:
    return next(one for one in found.sections if one.title == title)


def test_rankings_of_the_collections_own_folder_are_measured_with_the_drop_of_approximate_search(
    tmp_path: Path,
) -> None:
    folder = write(tmp_path / "made", TREC)
    assert [path.name for path in runs_in(folder)] == ["a-exact.run", "a-hnsw.run"]
    found = measure_collection(folder, [], nothing)

    assert found.title == "Rankings of made"
    assert [one["name"] for one in found.json["rankings"]] == ["a-exact", "a-hnsw"]
    exact = found.json["rankings"][0]
    assert exact["means"]["nDCG@10"] == pytest.approx((3 / (3 + 1 / 1.5849625) + 1 + 0) / 3)
    assert exact["missing"] == ("q3",)
    [table] = section(found, "Exact and approximate search").content
    assert isinstance(table, Table)
    assert table.rows[0][0] == "a"
    near = 1 / (3 + 1 / 1.5849625) / 3
    assert table.rows[0][2:] == (f"{near:.3f}", f"{100 * (1 - near / exact['means']['nDCG@10']):.2f}")


def test_what_is_missing_is_printed(tmp_path: Path) -> None:
    found = measure_collection(write(tmp_path, TREC), [], nothing)
    lines = [one.text for one in section(found, "Queries left out or empty").content if isinstance(one, Line)]
    assert lines == [
        "a-exact: nothing was found for q3: each counts as 0",
        "a-hnsw: nothing was found for q2, q3: each counts as 0",
        "a-exact: 1 of its queries have no grades and do not count",
    ]


def test_files_that_are_named_are_measured_in_place_of_those_of_the_folder(tmp_path: Path) -> None:
    folder = write(tmp_path / "c", TREC)
    run = write(tmp_path, {"mine.run": "q1 Q0 dx 1 2.0 m\nq2 Q0 d3 1 1 m\nq3 Q0 d1 1 1 m\n"}) / "mine.run"
    found = measure_collection(folder, [run], nothing)
    assert [one["name"] for one in found.json["rankings"]] == ["mine"]
    [table] = section(found, "First texts without a grade").content
    assert isinstance(table, Table)
    assert table.rows == (("mine", "q1", 1, "dx"),)
    assert {one.title for one in found.sections} == {"Scores", "First texts without a grade"}


def test_what_a_retriever_finds_is_measured_and_its_order_compared_with_another_leaderboard(tmp_path: Path) -> None:
    def rank(texts: Mapping[str, str], queries: Mapping[str, str]) -> Mapping[str, Any]:
        assert (set(texts), queries) == ({"d1", "d2"}, {"q1": "one", "q2": "two"})
        return {"good": {"q1": {"d1": 2.0}}, "bad": {"q1": {"d2": 2.0}}, "worst": {}}

    folder = write(tmp_path / "c", BEIR)
    board = write(tmp_path, {"l.csv": "name,score\ngood,3\nbad,2\nworst,1\n"}) / "l.csv"
    found = measure_collection(folder, [], rank, board)
    assert found.json["rank_correlation"]["n"] == 3
    assert found.json["rank_correlation"]["rho"] == pytest.approx(1)
    assert "Spearman's rho of 3 retrievers that both have: 1.000, p = 0.333." in str(found.sections)
    [heat] = section(found, "By intent").content
    assert isinstance(heat, Heat)
    assert heat.rows[0][0] == "qa"
    assert found.rows[3][0] == "worst"
    assert found.rows[3][-2:] == ("-", "3")


def test_without_any_ranking_there_is_nothing_to_measure(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no ranking: name --run FILE"):
        measure_collection(write(tmp_path, MTEB), [], nothing)


def test_a_ranking_that_finds_nothing_right_has_no_drop() -> None:
    collection = Collection("c", {"q": {"d": 1}}, {}, {}, {})
    wrong: dict[str, dict[str, float]] = {"q": {"x": 1.0}}
    found = measure_rankings(collection, {"a-exact": wrong, "a-hnsw": wrong}, {"a-exact": 1.0})
    [table] = section(found, "Exact and approximate search").content
    assert isinstance(table, Table)
    assert table.rows == (("a", "0.000", "0.000", "-"),)
    assert "both have: -." in str(found.sections)
