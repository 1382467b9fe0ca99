"""A person fills in what is noted of a scene, or corrects a draft: the eight fields of the form (section 3)."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent

DECISIONS = ("save", "discard")


@dataclass(frozen=True, slots=True)
class Ask:
    """What is the trouble in this `scene`, and what helps? A solution has at most so many `words`."""

    scene: str
    incidents: tuple[str, ...]
    places: tuple[str, ...]
    words: int


class Answer(BaseModel):
    """The eight fields; or the scene is discarded for a reason. `withdraw` takes the same person's word back."""

    model_config = ConfigDict(extra="forbid")

    problem: str = ""
    missing_resource: str = ""
    solution_immediate: str = ""
    explanation_immediate: str = ""
    solution_week: str = ""
    explanation_week: str = ""
    solution_month: str = ""
    explanation_month: str = ""
    reason: str = ""
    decision: Literal["", "save", "discard", "withdraw"] = ""
    text: str = ""


agent = Agent("fill_scene", Ask, Answer)
