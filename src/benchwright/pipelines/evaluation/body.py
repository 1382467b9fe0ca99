"""What an item of an evaluation is: one question, put to one model, in one run."""

import json
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any

from pydantic import TypeAdapter

from benchwright.pipelines.evaluation.responses import Response


@dataclass(frozen=True, slots=True)
class Task:
    """What is put to whom.

    `choices` are texts by their names in the order in which they are shown, `key` the names of the right ones (never
    shown). `shots` are solved questions: stem, lines of choices, letters. `run` counts from 1.
    """

    question: str
    text: str
    choices: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    model: str
    run: int
    condition: str
    shots: tuple[tuple[str, tuple[str, ...], str], ...] = ()


@dataclass(frozen=True, slots=True)
class Taken:
    """A task with what became of it; `chosen` is None where there was no usable answer, for the reason in `failure`."""

    task: Task
    chosen: tuple[str, ...] | None = None
    abstained: bool = False
    failure: str = ""
    detail: str = ""
    reasoning: str = ""

    @property
    def state(self) -> str:
        """In a word: failed, abstained, right or wrong."""
        if self.chosen is None:
            return "failed"
        if self.abstained:
            return "abstained"
        return "right" if set(self.chosen) == set(self.task.key) else "wrong"

    def response(self) -> Response:
        """As it is measured."""
        chosen = None if self.chosen is None else frozenset(self.chosen)
        task = self.task
        return Response(task.question, task.model, chosen, task.run, task.condition, self.abstained, self.failure)


@cache
def adapter() -> TypeAdapter[Taken]:
    """What turns bodies into JSON values and back."""
    return TypeAdapter(Taken)


@cache
def task_adapter() -> TypeAdapter[Task]:
    """The same of tasks."""
    return TypeAdapter(Task)


def as_json(body: Taken) -> dict[str, Any]:
    """A body as JSON values."""
    values: dict[str, Any] = adapter().dump_python(body, mode="json")
    return values


def from_json(values: object) -> Taken:
    """A body from its JSON values; raises `ValueError`."""
    return adapter().validate_python(values)


def task_json(task: Task) -> dict[str, Any]:
    """A task as JSON values."""
    return asdict(task)


@lru_cache(maxsize=1024)
def task_of(text: str) -> Task:
    """The task that the JSON of a seed holds."""
    return task_adapter().validate_python(json.loads(text))
