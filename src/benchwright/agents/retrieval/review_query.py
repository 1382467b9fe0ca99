"""A person decides about a query before texts are found for it: the role that no worker serves."""

from dataclasses import dataclass
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, model_validator

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether a `query` of this `sort`, with its relevant `text`, is one that people would ask; `why` one is asked."""

    sort: str
    query: str
    text: str
    why: str


class Answer(BaseModel):
    """Keep it, keep it in another wording, or discard it; a reason helps whoever reads it.

    `withdraw` takes the same person's word before it back.
    """

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "edit", "discard", "cannot_say", "withdraw"]
    reason: str = ""
    text: str = ""

    @model_validator(mode="after")
    def check_wording(self) -> Self:
        """An edit has a wording, and nothing else has."""
        if (self.decision == "edit") != bool(self.text.strip()):
            raise ValueError("an edit needs the new wording, and only an edit has one")
        return self


agent = Agent("review_query", Ask, Answer, frame=QUOTED)
