"""A person decides about an item as a whole: discard it, or edit its question. Nobody is asked; anybody may."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from benchwright.agents.base import Agent, Quoted


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether a `question` with its `options`, and the sentences that it rests on, is an item at all."""

    question: str
    options: tuple[str, ...]
    evidence: Quoted


class Answer(BaseModel):
    """Discard the item for a reason, or keep it with another wording of its question.

    `withdraw` takes the same person's word before it back.
    """

    model_config = ConfigDict(extra="forbid")

    decision: Literal["discard", "edit", "withdraw"]
    reason: str = ""
    text: str = ""

    @model_validator(mode="after")
    def check_wording(self) -> Self:
        """An edit has a wording, and nothing else has; a discarded item has a reason."""
        if (self.decision == "edit") != bool(self.text.strip()):
            raise ValueError("an edit needs the new wording, and only an edit has one")
        if self.decision == "discard" and not self.reason.strip():
            raise ValueError("an item is discarded for a reason: give one")
        return self


agent = Agent("review_item", Ask, Answer)
