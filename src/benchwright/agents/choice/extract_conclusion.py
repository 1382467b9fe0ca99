"""Extract what the masked part concludes and the rest of the document bears out (EpiQAL-C, section 3.5)."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Masked, narrow_schema, own_schema
from benchwright.agents.choice.wording import demand_new, demand_uncopied, demand_unstated
from benchwright.agents.text import Line, MaskedEvidence, Pieces, Reason
from benchwright.domain.document import Reading
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """What does the `masked` part conclude? At most `wanted` conclusions, which answer one and the same question."""

    masked: Masked
    wanted: int
    language: str


class Conclusion(BaseModel):
    """How it follows, the masked sentences that state it, those of the document that support it, the text."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    discussion: MaskedEvidence
    evidence: Pieces
    text: Line


class Answer(BaseModel):
    """The conclusions; none where the masked part draws none that the document bears out."""

    model_config = ConfigDict(extra="forbid")

    conclusions: list[Conclusion]


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, one of them at least with words of its own."""
    texts = [conclusion.text for conclusion in answer.conclusions]
    if len(texts) > ask.wanted:
        message = f"there are {len(texts)} conclusions: give the best {ask.wanted}"
        raise BadReply(message)
    demand_new(texts, (), "")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """One conclusion at least is new."""
    texts = [conclusion.text for conclusion in answer.conclusions]
    demand_unstated(texts, reading.text)
    shown = f"{reading.text}\n{ask.masked.text(reading)}"
    demand_uncopied(texts, agent.prompt.examples, shown)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many conclusions as wanted."""
    return narrow_schema(own_schema(agent, ask), "conclusions", maxItems=ask.wanted)


agent = Agent("extract_conclusion", Ask, Answer, check, schema, against=against)
