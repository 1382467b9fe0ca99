"""Choose what kind of hazard a document is about: first a category, then an event type within it."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """The one of the numbered `choices` that the document with this `title` and beginning is mainly about."""

    title: str
    text: Quoted
    choices: tuple[str, ...]


class Answer(BaseModel):
    """The number of the choice; 0 where none fits."""

    model_config = ConfigDict(extra="forbid")

    number: int = Field(ge=0)


def check(ask: Ask, answer: Answer) -> None:
    """One of the choices, or none."""
    if answer.number > len(ask.choices):
        message = f"number is {answer.number}, and the choices go from 1 to {len(ask.choices)}: give one, or 0 for none"
        raise BadReply(message)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Bounded by the choices."""
    return narrow_schema(own_schema(agent, ask), "number", maximum=len(ask.choices))


agent = Agent("choose_event", Ask, Answer, check, schema, frame=QUOTED)
