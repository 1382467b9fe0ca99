"""Judge whether a rewritten question is still the same question, and can still be answered."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.text import Reason


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether `after` asks what `before` asks."""

    before: str
    after: str
    language: str


class Answer(BaseModel):
    """Why, and what the rewriting did.

    `same`: the same question, to be answered from the document; `changed`: it asks for something else, or says more
    or less; `unanswerable`: nobody could tell what is described; `cannot_say`: the checker does not know.
    """

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    verdict: Literal["same", "changed", "unanswerable", "cannot_say"]


agent = Agent("compare_stems", Ask, Answer)
