"""Judge whether sentences carry an option as an answer, without the document that they are cited from."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.frames import NOTHING
from benchwright.agents.text import Reason, Thought, once
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """Do these `sentences` show that `option` answers `question`? `how` says in what way questions are answered."""

    question: str
    option: str
    sentences: Quoted
    how: str
    language: str


class Answer(BaseModel):
    """What the sentences alone say to the question, those that the option needs, why, and whether they carry it.

    `carries`: they suffice; `falls_short`: something is missing, or they say something else.
    """

    model_config = ConfigDict(extra="forbid")

    answer: Thought
    needed: Annotated[list[int], AfterValidator(once)]
    reason: Reason
    verdict: Literal["carries", "falls_short", "cannot_say"]


def check(ask: Ask, answer: Answer) -> None:
    """Only sentences that are shown are needed."""
    if strange := [number for number in answer.needed if number not in ask.sentences.numbers]:
        there = ", ".join(map(str, ask.sentences.numbers))
        message = f"needed names sentence {strange[0]}, but the task shows {there}: name some of these, or none"
        raise BadReply(message)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Only sentences that are shown can be named."""
    number = {"type": "integer", "enum": list(ask.sentences.numbers)}
    return narrow_schema(
        own_schema(agent, ask), "needed", items=number, minItems=0, maxItems=len(ask.sentences.numbers)
    )


agent = Agent("check_evidence", Ask, Answer, check, schema, frame=NOTHING)
