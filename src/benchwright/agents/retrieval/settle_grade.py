"""A person grades a pair on which the models do not agree, or that was drawn: the role that no worker serves."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.agents.retrieval.relevance import Text


@dataclass(frozen=True, slots=True)
class Ask:
    """How relevant is `text` to `query`, by these `levels`? `grades` are the models', `why` the reason for asking."""

    sort: str
    levels: tuple[str, ...]
    query: str
    text: Text
    grades: tuple[str, ...]
    why: str


class Answer(BaseModel):
    """The grade; `withdraw` as the decision takes the same person's word before it back."""

    model_config = ConfigDict(extra="forbid")

    grade: int | None = None
    reason: str = ""
    decision: Literal["", "withdraw"] = ""
    text: str = ""


agent = Agent("settle_grade", Ask, Answer, frame=QUOTED)
