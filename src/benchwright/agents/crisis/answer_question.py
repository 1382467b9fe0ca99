"""Answer a question as the models that are measured do: an action and an explanation, as two fields (section 4.1)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Line

NONE = "none"


@dataclass(frozen=True, slots=True)
class Ask:
    """What should be done? `fault` tells what was wrong with the same model's answer before."""

    scene: str
    question: str
    action_words: int
    explanation_words: int
    fault: str
    language: str


class Answer(BaseModel):
    """The action, and why it is right. Lengths are counted by the plan: nothing is ever cut."""

    model_config = ConfigDict(extra="forbid")

    action: Line
    explanation: Line


agent = Agent("answer_question", Ask, Answer, frame=WORDS)
