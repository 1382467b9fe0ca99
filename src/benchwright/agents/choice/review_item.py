"""A person decides about an item as a whole: discard it, or edit its question. Nobody is asked; anybody may."""

from dataclasses import dataclass
from typing import Literal

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.decision import ReasonedDecision


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether a `question` with its `options`, and the sentences that it rests on, is an item at all."""

    question: str
    options: tuple[str, ...]
    evidence: Quoted


class Answer(ReasonedDecision):
    """Discard the item for a reason, or keep it with another wording of its question.

    `withdraw` takes the same person's word before it back.
    """

    decision: Literal["discard", "edit", "withdraw"]


agent = Agent("review_item", Ask, Answer)
