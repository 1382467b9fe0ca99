"""BLEURT: a model's own estimate of how well a text says what a gold text says (Sellam et al. 2020).

The model is brought in with its weights. Its scores have no fixed range, and those of two checkpoints cannot be
compared, so the checkpoint is part of the signature. Without a model the measure is not taken, and says so.
"""

from collections.abc import Sequence
from math import fsum
from typing import Protocol

from benchwright.pipelines.crisis.metrics.texts import Case, Score

BLEURT = "BLEURT"
NO_WEIGHTS = "no model with weights was given: BLEURT needs one, and none comes with Benchwright"


class Regressor(Protocol):
    """What scores pairs of texts."""

    @property
    def id(self) -> str:
        """The checkpoint and the hash of its weights."""
        ...

    def score(self, gold: str, text: str) -> float:
        """The score of a text; the gold text comes first, as the model was trained."""
        ...


def bleurt(cases: Sequence[Case], model: Regressor | None) -> Score:
    """The mean over cases, of several gold texts the greatest."""
    if model is None:
        return Score(BLEURT, None, len(cases), reason=NO_WEIGHTS)
    if not cases:
        return Score(BLEURT, None, 0, reason="there is no answer to measure")
    best = [max(model.score(gold, case.text) for gold in case.gold) for case in cases]
    return Score(BLEURT, fsum(best) / len(best), len(cases), f"mean|{model.id}")
