"""Think of information needs that a text can meet: the first of two stages (DisastIR, section 3.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, narrow_schema, own_schema
from benchwright.agents.retrieval.frames import ORIGIN
from benchwright.agents.text import Line
from benchwright.domain.text import plain
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """So many different needs of people who would search with `query` for `text`, about `event`."""

    query: str
    text: str
    event: str
    wanted: int
    language: str


class Answer(BaseModel):
    """The needs, one sentence each."""

    model_config = ConfigDict(extra="forbid")

    needs: Annotated[list[Line], Field(min_length=1)]


def check(ask: Ask, answer: Answer) -> None:
    """As many as are wanted, each another one."""
    if len(answer.needs) < ask.wanted:
        raise BadReply(f"{len(answer.needs)} needs, and {ask.wanted} are wanted")
    if len(set(map(plain, answer.needs))) < len(answer.needs):
        raise BadReply("two of the needs are the same: make each another one")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """As many as are wanted."""
    return narrow_schema(own_schema(agent, ask), "needs", minItems=ask.wanted, maxItems=ask.wanted)


def keep_wanted(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The first ones, where there are more."""
    return body | {"needs": body["needs"][: ask.wanted]}


settle: Callable[[Any, Any], Any] = keep_wanted
agent = Agent("brainstorm_needs", Ask, Answer, check, schema, settle, frame=ORIGIN)
