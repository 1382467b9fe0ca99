"""A person decides about an option on which the panel did not: the role that no worker serves."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted


@dataclass(frozen=True, slots=True)
class Ask:
    """Does `option` do what it claims? `claim` is "correct option" or "distractor", `evidence` what its writer cites.

    `votes` are the checkers' verdicts with reasons, `others` the item's other options as they stand.
    """

    question: str
    option: str
    claim: str
    evidence: Quoted
    votes: tuple[str, ...]
    others: tuple[str, ...]


class Answer(BaseModel):
    """Keep it as what it claims to be, or reject it; a reason helps whoever reads the history."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "reject"]
    reason: str = ""


agent = Agent("review_option", Ask, Answer)
