"""A person compares two answers, blind: sufficiency, usefulness, correctness (RESPONSE, section 4.4)."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent

Side = Literal["first", "second", "tie"]
CRITERIA = ("sufficiency", "usefulness", "correctness")


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of two answers to the `question` is better? Their order was drawn, and nobody says who gave them."""

    scene: str
    question: str
    first: str
    second: str


class Answer(BaseModel):
    """Which is better by each criterion, and whether one endangers life; `withdraw` takes the word before back."""

    model_config = ConfigDict(extra="forbid")

    sufficiency: Side | Literal[""] = ""
    usefulness: Side | Literal[""] = ""
    correctness: Side | Literal[""] = ""
    danger: Literal["", "neither", "first", "second", "both"] = ""
    reason: str = ""
    decision: Literal["", "withdraw"] = ""
    text: str = ""


agent = Agent("prefer_answer", Ask, Answer)
