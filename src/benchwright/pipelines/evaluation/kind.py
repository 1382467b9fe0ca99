"""The kind: answers of models to the questions of a set."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.quality import Probe, Word
from benchwright.domain.vote import Routed
from benchwright.pipelines.evaluation import body as bodies
from benchwright.pipelines.evaluation.body import Taken
from benchwright.pipelines.evaluation.formats.jsonl import ANSWERS, Answers
from benchwright.pipelines.evaluation.report import EvaluationReport
from benchwright.pipelines.kind import Format, Line, Part, Report, Seen, Table

FORMATS: Mapping[str, Format] = {"jsonl": Answers()}
NO_ROW = "the row of the set is no question"


class EvaluationKind:
    """See `pipelines.kind.Kind`."""

    name = "evaluation"
    thing = "answer"
    formats = FORMATS

    def read(self, values: Any) -> Taken:
        """A body from its JSON values."""
        return bodies.from_json(values)

    def write(self, body: Taken) -> dict[str, Any]:
        """A body as JSON values."""
        return bodies.as_json(body)

    def title(self, body: Taken) -> str:
        """Who took which question."""
        return f"{body.response().taker} #{body.task.run}: {body.task.text}"

    def story(self, item: Seen) -> Sequence[Part]:
        """The question, its choices, and what became of it."""
        body: Taken | None = item.body
        if body is None:
            return (Part("", (Line(NO_ROW),)),)
        task = body.task
        taken, key = set(body.chosen or ()), set(task.key)
        rows = tuple(
            (name, text, "right" if name in key else "", "chosen" if name in taken else "")
            for name, text in task.choices
        )
        ended = [Line(body.state if item.body and not body.failure else f"{body.state}: {body.failure}", strong=True)]
        ended += [Line(body.detail)] if body.detail else []
        ended += [Line(body.reasoning)] if body.reasoning else []
        return (
            Part("", (Line(self.title(body), strong=True), Line(f"question {task.question} of the set"))),
            Part("Choices, in the order shown", (Table(("name", "choice", "key", "answer"), rows),)),
            Part("What became of it", tuple(ended)),
        )

    def place(self, body: Taken, number: int) -> str:
        """Its line."""
        return f"{ANSWERS}, line {number}"

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts."""
        return EvaluationReport(campaign)

    def words(self, body: Taken) -> Sequence[Word]:
        """No panel votes."""
        return ()

    def probes(self, answers: Sequence[Answer]) -> Sequence[Probe]:
        """Nothing is planted."""
        return ()

    def routes(self, body: Taken) -> Sequence[Routed]:
        """Nothing stands under the rule."""
        return ()


EVALUATION = EvaluationKind()
