"""BERTScore: greedy matching of the tokens of two texts by the cosine of their vectors (Zhang et al. 2020).

The formula is here; the vectors come from an encoder with weights of its own, which is brought in. Without one the
measure is not taken, and says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Protocol

from benchwright.pipelines.crisis.metrics.texts import Case, Score

BERTSCORE = "BERTScore"
NO_WEIGHTS = "no encoder with weights was given: BERTScore needs one, and none comes with Benchwright"
Vector = tuple[float, ...]


class Encoder(Protocol):
    """What turns a text into one vector for each of its tokens."""

    @property
    def id(self) -> str:
        """The model, its layer and the hash of its weights: scores of other weights are not comparable."""
        ...

    def encode(self, text: str) -> Sequence[tuple[Vector, float]]:
        """A vector for each token with its weight in the mean: 1, or 0 of marks that the model adds by itself."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and F of one text against one gold text."""

    precision: float
    recall: float
    f: float


def match(text: Sequence[tuple[Vector, float]], gold: Sequence[tuple[Vector, float]]) -> Match:
    """Each token of one side takes the most alike of the other; of an empty side all is 0."""
    if not any(weight for _, weight in text) or not any(weight for _, weight in gold):
        return Match(0.0, 0.0, 0.0)
    precision, recall = covered(text, gold), covered(gold, text)
    total = precision + recall
    return Match(precision, recall, 2 * precision * recall / total if total else 0.0)


def covered(tokens: Sequence[tuple[Vector, float]], others: Sequence[tuple[Vector, float]]) -> float:
    """The weighted mean over tokens of the greatest cosine with any of the others."""
    best = (weight * max(cosine(vector, other) for other, _ in others) for vector, weight in tokens)
    return fsum(best) / fsum(weight for _, weight in tokens)


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors; 0 where one has no length."""
    lengths = sqrt(fsum(x * x for x in one) * fsum(x * x for x in other))
    return fsum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0


def bertscore(cases: Sequence[Case], encoder: Encoder | None) -> Score:
    """The mean F over cases, of several gold texts the greatest; raw, without rescaling and without idf."""
    if encoder is None:
        return Score(BERTSCORE, None, len(cases), reason=NO_WEIGHTS)
    if not cases:
        return Score(BERTSCORE, None, 0, reason="there is no answer to measure")
    best = [max(match(encoder.encode(case.text), encoder.encode(gold)).f for gold in case.gold) for case in cases]
    return Score(BERTSCORE, fsum(best) / len(best), len(cases), f"F1|raw|no-idf|{encoder.id}")
