"""Texts that are measured, each with its gold texts; and what a measure comes to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Protocol

from benchwright.errors import UsageError


@dataclass(frozen=True, slots=True)
class Case:
    """A text and the gold texts that it is measured against, one at least."""

    text: str
    gold: tuple[str, ...]

    def __post_init__(self) -> None:
        if not any(one.strip() for one in self.gold):
            raise UsageError(f"the answer {self.text[:40]!r} has no gold text: measure it only where there is one")


@dataclass(frozen=True, slots=True)
class Score:
    """A measure over `n` cases: its value, and the `signature` by which others can repeat it.

    `value` None is a measure that was not taken, and `reason` says why.
    """

    name: str
    value: float | None
    n: int
    signature: str = ""
    reason: str = ""


class Scorer(Protocol):
    """What scores a text against one gold text, by the weights that its `id` names."""

    @property
    def id(self) -> str:
        """What the scores depend on, with a hash of the weights: scores of others are not comparable."""
        ...

    def score(self, gold: str, text: str) -> float:
        """The score of a text; the gold text comes first."""
        ...


def mean_of_best(
    name: str, cases: Sequence[Case], scorer: Scorer | None, reason: str, sign: Callable[[str], str]
) -> Score:
    """The mean over cases, of several gold texts the greatest; `reason` says why there is no scorer."""
    if scorer is None:
        return Score(name, None, len(cases), reason=reason)
    if not cases:
        return Score(name, None, 0, reason="there is no answer to measure")
    best = [max(scorer.score(gold, case.text) for gold in case.gold) for case in cases]
    return Score(name, fsum(best) / len(best), len(cases), sign(scorer.id))


def pair_up(texts: Sequence[str], streams: Sequence[Sequence[str]]) -> list[Case]:
    """Cases of texts and streams of gold texts, each stream one gold text for each text.

    That is the orientation of SacreBLEU; turned round, or with a stream too short, it would silently measure another
    thing, so lengths must fit. A gold text that is empty is none.
    """
    if not texts or not streams:
        raise UsageError("there is nothing to measure: give texts, and one stream of gold texts at least")
    wrong = next((n for n, stream in enumerate(streams) if len(stream) != len(texts)), None)
    if wrong is not None:
        raise UsageError(
            f"gold stream {wrong + 1} has {len(streams[wrong])} texts for {len(texts)} answers: a stream holds one gold"
            " text for each answer, in the same order"
        )
    return [Case(text, tuple(filter(None, gold))) for text, gold in zip(texts, zip(*streams, strict=True), strict=True)]
