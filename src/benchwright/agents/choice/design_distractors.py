"""Design wrong options out of true facts of the same document (EpiQAL-A, section 3.5)."""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.agents.choice.mending import object_to_options
from benchwright.agents.choice.wording import demand_new, demand_uncopied
from benchwright.agents.text import Evidence, Line, Reason
from benchwright.domain.document import Reading
from benchwright.errors import BadReply

Confusion = Literal["role", "population", "place", "time", "context", "measure"]
CONFUSIONS: tuple[str, ...] = get_args(Confusion)


@dataclass(frozen=True, slots=True)
class Ask:
    """`wanted` wrong options beside the `correct` ones; `taken` are used or have failed already.

    `nearby` quotes numbered sentences to look at first, for instance the section that holds the answer; `confusions`
    are the kinds of confusion in the order in which they are tried.
    """

    question: str
    nearby: Quoted
    correct: tuple[str, ...]
    taken: tuple[str, ...]
    confusions: tuple[str, ...]
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
    """The wrong options; none where the document has no such fact."""

    model_config = ConfigDict(extra="forbid")

    options: list[Option]


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


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """Something at least comes from no example."""
    demand_uncopied([option.text for option in answer.options], agent.prompt.examples, reading.text)


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Numbers beside their sentences, what comes from examples, flaws of wording."""
    options = [(option.text, option.evidence) for option in answer.options]
    return object_to_options(options, ask.question, ask.correct, agent.prompt.examples, reading)


agent = Agent("design_distractors", Ask, Answer, check, schema, against=against, object_to=object_to)
