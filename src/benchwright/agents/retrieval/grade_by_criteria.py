"""Grade by four criteria, each scored before the grade: multi-dimensional (DisastIR, section 3.6, tables 13-15)."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.grade_by_steps import Criterion, names
from benchwright.agents.retrieval.relevance import Text, bounded, demand_grade, demand_scores, scores_schema


@dataclass(frozen=True, slots=True)
class Ask:
    """The scores of `criteria`, then the grade from 0 to `most`."""

    sort: str
    levels: tuple[str, ...]
    criteria: tuple[Criterion, ...]
    most: int
    query: str
    text: Text


class Answer(BaseModel):
    """The scores, and the grade; None abstains."""

    model_config = ConfigDict(extra="forbid")

    scores: dict[str, int]
    grade: int | None


def check(ask: Ask, answer: Answer) -> None:
    """A score of each criterion, and a grade of the scale."""
    demand_scores(answer.scores, names(ask.criteria))
    demand_grade(answer.grade, ask.most)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """With each criterion."""
    own = bounded(agent, ask)
    return own | {"properties": own["properties"] | {"scores": scores_schema(names(ask.criteria))}}


agent = Agent("grade_by_criteria", Ask, Answer, check, schema, frame=QUOTED)
