"""Grade in steps: does the text answer at all, then two criteria, then a grade that the first answer bounds.

DisastIR (arXiv 2505.15856), section 3.6: chain of thought. Here it is one call whose fields come in that order, so
that the grade sees the criteria; `find_answer`, `score_criterion` and `grade_from_scores` ask it in separate calls.
"""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.relevance import Text, bounded, demand_grade, demand_scores, scores_schema
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Criterion:
    """What is scored from 0 to 3, under its name."""

    name: str
    about: str

    def __str__(self) -> str:
        """As the prompt lists it."""
        return f"{self.name}: {self.about}"


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether what `answer` asks is so, its criteria `if_yes` or `if_no`, and a grade from `half` on or below it."""

    sort: str
    levels: tuple[str, ...]
    answer: str
    if_yes: tuple[Criterion, ...]
    if_no: tuple[Criterion, ...]
    half: int
    most: int
    query: str
    text: Text


class Answer(BaseModel):
    """Whether it answers, the scores of the criteria that go with that, and the grade; None abstains."""

    model_config = ConfigDict(extra="forbid")

    answers: bool
    scores: dict[str, int]
    grade: int | None


def check(ask: Ask, answer: Answer) -> None:
    """The criteria of the answer, and a grade of its half of the scale."""
    demand_scores(answer.scores, names(ask.if_yes if answer.answers else ask.if_no))
    demand_grade(answer.grade, ask.most)
    if answer.grade is not None and (answer.grade >= ask.half) != answer.answers:
        least, most = (ask.half, ask.most) if answer.answers else (0, ask.half - 1)
        raise BadReply(f"answers is {str(answer.answers).lower()}, so the grade is from {least} to {most}")


def names(criteria: tuple[Criterion, ...]) -> tuple[str, ...]:
    """The names of criteria."""
    return tuple(one.name for one in criteria)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """With the criteria of either answer."""
    own = bounded(agent, ask)
    either = {"anyOf": [scores_schema(names(criteria)) for criteria in (ask.if_yes, ask.if_no)]}
    return own | {"properties": own["properties"] | {"scores": either}}


agent = Agent("grade_by_steps", Ask, Answer, check, schema, frame=QUOTED)
