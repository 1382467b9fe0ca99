"""Near-duplicate documents: MinHash LSH proposes pairs (rensa), and the exact Jaccard similarity decides.

Source: DisastIR (arXiv 2505.15856), section 3.1: 128 permutations, shingles of three tokens, similarity 0.8. There
every proposed pair counts as a duplicate; here only those that are.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import blake2b
from typing import Any
from unicodedata import normalize

PERMUTATIONS, SHINGLE, SEED = 128, 3, 1
MISSED = 1e-4  # the largest chance that a pair right at the threshold is not proposed

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class NearDocument:
    """A document that nearly repeats another, and how similar the two are."""

    id: str
    kept: str
    similarity: Fraction


def shingles(text: str) -> frozenset[bytes]:
    """The runs of three words of a text, each as a hash; of a shorter text all of its words in one."""
    words = _WORD.findall(normalize("NFKC", text).casefold())
    runs = zip(*(words[start:] for start in range(SHINGLE)), strict=False) if len(words) >= SHINGLE else [tuple(words)]
    return frozenset(blake2b(" ".join(run).encode(), digest_size=8).digest() for run in runs if run)


def jaccard(one: frozenset[bytes], other: frozenset[bytes]) -> Fraction:
    """The share of shingles that both have; 0 where neither has any: nothing repeats nothing."""
    together = len(one | other)
    return Fraction(len(one & other), together) if together else Fraction(0)


def near_documents(
    sizes: Iterable[tuple[str, int]], text_of: Callable[[str], str], threshold: Fraction
) -> list[NearDocument]:
    """The documents to leave out, given ids with the lengths of their texts, and the texts by their ids.

    Longer ones are looked at first, then those with the smaller id, whatever the order of `sizes`. One whose similarity
    with a kept one is at least `threshold` is left out for the most similar such (of equals, for the first); else it
    is kept. So there are no chains, and no pair below the threshold. Texts are asked for when they are needed: memory
    holds a sketch of each document and no text.
    """
    import rensa

    index: Any = rensa.RMinHashLSH(float(threshold), PERMUTATIONS, bands(threshold))
    order = [name for name, _ in sorted(sizes, key=lambda one: (-one[1], one[0]))]
    left_out: list[NearDocument] = []
    for place, name in enumerate(order):
        own = shingles(text_of(name))
        if not own:
            continue
        sketch: Any = rensa.RMinHash(PERMUTATIONS, SEED)
        sketch.update(sorted(shingle.hex() for shingle in own))
        found = [(jaccard(own, shingles(text_of(order[other]))), -other) for other in index.query(sketch)]
        similarity, other = max(found, default=(Fraction(0), 0))
        if found and similarity >= threshold:
            left_out.append(NearDocument(name, order[-other], similarity))
        else:
            index.insert(place, sketch)
    return left_out


def bands(threshold: Fraction) -> int:
    """The fewest bands of the sketches by which hardly any pair at the threshold is missed."""
    for rows in (32, 16, 8, 4, 2):
        number = PERMUTATIONS // rows
        if (1 - float(threshold) ** rows) ** number <= MISSED:
            return number
    return PERMUTATIONS
