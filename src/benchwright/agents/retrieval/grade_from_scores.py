"""Grade a text by the scores that it got: the last of the separate calls of grading in steps and by criteria."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, narrow_schema, own_schema
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.relevance import Text
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """The grade, from `least` to `most`, of a text with these `scores`."""

    sort: str
    levels: tuple[str, ...]
    scores: tuple[str, ...]
    least: int
    most: int
    query: str
    text: Text


class Answer(BaseModel):
    """The grade; None abstains."""

    model_config = ConfigDict(extra="forbid")

    grade: int | None


def check(ask: Ask, answer: Answer) -> None:
    """A grade within the bounds."""
    if answer.grade is not None and not ask.least <= answer.grade <= ask.most:
        raise BadReply(f"grade is {answer.grade}: give a whole number from {ask.least} to {ask.most}, or null")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Within the bounds."""
    grades = {"anyOf": [{"type": "integer", "minimum": ask.least, "maximum": ask.most}, {"type": "null"}]}
    return narrow_schema(own_schema(agent, ask), "grade", **grades)


agent = Agent("grade_from_scores", Ask, Answer, check, schema, frame=QUOTED)
