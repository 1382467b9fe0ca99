"""Score a text on one criterion: one of the separate calls of grading in steps and by criteria."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, narrow_schema, own_schema
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.grade_by_steps import Criterion
from benchwright.agents.retrieval.relevance import CRITERION_MOST, Text
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """How well the `text` meets this `criterion`."""

    sort: str
    criterion: Criterion
    query: str
    text: Text


class Answer(BaseModel):
    """From 0 to 3."""

    model_config = ConfigDict(extra="forbid")

    score: int


def check(ask: Ask, answer: Answer) -> None:
    """A score of the scale."""
    if not 0 <= answer.score <= CRITERION_MOST:
        raise BadReply(f"score is {answer.score}: give a whole number from 0 to {CRITERION_MOST}")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Within the scale."""
    return narrow_schema(own_schema(agent, ask), "score", minimum=0, maximum=CRITERION_MOST)


agent = Agent("score_criterion", Ask, Answer, check, schema, frame=QUOTED)
