"""Write distractors in place of those that no judge took for right, from what the judges say against them."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.choice.wording import demand_new, demand_unstated
from benchwright.agents.text import Evidence, Line, Reason
from benchwright.domain.document import Reading
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """As many new distractors for `question` as `wanted`; `untaken` are the old ones, each with what judges say of it.

    `how` says in what way the document answers questions, `correct` are the right options, `taken` all other texts that
    there are or were. `nearby` quotes what the question and its right options rest on.
    """

    question: str
    how: str
    nearby: Quoted
    correct: tuple[str, ...]
    taken: tuple[str, ...]
    untaken: tuple[str, ...]
    wanted: int
    language: str


class Option(BaseModel):
    """Why it is wrong, why it tempts, the sentences that it twists, its text."""

    model_config = ConfigDict(extra="forbid")

    flaw: Reason
    temptation: Reason
    evidence: Evidence
    text: Line


class Answer(BaseModel):
    """The new distractors."""

    model_config = ConfigDict(extra="forbid")

    options: Annotated[list[Option], Field(min_length=1)]


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, one of them at least neither correct nor used before."""
    if len(answer.options) > ask.wanted:
        message = f"there are {len(answer.options)} options: give the best {ask.wanted}"
        raise BadReply(message)
    demand_new([option.text for option in answer.options], (*ask.correct, *ask.taken), "a correct or taken option")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """One option at least that does not stand in the document."""
    demand_unstated([option.text for option in answer.options], reading.text)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many options as wanted."""
    return narrow_schema(own_schema(agent, ask), "options", maxItems=ask.wanted)


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The options as those of every pipeline: flaw and temptation are the rationale."""
    return {
        "options": [
            {
                "confusion": "replacement",
                "rationale": f"{option['flaw'].rstrip('.')}; it tempts because {option['temptation']}",
                "evidence": option["evidence"],
                "text": option["text"],
            }
            for option in body["options"]
        ]
    }


agent = Agent("replace_distractors", Ask, Answer, check, schema, settle, against)
