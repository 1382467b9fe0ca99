"""Which question stems count as asked twice."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.near import Near

STEM = "Which two wells of the Tamale district were closed after the cholera outbreak in 2014?"


def alike(one: str, other: str, threshold: float | None = None) -> bool:
    near = Near() if threshold is None else Near(threshold)
    near.add("one", one)
    return near.similar(other) == ["one"]


@pytest.mark.parametrize(
    "reworded",
    [
        STEM.upper(),
        "In 2014, which two wells of the Tamale district were closed after the cholera outbreak?",
        "According to the text, which two wells of the Tamale district were closed after the cholera outbreak of 2014?",
        "After the cholera outbreak in 2014 , which two wells of Tamale's district are reported as closed ?",
        "Which two well of the Tamale district was closed after the cholera outbreaks in 2014",
    ],
)
def test_other_trimmings_make_a_near_duplicate(reworded: str) -> None:
    assert alike(STEM, reworded)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (STEM, STEM.replace("2014", "2015")),
        (STEM, STEM.replace("two", "three")),
        (STEM, STEM.replace("Tamale", "Yendi")),
        (STEM, STEM.replace("after", "before")),
        (STEM, STEM.replace("were closed", "were not closed")),
        ("What share of the men fell ill?", "What share of the women fell ill?"),
        ("What share of adults fell ill?", "What share of vaccinated adults fell ill?"),
        ("How many had hepatitis A antibodies?", "How many had hepatitis B antibodies?"),
        ("How many had hepatitis A antibodies?", "How many had hepatitis antibodies?"),
        (
            "What was the rate of transmission from dogs to people?",
            "What was the rate of transmission from people to dogs?",
        ),
        ("Which rate was 0.5?", "Which rate was 5.0?"),
        ("Were CD4+ cells rare?", "Were CD4- cells rare?"),
        ("Which villages had < 5 cases?", "Which villages had > 5 cases?"),
        ("Which well was closed in May?", "Which well was closed?"),
        ("When was the well closed?", "Why was the well closed?"),
        ("井戸はいつ閉じられたか", "井戸はなぜ閉じられたか"),
    ],
)
def test_one_decisive_word_makes_another_question(one: str, other: str) -> None:
    assert not alike(one, other)


def test_a_thousand_is_the_same_with_and_without_its_comma() -> None:
    assert alike("Which clinic saw 1,000 patients?", "Which clinic has seen 1000 patients?") is False
    assert alike("Which clinic had 1,000 patients?", "Which clinic had 1000 patients?")


def test_texts_of_trimmings_only_are_compared_by_all_their_words() -> None:
    assert alike("What is it?", "what is it")
    assert not alike("What is it?", "Who are they?")
    assert alike("", "?!")


def test_the_threshold_can_be_raised() -> None:
    fronted = "In 2014, which two wells of the Tamale district were closed after the cholera outbreak?"
    assert not alike(STEM, fronted, threshold=1.0)


def test_keys_come_back_in_the_order_of_adding() -> None:
    near = Near()
    for key in ("b", "a", "c"):
        near.add(key, STEM if key != "c" else "Another question?")
    assert near.similar(STEM) == ["b", "a"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_the_relation_is_symmetric_and_every_text_is_like_itself(one: str, other: str) -> None:
    assert alike(one, other) == alike(other, one)
    assert alike(one, one)


def published_stems(shared_data: Callable[[str], Path]) -> list[str]:
    with gzip.open(shared_data("epiqal/items_A.jsonl.gz"), "rt", encoding="utf-8") as lines:
        return [json.loads(line)["question"] for line in lines]


def test_the_published_stems_are_no_near_duplicates_of_each_other(shared_data: Callable[[str], Path]) -> None:
    near = Near()
    for stem in published_stems(shared_data):
        assert near.similar(stem) == []
        near.add(stem, stem)


def test_published_stems_with_one_number_changed_are_other_questions(shared_data: Callable[[str], Path]) -> None:
    for stem in published_stems(shared_data):
        changed = re.sub(r"\d+", lambda number: str(int(number[0]) + 1), stem, count=1)
        assert changed == stem or not alike(stem, changed)


def test_published_stems_with_trimmings_changed_are_found(shared_data: Callable[[str], Path]) -> None:
    for stem in published_stems(shared_data):
        reworded = f"According to the passage, {stem[0].lower()}{stem[1:]}".replace(" was ", " is ").replace("?", "")
        assert alike(stem, reworded)
