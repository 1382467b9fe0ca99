"""Design wrong options out of true facts of the same document (EpiQAL-A, section 3.5)."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.choice.wording import demand_new
from benchwright.agents.text import Evidence, Line, Reason
from benchwright.errors import BadReply

Confusion = Literal["role", "population", "place", "time", "context", "measure"]


@dataclass(frozen=True, slots=True)
class Ask:
    """`wanted` wrong options beside the `correct` ones; `taken` are used or have failed already.

    `nearby` quotes numbered sentences to look at first, for instance the section that holds the answer.
    """

    question: str
    nearby: Quoted
    correct: tuple[str, ...]
    taken: tuple[str, ...]
    wanted: int
    language: str


class Option(BaseModel):
    """One wrong answer: what a hasty reader confuses, why it is wrong, where the document states the fact, the text."""

    model_config = ConfigDict(extra="forbid")

    confusion: Confusion
    rationale: Reason
    evidence: Evidence
    text: Line


class Answer(BaseModel):
    """The wrong options."""

    model_config = ConfigDict(extra="forbid")

    options: Annotated[list[Option], Field(min_length=1)]


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, one of them at least neither correct nor used before."""
    texts = [option.text for option in answer.options]
    if len(texts) > ask.wanted:
        message = f"there are {len(texts)} options: give the best {ask.wanted}"
        raise BadReply(message)
    demand_new(texts, (*ask.correct, *ask.taken), "a correct or taken option")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many options as wanted."""
    return narrow_schema(own_schema(agent, ask), "options", maxItems=ask.wanted)


agent = Agent("design_distractors", Ask, Answer, check, schema)
