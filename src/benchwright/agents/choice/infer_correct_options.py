"""Write the correct options of a question whose answer must be inferred (EpiQAL-B, section 3.5)."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.choice.mending import object_to_options
from benchwright.agents.choice.wording import demand_new, demand_uncopied, demand_unstated
from benchwright.agents.text import Line, Pieces, Reason
from benchwright.domain.document import Reading
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """What follows, in answer to `question`? At most `wanted` options.

    `chain` is the inference that its writer had in mind, `nearby` quotes the sentences.
    """

    question: str
    chain: str
    nearby: Quoted
    wanted: int
    language: str


class Option(BaseModel):
    """One conclusion: why it follows, the sentences that it joins, the text."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    evidence: Pieces
    text: Line


class Answer(BaseModel):
    """All conclusions; none where nothing follows."""

    model_config = ConfigDict(extra="forbid")

    options: list[Option]


def check(ask: Ask, answer: Answer) -> None:
    """At most as many as wanted, one of them at least that is not the question."""
    if len(answer.options) > ask.wanted:
        message = f"there are {len(answer.options)} options: give the most direct {ask.wanted}"
        raise BadReply(message)
    demand_new([option.text for option in answer.options], (ask.question,), "the question")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """One option at least that does not stand in the document."""
    texts = [option.text for option in answer.options]
    demand_unstated(texts, reading.text)
    demand_uncopied(texts, agent.prompt.examples, reading.text)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """At most as many options as wanted."""
    return narrow_schema(own_schema(agent, ask), "options", maxItems=ask.wanted)


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Numbers beside their sentences, what comes from examples, flaws of wording."""
    options = [(option.text, option.evidence) for option in answer.options]
    return object_to_options(options, ask.question, (), agent.prompt.examples, reading)


agent = Agent("infer_correct_options", Ask, Answer, check, schema, against=against, object_to=object_to)
