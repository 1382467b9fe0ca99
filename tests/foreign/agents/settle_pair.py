"""A person grades a pair about which the graders disagree: the role that no worker serves."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent


@dataclass(frozen=True, slots=True)
class Ask:
    """How well does the record answer the `query`? `grades` are what the models say, `why` for what reason one asks."""

    query: str
    grades: tuple[str, ...]
    why: str


class Answer(BaseModel):
    """The grade; `withdraw` as the decision takes the same person's word before it back."""

    model_config = ConfigDict(extra="forbid")

    grade: int | None = None
    reason: str = ""
    decision: Literal["", "withdraw"] = ""
    text: str = ""


agent = Agent("settle_pair", Ask, Answer)
