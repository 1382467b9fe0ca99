"""A person decides about a question on which its panel did not, before any option is written."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from benchwright.agents.base import Agent, Quoted


@dataclass(frozen=True, slots=True)
class Ask:
    """Is `question` worth options? `evidence` is what its writer cites, `votes` what checkers say of it."""

    question: str
    topic: str
    how: str
    evidence: Quoted
    votes: tuple[str, ...]
    why: str


class Answer(BaseModel):
    """Keep the question, keep it in another wording, or discard the item for a reason.

    `withdraw` takes the same person's word before it back.
    """

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "edit", "discard", "cannot_say", "withdraw"]
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


agent = Agent("review_stem", Ask, Answer)
