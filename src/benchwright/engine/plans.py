"""Between pipeline and store: what a plan means in tickets."""

from collections.abc import Sequence

from benchwright.domain.answer import Answer
from benchwright.domain.item import Seed, Verdict
from benchwright.pipelines.base import Due, Pipeline, state_of
from benchwright.store.jobs import Owed, Planner


def planner(pipeline: Pipeline) -> Planner:
    """The function by which the store learns what is owed."""

    def plan(seed: Seed, answers: Sequence[Answer]) -> Sequence[Owed] | Verdict:
        owed = pipeline.plan(state_of(pipeline, seed, answers))
        return owed if isinstance(owed, Verdict) else [(due.key, due.to) for due in owed]

    return plan


def due(pipeline: Pipeline, seed: Seed, answers: Sequence[Answer], key: str) -> Due | None:
    """The owed thing that a ticket stands for; None where it is no longer owed."""
    owed = pipeline.plan(state_of(pipeline, seed, answers))
    return None if isinstance(owed, Verdict) else next((due for due in owed if due.key == key), None)
