"""Between pipeline and store: what a plan means in tickets."""

from collections.abc import Sequence
from dataclasses import replace

from benchwright.domain.answer import Answer
from benchwright.domain.item import Seed, Verdict
from benchwright.pipelines.base import Due, Pipeline, state_of
from benchwright.store.jobs import Owed, Planner


def planner(pipeline: Pipeline) -> Planner:
    """The function by which the store learns what is owed."""

    def plan(seed: Seed, answers: Sequence[Answer]) -> Sequence[Owed] | Verdict:
        owed = pipeline.plan(state_of(pipeline, seed, answers))
        return stored(pipeline, owed) if isinstance(owed, Verdict) else [(due.key, due.to) for due in owed]

    return plan


def stored(pipeline: Pipeline, verdict: Verdict) -> Verdict:
    """The end of an item as the store takes it, its body in JSON values."""
    return verdict if verdict.body is None else replace(verdict, body=pipeline.kind.write(verdict.body))


def due(pipeline: Pipeline, seed: Seed, answers: Sequence[Answer], key: str) -> Due | None:
    """The owed thing that a ticket stands for; None where it is no longer owed."""
    owed = pipeline.plan(state_of(pipeline, seed, answers))
    return None if isinstance(owed, Verdict) else next((due for due in owed if due.key == key), None)
