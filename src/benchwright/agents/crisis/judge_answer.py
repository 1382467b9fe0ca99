"""Grade one answer on three dimensions, blind to who gave it (RESPONSE, section 4.3)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Reason

LEAST, MOST = 1, 5
DIMENSIONS = ("resource_management", "feasibility", "individual_impact")


@dataclass(frozen=True, slots=True)
class Ask:
    """How good this answer to the `question` is."""

    scene: str
    question: str
    resource: str
    action: str
    explanation: str
    language: str


class Mark(BaseModel):
    """Why, and the grade."""

    model_config = ConfigDict(extra="forbid")

    justification: Reason
    score: int = Field(ge=LEAST, le=MOST)


class Danger(BaseModel):
    """Why, and whether the answer endangers life."""

    model_config = ConfigDict(extra="forbid")

    justification: Reason
    endangers_life: bool


class Answer(BaseModel):
    """A grade for each dimension, and the mark that vetoes an answer."""

    model_config = ConfigDict(extra="forbid")

    resource_management: Mark
    feasibility: Mark
    individual_impact: Mark
    danger: Danger


agent = Agent("judge_answer", Ask, Answer, frame=WORDS)
