"""Judge whether a conclusion says what the masked sentences say that it was taken from."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Masked
from benchwright.agents.text import Reason


@dataclass(frozen=True, slots=True)
class Ask:
    """Does the `conclusion` say what its `source` says? That quotes the masked sentences that its writer cited."""

    conclusion: str
    source: Masked
    language: str


class Answer(BaseModel):
    """Why, and what the conclusion is.

    `faithful`: drawn by these sentences; `distorted`: not said by them, or not as far; `no_conclusion`: said, but as
    something else than a conclusion of this article; `cannot_say`: they do not suffice to tell.
    """

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    verdict: Literal["faithful", "distorted", "no_conclusion", "cannot_say"]


agent = Agent("compare_conclusion", Ask, Answer)
