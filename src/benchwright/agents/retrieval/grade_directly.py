"""Grade how relevant a text is to a query, in one step: zero-shot (DisastIR, section 3.6, tables 13-16)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.relevance import Text, bounded, demand_grade
from benchwright.agents.text import Reason


@dataclass(frozen=True, slots=True)
class Ask:
    """How relevant `text` is to `query`, which is `sort`, by these `levels` from 0 to `most`."""

    sort: str
    levels: tuple[str, ...]
    most: int
    query: str
    text: Text


class Answer(BaseModel):
    """The grade, None where the text cannot be judged, and why."""

    model_config = ConfigDict(extra="forbid")

    grade: int | None
    reason: Reason


def check(ask: Ask, answer: Answer) -> None:
    """A grade of the scale."""
    demand_grade(answer.grade, ask.most)


agent = Agent("grade_directly", Ask, Answer, check, bounded, frame=QUOTED)
