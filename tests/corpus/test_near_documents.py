"""Near-duplicate documents: never a pair below the threshold, the same result in any order."""

import random
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus.near_documents import bands, jaccard, near_documents, shingles

WORDS = [f"word{number}" for number in range(400)]


def report(chance: random.Random, length: int = 200) -> list[str]:
    return chance.choices(WORDS, k=length)


def changed(chance: random.Random, words: list[str], changes: int) -> list[str]:
    copy = list(words)
    for _ in range(changes):
        copy[chance.randrange(len(copy))] = chance.choice(WORDS)
    return copy


def found(texts: dict[str, str], threshold: Fraction, seed: int = 0) -> dict[str, tuple[str, Fraction]]:
    names = list(texts)
    random.Random(seed).shuffle(names)
    near = near_documents([(name, len(texts[name])) for name in names], texts.__getitem__, threshold)
    return {one.id: (one.kept, one.similarity) for one in near}


def test_a_copy_with_a_few_changes_is_left_out_for_the_longer_one() -> None:
    chance = random.Random(1)
    one = report(chance)
    texts = {"b": " ".join(one), "a": " ".join(changed(chance, one, 3)) + " more", "c": " ".join(report(chance))}
    [(name, (kept, similarity))] = found(texts, Fraction(4, 5)).items()
    assert sorted((name, kept)) == ["a", "b"]
    assert len(texts[kept]) >= len(texts[name])
    assert similarity == jaccard(shingles(texts["a"]), shingles(texts["b"])) >= Fraction(4, 5)


@given(st.integers(0, 2**32), st.sampled_from([Fraction(1, 2), Fraction(4, 5), Fraction(19, 20)]))
def test_the_result_is_the_same_in_any_order_and_no_pair_is_below_the_threshold(seed: int, threshold: Fraction) -> None:
    chance = random.Random(seed)
    texts: dict[str, str] = {}
    for number in range(4):
        base = report(chance, 120)
        for copy in range(3):
            texts[f"{chance.random():.6f}-{number}-{copy}"] = " ".join(changed(chance, base, chance.randrange(12)))
    first = found(texts, threshold, 1)
    assert first == found(texts, threshold, 2) == found(dict(sorted(texts.items())), threshold, 3)
    for name, (kept, similarity) in first.items():
        assert kept not in first  # no chains
        assert similarity == jaccard(shingles(texts[name]), shingles(texts[kept])) >= threshold
    left = [name for name in texts if name not in first]
    assert all(jaccard(shingles(texts[a]), shingles(texts[b])) < threshold for a, b in combinations(left, 2))


def test_case_and_punctuation_make_no_other_document() -> None:
    text = " ".join(f"In week {n} the clinic saw {n} cases." for n in range(100))
    [(_, similarity)] = found({"a": text, "b": text.upper().replace(".", " ;")}, Fraction(1)).values()
    assert similarity == 1


def test_short_texts_are_alike_only_if_all_their_words_are_and_texts_without_words_never() -> None:
    assert set(found({"a": "It rained", "b": "it rained!", "c": "It"}, Fraction(4, 5))) == {"a"}  # the shorter one
    assert found({"a": "...", "b": "...", "c": ""}, Fraction(1, 10)) == {}
    assert jaccard(frozenset(), frozenset()) == 0


@pytest.mark.parametrize(
    "threshold", [Fraction(1, 100), Fraction(3, 10), Fraction(4, 5), Fraction(99, 100), Fraction(1)]
)
def test_the_bands_hardly_miss_a_pair_at_the_threshold(threshold: Fraction) -> None:
    number = bands(threshold)
    assert 128 % number == 0
    missed = (1 - float(threshold) ** (128 // number)) ** number
    assert missed <= 1e-4 or number == 128
