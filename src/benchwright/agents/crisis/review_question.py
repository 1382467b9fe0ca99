"""A person decides whether a question meets a criterion that the panel has not settled."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent


@dataclass(frozen=True, slots=True)
class Ask:
    """Does the `question` meet the `criterion`? `votes` are what the models say, `why` for what reason one asks."""

    scene: str
    question: str
    incident: str
    place: str
    time: str
    resource: str
    criterion: str
    votes: tuple[str, ...]
    why: str


class Answer(BaseModel):
    """Whether it does; `withdraw` takes the same person's word back."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "reject", "cannot_say", "withdraw"]
    reason: str = ""
    text: str = ""


agent = Agent("review_question", Ask, Answer)
