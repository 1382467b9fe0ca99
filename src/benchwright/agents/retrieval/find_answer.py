"""Whether a text answers a query at all: the first of the separate calls of grading in steps."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.relevance import Text


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether what `answer` asks is so of this `text`."""

    sort: str
    answer: str
    query: str
    text: Text


class Answer(BaseModel):
    """Whether it is so."""

    model_config = ConfigDict(extra="forbid")

    answers: bool


agent = Agent("find_answer", Ask, Answer, frame=QUOTED)
