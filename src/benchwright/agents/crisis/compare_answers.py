"""Say which of two answers is better on each dimension, blind to who gave them; asked in both orders."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Reason

Better = Literal["first", "second", "tie"]


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether the `first` or the `second` answer to the `question` is better."""

    scene: str
    question: str
    resource: str
    first: str
    second: str
    language: str


class Choice(BaseModel):
    """Why, and which is better."""

    model_config = ConfigDict(extra="forbid")

    justification: Reason
    better: Better


class Answer(BaseModel):
    """A choice for each dimension."""

    model_config = ConfigDict(extra="forbid")

    resource_management: Choice
    feasibility: Choice
    individual_impact: Choice


agent = Agent("compare_answers", Ask, Answer, frame=WORDS)
