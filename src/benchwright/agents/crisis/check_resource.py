"""Judge whether what is missing in a scene belongs to the class that it was put into."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Reason


@dataclass(frozen=True, slots=True)
class Ask:
    """Is the `resource` one of the class `kind`? `others` are the other classes."""

    problem: str
    resource: str
    kind: str
    others: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """Why, and whether it fits."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    verdict: Literal["yes", "no", "cannot_say"]


agent = Agent("check_resource", Ask, Answer, frame=WORDS)
