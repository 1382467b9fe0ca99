"""Judge a question before any option is written: whether it deserves options at all."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.text import Reason, Relied, Thought


@dataclass(frozen=True, slots=True)
class Ask:
    """Is `question`, which is to be about `topic`, a good one? `how` says in what way the document answers it."""

    question: str
    topic: str
    how: str
    language: str


class Answer(BaseModel):
    """The checker's own answer with the sentences that it rests on, then why, and what the question is.

    `sound`: nothing is wrong; `cannot_say`: the checker does not know; each other verdict names what is wrong.
    """

    model_config = ConfigDict(extra="forbid")

    answer: Thought
    sentences: Relied
    reason: Reason
    verdict: Literal[
        "sound",
        "not_self_contained",
        "ambiguous",
        "unanswerable",
        "off_topic",
        "trivial",
        "administrative",
        "cannot_say",
    ]


agent = Agent("check_stem", Ask, Answer)
