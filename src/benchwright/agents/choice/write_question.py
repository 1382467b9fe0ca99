"""Write one recall question from explicit facts of the document (EpiQAL-A, section 3.5)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Passage
from benchwright.agents.choice.flaws import stem_flaws
from benchwright.agents.choice.wording import (
    Question,
    demand_new,
    demand_question_or_none,
    demand_topic_unnamed,
    demand_uncopied,
)
from benchwright.agents.text import MaybeEvidence, Reason
from benchwright.domain.document import Reading


@dataclass(frozen=True, slots=True)
class Ask:
    """A question within `topic` ("Name: about"), drawn from `focus` (a section, or any part), with `wanted` answers.

    `nearby` quotes a passage to look at first, so that not every question begins at the beginning; `avoid` are
    earlier questions about the same document, not to be asked again.
    """

    topic: str
    focus: str
    nearby: Passage
    avoid: tuple[str, ...]
    wanted: int
    language: str


class Answer(BaseModel):
    """Why it is a good question, the sentences that answer it, the question; or why there is none, and neither."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    evidence: MaybeEvidence
    question: Question


def check(ask: Ask, answer: Answer) -> None:
    """One question, new, silent about how many answers are right; or none."""
    if demand_question_or_none(answer.question, answer.evidence):
        demand_new((answer.question,), ask.avoid, "a question to avoid")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """It does not name its topic, and nothing of it comes from an example."""
    demand_topic_unnamed(answer.question, ask.topic, reading.text)
    demand_uncopied([answer.question], agent.prompt.examples, reading.text)


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Flaws of the question's wording."""
    return [flaw.advice for flaw in stem_flaws(answer.question)]


agent = Agent("write_question", Ask, Answer, check, against=against, object_to=object_to)
