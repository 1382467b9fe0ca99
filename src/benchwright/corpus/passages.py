"""Passages: runs of a document's sentences that belong together by meaning, and passages that nearly repeat another.

Both are functions of vectors that somebody else has made; no model is asked here.
Source: DisastIR (arXiv 2505.15856), section 3.1: semantic passages of fewer than 256 tokens, cosine above 0.9.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from math import hypot
from statistics import fmean, pstdev
from typing import Any, Protocol

from benchwright.domain.call import tokens
from benchwright.domain.document import Document, View, read_out
from benchwright.domain.extra import library
from benchwright.domain.source import Passage

LEAST = 32  # tokens: a shorter run joins a neighbour even across a change of topic
WINDOW = 3  # sentences on each side that a change of topic is measured by: one sentence alone is mostly noise
BREAKS = 1.645  # standard deviations above the mean: from there on a gap is a change of topic (one in twenty is)
SIMILAR = 0.9  # the cosine above which a passage repeats another
NEIGHBOURS = 8  # that the index is asked for; each is measured exactly


class HasText(Protocol):
    """A sentence, or anything else that has a text."""

    @property
    def text(self) -> str:
        """Its words."""
        ...


def split_passages(
    sentences: Sequence[HasText],
    vectors: Sequence[Sequence[float]],
    most: int,
    least: int = LEAST,
    measure: Callable[[str], int] = tokens,
) -> list[range]:
    """The runs of sentences that are passages, ascending and apart, as ranges of indices into `sentences`.

    `vectors` has one vector a sentence. Neighbouring runs are joined, those that are nearest in meaning first, while
    they hold at most `most` tokens together and the gap between them is no change of topic.
    A sentence that alone is longer than `most` is in no run: the bound has no exception.
    Raises `ValueError` where sentences and vectors are not as many.
    """
    count = len(sentences)
    if len(vectors) != count:
        message = f"{count} sentences and {len(vectors)} vectors: there must be as many"
        raise ValueError(message)
    total = [0, *accumulate(measure(sentence.text) for sentence in sentences)]
    gaps = topic_gaps(vectors)
    widest = fmean(gaps[1:]) + BREAKS * pstdev(gaps[1:]) if count > 1 else 0.0
    first, last = list(range(count)), list(range(count))  # of a run: by its last sentence, by its first
    # A run never shrinks, so what does not fit once never fits later: each gap is looked at once.
    for place in sorted(range(1, count), key=lambda place: (gaps[place], place)):
        start, end = first[place - 1], last[place]
        left, right = total[place] - total[start], total[end + 1] - total[place]
        if left + right <= most and (gaps[place] <= widest or min(left, right) < least):
            first[end], last[start] = start, end
    runs = [range(first[end], end + 1) for end in range(count) if last[first[end]] == end]
    return [run for run in runs if total[run.stop] - total[run.start] <= most]


def topic_gaps(vectors: Sequence[Sequence[float]]) -> list[float]:
    """How far apart (1 - cosine, to six places) the sentences before and from each place on are; 0 at the first place.

    `WINDOW` sentences on each side are taken together.
    """
    return [0.0] * min(1, len(vectors)) + [
        round(1 - _cosine(_sum(vectors[max(0, place - WINDOW) : place]), _sum(vectors[place : place + WINDOW])), 6)
        for place in range(1, len(vectors))
    ]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """The cosine of the angle between two vectors; 0 where one of them has no direction."""
    lengths = hypot(*one) * hypot(*other)
    return sum(a * b for a, b in zip(one, other, strict=True)) / lengths if lengths else 0.0


def document_passages(document: Document, view: View, vectors: Sequence[Sequence[float]], most: int) -> list[Passage]:
    """The passages of a view, each within one section; `vectors` has one vector for each sentence of the reading."""
    sentences = read_out(document, view).sentences
    passages: list[Passage] = []
    start = 0
    for index in view.sections:
        end = start + len(document.sections[index].sentences)
        runs = split_passages(sentences[start:end], vectors[start:end], most)
        passages += [Passage(view, start + run.start + 1, start + run.stop) for run in runs]
        start = end
    return passages


def find_near_duplicates(
    ids: Sequence[str], vectors: Sequence[Sequence[float]], threshold: float = SIMILAR
) -> Mapping[str, tuple[str, ...]]:
    """What is kept and has near-duplicates, each with the ids that it stands for: the clusters.

    Ids are looked at in sorted order, whatever the order of `ids`. One whose cosine with a kept one is above
    `threshold` is dropped for the nearest such (of equally near ones, for that of the smallest id); else it is kept.
    So each dropped one is really near the one that stands for it: there are no chains. Vectors without a direction
    repeat nothing. The neighbours come from an HNSW index (usearch, extra `ir`), and are measured exactly.
    Raises `ValueError` where ids repeat, or are not as many as the vectors.
    """
    if len(set(ids)) != len(ids) or len(ids) != len(vectors):
        message = (
            f"{len(ids)} ids, {len(set(ids))} of them different, and {len(vectors)} vectors: there must be as many"
        )
        raise ValueError(message)
    numpy: Any = library("numpy", "finding near-duplicate passages", "ir")
    usearch: Any = library("usearch.index", "finding near-duplicate passages", "ir")

    def unit(place: int) -> Any:
        vector = numpy.asarray(vectors[place], dtype="float64")
        return vector / (numpy.linalg.norm(vector) or 1.0)

    found: dict[str, list[str]] = {}
    index: Any = None
    for place in sorted(range(len(ids)), key=lambda place: ids[place]):
        vector = unit(place)
        if index is None:
            index = usearch.Index(ndim=len(vector), metric="cos", dtype="f32")
        near = index.search(vector.astype("float32"), NEIGHBOURS).keys.tolist() if len(index) else []
        closest = [(-float(unit(kept) @ vector), ids[kept]) for kept in near]
        if closest and -min(closest)[0] > threshold:
            found.setdefault(min(closest)[1], []).append(ids[place])
        elif vector.any():
            index.add(place, vector.astype("float32"))
    return {kept: tuple(dropped) for kept, dropped in found.items()}


def _sum(vectors: Sequence[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*vectors, strict=True)]
