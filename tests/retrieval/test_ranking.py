"""Ranking by words and by vectors: what is found, in which order, and what never depends on a machine's last digit."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.extra import library
from benchwright.domain.ids import seeded_random
from benchwright.retrieval.bm25 import Bm25
from benchwright.retrieval.dense import Hnsw, Matrix, Writing
from benchwright.retrieval.hits import best, rank_in
from benchwright.retrieval.prompts import Prompts, known_prompts
from benchwright.retrieval.words import terms

numpy = library("numpy", "tests", "ir")
TEXTS = ["BCR-ABL fusion in 6 patients", "a flood in 1,000 homes of Vesk", "", "an earthquake", "a flood"]


def test_names_and_numbers_stay_whole_and_joined_ones_are_found_by_their_parts() -> None:
    assert terms("BCR-ABL: 1,000 at 3.5 km/h, COVID-19; H5N1") == [
        "bcr-abl", "bcr", "abl", "1000", "at", "3.5", "km/h", "km", "h", "covid-19", "covid", "19", "h5n1",
    ]  # fmt: skip
    assert terms("洪水 2024") == ["洪", "水", "2024"]
    assert not terms(" -- ")


def test_texts_without_a_term_of_the_query_are_no_hits() -> None:
    index = Bm25(TEXTS)
    assert [place for place, _ in index.search("abl and 6", 5)] == [0]
    assert [place for place, _ in index.search("1000 homes", 5)] == [1]
    assert {place for place, _ in index.search("the flood", 5)} == {1, 4}
    assert index.search("tsunami", 5) == ()
    assert (index.rank("flood", 4), index.rank("flood", 1), index.rank("flood", 3)) == (1, 2, 0)
    assert index.rank("tsunami", 0) == 0


@pytest.mark.parametrize("texts", [[], ["", " "]])
def test_nothing_is_found_where_there_is_no_word(texts: list[str]) -> None:
    assert Bm25(texts).search("flood", 3) == ()


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(0, 40))
def test_the_best_are_the_greatest_and_of_equal_ones_the_earlier(scores: list[int], most: int) -> None:
    found = best(numpy.array(scores), most)
    wanted = sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:most]

    assert [place for place, _ in found] == wanted
    assert all(rank_in(numpy.array(scores), place) == n for n, place in enumerate(wanted, 1))


def test_scores_that_differ_in_the_last_digits_alone_are_equal() -> None:
    assert [place for place, _ in best(numpy.array([0.1 + 0.2, 0.3, 0.30000000004]), 3)] == [0, 1, 2]


def points(count: int, numbers: int = 16) -> list[list[float]]:
    chance = seeded_random("points", count)
    rows = [[chance.gauss(0, 1) for _ in range(numbers)] for _ in range(count)]
    return [[value / math.hypot(*row) for value in row] for row in rows]


def written(path: Path, rows: list[list[float]]) -> Matrix:
    writing = Writing(path, len(rows))
    for start in range(0, len(rows), 7):
        writing.append(rows[start : start + 7])
    writing.close()
    return Matrix(path)


def test_a_matrix_finds_the_nearest_rows_exactly(tmp_path: Path) -> None:
    rows = points(50)
    matrix = written(tmp_path / "deep" / "a.npy", rows)
    asked = rows[3]
    cosines = [round(sum(a * b for a, b in zip(row, asked, strict=True)), 5) for row in rows]

    found = matrix.search(asked, 5)
    assert [place for place, _ in found] == sorted(range(50), key=lambda n: -cosines[n])[:5]
    assert matrix.rank(asked, found[2][0]) == 3
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["a.npy"]


def test_a_matrix_that_lacks_rows_never_comes_into_its_place(tmp_path: Path) -> None:
    writing = Writing(tmp_path / "a.npy", 3)
    writing.append(points(2))
    with pytest.raises(ValueError, match="2 of 3 rows"):
        writing.close()
    assert not (tmp_path / "a.npy").exists()


def test_hnsw_finds_nearly_all_that_exact_search_finds_and_the_same_after_a_restart(tmp_path: Path) -> None:
    rows = points(400)
    matrix = written(tmp_path / "a.npy", rows)
    index = Hnsw(matrix, tmp_path / "a.usearch")
    again = Hnsw(matrix, tmp_path / "a.usearch")
    asked = rows[::40]
    found = [({p for p, _ in matrix.search(one, 10)}, {p for p, _ in index.search(one, 10)}) for one in asked]

    assert sum(len(exact & near) for exact, near in found) > 0.9 * 10 * len(asked)
    assert [index.search(one, 10) for one in asked] == [again.search(one, 10) for one in asked]


@pytest.mark.parametrize(
    ("target", "query", "passage"),
    [
        ("intfloat/e5-large-v2", "query: ", "passage: "),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/e5-mistral-7b-instruct", "Instruct: {task}\nQuery: ", ""),
        ("Qwen/Qwen3-Embedding-0.6B", "Instruct: {task}\nQuery:", ""),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", "query: ", ""),
        ("Snowflake/snowflake-arctic-embed-m", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-base-en-v1.5", "Represent this sentence for searching relevant passages: ", ""),
        ("BAAI/bge-m3", "", ""),
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("minilm", "", ""),
    ],
)
def test_each_family_of_models_reads_what_its_makers_say(target: str, query: str, passage: str) -> None:
    assert known_prompts(target) == Prompts(query, passage)


def test_a_query_tells_its_task_to_models_that_want_it() -> None:
    assert Prompts("Instruct: {task}\nQuery: ").for_query("a flood", "Find it") == "Instruct: Find it\nQuery: a flood"
    assert Prompts(passage="passage: ").for_passage("x") == "passage: x"
