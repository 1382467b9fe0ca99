"""A person decides about a question on which its panel did not, before any option is written."""

from dataclasses import dataclass
from typing import Literal

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.decision import ReasonedDecision


@dataclass(frozen=True, slots=True)
class Ask:
    """Is `question` worth options? `evidence` is what its writer cites, `votes` what checkers say of it."""

    question: str
    topic: str
    how: str
    evidence: Quoted
    votes: tuple[str, ...]
    why: str


class Answer(ReasonedDecision):
    """Keep the question, keep it in another wording, or discard the item for a reason.

    `withdraw` takes the same person's word before it back.
    """

    decision: Literal["keep", "edit", "discard", "cannot_say", "withdraw"]


agent = Agent("review_stem", Ask, Answer)
