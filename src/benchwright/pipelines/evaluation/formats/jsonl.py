"""Answers as JSON lines, a row for each question, model and run: the form that `evaluate --answers` takes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from benchwright.domain.jsonl import json_line
from benchwright.pipelines.evaluation.body import Taken
from benchwright.pipelines.kind import ColumnType, Finished, Subset

ANSWERS = "answers.jsonl"
COLUMNS: Mapping[str, ColumnType] = {
    "id": "string",
    "model": "string",
    "run": "int64",
    "condition": "string",
    "answer": "string",
    "abstained": "bool",
    "failed": "string",
    "shown": ["string"],
    "reasoning": "string",
}
ABOUT = """\
- `answers.jsonl` has a row for each question, model and run: `answer` holds the letters of the choices that the model
  took, by their order in the set, empty for none; `abstained` says that it could not tell, `failed` why there is no
  usable answer ("" where there is one). `shown` is the order in which it saw the choices."""


class Answers:
    """See `pipelines.kind.Format`."""

    about = ABOUT
    subsets = (Subset("answers", {"test": ANSWERS}, COLUMNS),)

    def files(self, found: Finished) -> Mapping[str, Iterable[str]]:
        """The one file."""
        return {ANSWERS: rows(found)}


def rows(found: Finished) -> Iterator[str]:
    """A row for each item."""
    for kept in found.items():
        body = kept.item.body
        assert isinstance(body, Taken)  # noqa: S101 - a kept item has one
        yield json_line(row(body))


def row(body: Taken) -> dict[str, Any]:
    """An item in a row."""
    task = body.task
    return {
        "id": task.question,
        "model": task.model,
        "run": task.run,
        "condition": task.condition,
        "answer": "".join(body.chosen or ()),
        "abstained": body.abstained,
        "failed": body.failure,
        "shown": [name for name, _ in task.choices],
        "reasoning": body.reasoning,
    }
