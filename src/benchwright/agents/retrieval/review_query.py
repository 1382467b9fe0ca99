"""A person decides about a query before texts are found for it: the role that no worker serves."""

from dataclasses import dataclass
from typing import Literal

from benchwright.agents.base import Agent
from benchwright.agents.decision import Decision
from benchwright.agents.retrieval.frames import QUOTED


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether a `query` of this `sort`, with its relevant `text`, is one that people would ask; `why` one is asked."""

    sort: str
    query: str
    text: str
    why: str


class Answer(Decision):
    """Keep it, keep it in another wording, or discard it; a reason helps whoever reads it.

    `withdraw` takes the same person's word before it back.
    """

    decision: Literal["keep", "edit", "discard", "cannot_say", "withdraw"]


agent = Agent("review_query", Ask, Answer, frame=QUOTED)
