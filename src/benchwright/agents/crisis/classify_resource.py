"""Put what is missing in a scene into a class, so that results can be told by class."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, narrow_schema, own_schema
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Reason
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of the numbered `classes` the `resource` belongs to."""

    problem: str
    resource: str
    classes: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """Why, and the number of the class."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    best: int = Field(ge=1)


def number_classes(classes: Mapping[str, str]) -> tuple[str, ...]:
    """Classes with what belongs to them, as a question shows them."""
    return tuple(f"{number}. {name}: {about}" for number, (name, about) in enumerate(classes.items(), 1))


def check(ask: Ask, answer: Answer) -> None:
    """The number is one of those shown."""
    if answer.best > len(ask.classes):
        raise BadReply(f"best must be a number from 1 to {len(ask.classes)}")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """A number of those shown."""
    return narrow_schema(own_schema(agent, ask), "best", maximum=len(ask.classes))


agent = Agent("classify_resource", Ask, Answer, check, schema, frame=WORDS)
