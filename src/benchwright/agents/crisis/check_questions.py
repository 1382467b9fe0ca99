"""Judge by criteria, each by itself, whether a question may stand in the set."""

from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.crisis.frames import WORDS
from benchwright.agents.text import Reason
from benchwright.errors import BadReply

CRITERIA = {
    "answerable": "common sense and the scene are enough to answer it",
    "time": "it asks about the time frame given, and about no other",
    "labels": "it is about the incident and, where one is given, the place given",
    "action": "it asks for an action, not for a fact or an opinion",
    "no_leak": "it names neither what is missing nor a solution",
    "safe": "it is safe to ask: it invites nobody to hurt people or to put them in danger",
}


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion under its name."""

    name: str

    def __str__(self) -> str:
        """The line that the checker sees."""
        return f"{self.name}: {CRITERIA[self.name]}"


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether the `question` meets these `criteria`."""

    scene: str
    question: str
    incident: str
    place: str
    time: str
    resource: str
    criteria: tuple[Criterion, ...]
    language: str


class Verdict(BaseModel):
    """Why, and whether the criterion is met."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    verdict: Literal["yes", "no", "cannot_say"]


class Answer(BaseModel):
    """A verdict under each criterion."""

    model_config = ConfigDict(extra="forbid")

    verdicts: dict[str, Verdict]


def check(ask: Ask, answer: Answer) -> None:
    """A verdict for each criterion, and for no other."""
    wanted = [one.name for one in ask.criteria]
    if set(answer.verdicts) != set(wanted):
        raise BadReply(f"verdicts must have exactly the keys {', '.join(wanted)}")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """An object with exactly the criteria of the question."""
    names = [one.name for one in ask.criteria]
    each = {name: {"$ref": "#/$defs/Verdict"} for name in names}
    inner = {"type": "object", "properties": each, "required": names, "additionalProperties": False}
    return own_schema(agent, ask) | {"properties": {"verdicts": inner}}


agent = Agent("check_questions", Ask, Answer, check, schema, frame=WORDS)
