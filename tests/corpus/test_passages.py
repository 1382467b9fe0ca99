"""Passages from sentences and vectors, and near-duplicates among passages."""

import random
from dataclasses import dataclass
from math import cos, pi, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.passages import document_passages, find_near_duplicates, split_passages
from benchwright.corpus.text import read_markdown
from benchwright.domain.call import tokens
from benchwright.domain.document import read_out, span_text, whole

usearch = pytest.importorskip("usearch", reason="needs the extra ir")


@dataclass(frozen=True)
class Said:
    text: str


def turned(degrees: float) -> list[float]:
    return [cos(degrees * pi / 180), sin(degrees * pi / 180)]


texts = st.lists(st.tuples(st.text(max_size=60), st.lists(st.floats(-1, 1), min_size=3, max_size=3)), max_size=30)


@given(texts, st.integers(1, 60), st.integers(0, 40))
def test_no_passage_is_longer_than_the_bound_and_none_overlaps(
    drawn: list[tuple[str, list[float]]], most: int, least: int
) -> None:
    sentences = [Said(text) for text, _ in drawn]
    runs = split_passages(sentences, [vector for _, vector in drawn], most, least)
    covered = [place for run in runs for place in run]
    assert covered == sorted(set(covered))
    assert all(tokens(" ".join(sentences[place].text for place in run)) <= most for run in runs)
    too_long = {place for place, one in enumerate(sentences) if tokens(one.text) > most}
    assert set(range(len(sentences))) - set(covered) == too_long


def test_passages_part_where_the_topic_changes() -> None:
    sentences = [Said("word " * 15)] * 12  # 26 tokens each
    vectors = [turned(0)] * 7 + [turned(90)] * 5
    assert split_passages(sentences, vectors, 1000) == [range(7), range(7, 12)]


def test_a_bound_parts_where_sentences_are_least_alike() -> None:
    sentences = [Said("word " * 15)] * 6
    vectors = [turned(degrees) for degrees in (0, 2, 4, 40, 42, 44)]
    assert split_passages(sentences, vectors, 26 * 5) == [range(3), range(3, 6)]


def test_a_short_run_joins_its_neighbour_across_a_change_of_topic() -> None:
    sentences = [Said("word " * 15)] * 8 + [Said("See below.")]
    vectors = [turned(0)] * 8 + [turned(90)]
    assert split_passages(sentences, vectors, 1000) == [range(9)]
    assert split_passages(sentences, vectors, 1000, least=0) == [range(8), range(8, 9)]


def test_sentences_all_alike_and_vectors_without_direction_are_still_split_at_the_bound() -> None:
    sentences = [Said("word " * 15)] * 10
    for vectors in ([turned(0)] * 10, [[0.0, 0.0]] * 10):
        runs = split_passages(sentences, vectors, 26 * 4)
        assert [place for run in runs for place in run] == list(range(10))
        assert max(map(len, runs)) == 4


def test_nothing_has_no_passages() -> None:
    assert split_passages([], [], 100) == []
    assert split_passages([Said("One.")], [[1.0]], 100) == [range(1)]


def test_a_vector_is_demanded_for_each_sentence() -> None:
    with pytest.raises(ValueError, match="2 sentences and 1 vectors"):
        split_passages([Said("One."), Said("Two.")], [[1.0]], 100)


def test_a_documents_passages_stay_within_a_section_and_keep_the_numbers_of_sentences() -> None:
    text = b"# T\n\n## Floods\n\nRain fell. Rivers rose.\n\n## Fires\n\nIt was dry. Trees burnt.\n"
    document = read_markdown(text, "a")
    reading = read_out(document, whole(document))
    passages = document_passages(document, whole(document), [[1.0]] * 4, 255)
    assert [(one.first, one.last) for one in passages] == [(1, 2), (3, 4)]
    assert [span_text(document, reading.sentences[one.first - 1].span) for one in passages] == [
        "Rain fell.",
        "It was dry.",
    ]


def test_a_near_duplicate_is_dropped_for_the_kept_one_that_it_is_like() -> None:
    vectors = [turned(0), turned(10), turned(20), turned(60)]
    found = find_near_duplicates(["a", "b", "c", "d"], vectors, 0.97)  # about 14 degrees
    assert found == {"a": ("b",)}  # c is like b, but b is gone and a is too far: no chain


def test_a_near_duplicate_goes_to_the_nearest_of_the_kept() -> None:
    assert find_near_duplicates(["a", "b", "c"], [turned(0), turned(25), turned(15)], 0.95) == {"b": ("c",)}


def test_exactly_the_threshold_is_no_duplicate_and_no_direction_repeats_nothing() -> None:
    assert find_near_duplicates(["a", "b"], [[1.0, 0.0], [0.0, 2.0]], 0.0) == {}
    assert find_near_duplicates(["a", "b"], [[0.0, 0.0], [0.0, 0.0]]) == {}
    assert find_near_duplicates([], []) == {}


@pytest.mark.parametrize(("ids", "vectors"), [(["a", "a"], [[1.0], [1.0]]), (["a"], [])])
def test_ids_repeat_not_and_are_as_many_as_vectors(ids: list[str], vectors: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="must be as many"):
        find_near_duplicates(ids, vectors)


@given(st.integers(0, 2**32), st.integers(2, 60), st.floats(0.5, 0.99))
def test_near_duplicates_do_not_depend_on_the_order_and_are_really_near(
    seed: int, count: int, threshold: float
) -> None:
    chance = random.Random(seed)
    ids = [f"p{number:03d}" for number in range(count)]
    chance.shuffle(ids)
    vectors = [turned(chance.uniform(0, 360)) for _ in ids]
    found = find_near_duplicates(ids, vectors, threshold)
    order = list(range(count))
    chance.shuffle(order)
    assert (
        find_near_duplicates([ids[place] for place in order], [vectors[place] for place in order], threshold) == found
    )
    by_id = dict(zip(ids, vectors, strict=True))
    dropped = {one for many in found.values() for one in many}
    for kept, many in found.items():
        assert kept not in dropped
        for one in many:
            assert kept < one
            assert sum(a * b for a, b in zip(by_id[kept], by_id[one], strict=True)) > threshold - 1e-6
    left = sorted(set(ids) - dropped)
    pairs = [(a, b) for a in left for b in left if a < b]
    assert all(sum(x * y for x, y in zip(by_id[a], by_id[b], strict=True)) <= threshold + 1e-6 for a, b in pairs)
