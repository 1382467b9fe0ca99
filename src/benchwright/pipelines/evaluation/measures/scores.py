"""Scores of answers to questions with several choices, of which none, one or several are right.

EpiQAL (arXiv 2601.03471, section 4.1) reports Exact Match and F1. Where nothing is right and nothing is chosen, all
scores are 1: it is the right answer. EpiQAL's code gives F1 0 there (and Exact Match 1); `paper` does the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from benchwright.pipelines.evaluation.responses import Response

NAMES = ("exact", "f1", "precision", "recall")  # the measures, the leading one first


@dataclass(frozen=True, slots=True)
class Score:
    """The scores of one answer, or their means over many, from 0 to 1; `size` is how many choices were taken."""

    exact: float
    f1: float
    precision: float
    recall: float
    size: float


NOTHING = Score(0.0, 0.0, 0.0, 0.0, 0.0)


def score(chosen: frozenset[str], key: frozenset[str], *, paper: bool = False) -> Score:
    """One answer against its key. A choice that the question does not have is a wrong one."""
    if not chosen and not key:
        partial = 0.0 if paper else 1.0
        return Score(1.0, partial, partial, partial, 0.0)
    both = len(chosen & key)
    return Score(
        exact=float(chosen == key),
        f1=2 * both / (len(chosen) + len(key)),
        precision=both / len(chosen) if chosen else 0.0,
        recall=both / len(key) if key else 0.0,
        size=float(len(chosen)),
    )


def score_response(response: Response, key: frozenset[str], *, paper: bool = False) -> Score | None:
    """A model's answer; None where there is none. Who cannot tell has not said that nothing is right: all is 0."""
    if response.chosen is None:
        return None
    return NOTHING if response.abstained else score(response.chosen, key, paper=paper)


def mean_score(scores: Iterable[Score]) -> Score | None:
    """The mean of each score; None of none."""
    found: Sequence[Score] = list(scores)
    if not found:
        return None
    return Score(*(fsum(getattr(one, name) for one in found) / len(found) for name in (*NAMES, "size")))
