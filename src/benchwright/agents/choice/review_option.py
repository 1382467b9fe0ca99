"""A person decides about an option on which the panel did not, or as an audit: the role that no worker serves."""

from dataclasses import dataclass, replace
from typing import Literal

from benchwright.agents.base import NOTHING_MASKED, Agent, Masked, Quoted
from benchwright.agents.decision import Decision


@dataclass(frozen=True, slots=True)
class Ask:
    """Does `option` do what it claims? `claim` is "correct option" or "distractor", `evidence` what its writer cites.

    `votes` are the checkers' verdicts with reasons, `others` the item's other options as they stand, `why` the
    reason for which people are asked. `source` quotes the masked sentences that a conclusion was taken from, where they
    are asked whether it says what these say, and nothing elsewhere.
    """

    question: str
    option: str
    claim: str
    evidence: Quoted
    votes: tuple[str, ...]
    others: tuple[str, ...]
    why: str
    source: Masked = NOTHING_MASKED


class Answer(Decision):
    """Keep it as what it claims to be, reject it, or keep it in another wording; a reason helps whoever reads it.

    `withdraw` takes the same person's word before it back.
    """

    decision: Literal["keep", "reject", "edit", "cannot_say", "withdraw"]


agent = Agent("review_option", Ask, Answer)
# The same for options that are right where they follow: people decide by other rules.
of_inference = replace(agent, file="review_inference")
of_reconstruction = replace(agent, file="review_reconstruction")
