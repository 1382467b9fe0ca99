"""Write the correct options of a question (EpiQAL-A, section 3.5)."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.choice.mending import object_to_options
from benchwright.agents.choice.wording import demand_new, demand_uncopied
from benchwright.agents.text import Evidence, Line, Reason
from benchwright.domain.document import Reading

MOST = 4  # correct options of one question


@dataclass(frozen=True, slots=True)
class Ask:
    """What answers `question`? `evidence` quotes the sentences its writer had in mind."""

    question: str
    evidence: Quoted
    language: str


class Option(BaseModel):
    """One right answer: why, where the document states it, the text."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    evidence: Evidence
    text: Line


class Answer(BaseModel):
    """All right answers; none where the document does not answer the question."""

    model_config = ConfigDict(extra="forbid")

    options: Annotated[list[Option], Field(max_length=MOST)]


def check(ask: Ask, answer: Answer) -> None:
    """An answer at least that is not the question, if there is any."""
    demand_new([option.text for option in answer.options], (ask.question,), "the question")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """Something at least comes from no example."""
    demand_uncopied([option.text for option in answer.options], agent.prompt.examples, reading.text)


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Numbers beside their sentences, what comes from examples, flaws of wording."""
    options = [(option.text, option.evidence) for option in answer.options]
    return object_to_options(options, ask.question, (), agent.prompt.examples, reading)


agent = Agent("write_correct_options", Ask, Answer, check, against=against, object_to=object_to)
