"""Write a search query that one record answers."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.frames import RECORD


@dataclass(frozen=True, slots=True)
class Ask:
    """Write as somebody would type who looks for this record."""

    language: str


class Answer(BaseModel):
    """One query, as it is typed."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=3, max_length=200)


agent = Agent("write_query", Ask, Answer, frame=RECORD)
