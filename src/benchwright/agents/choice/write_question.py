"""Write one recall question from explicit facts of the document (EpiQAL-A, section 3.5)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Passage
from benchwright.agents.choice.topic import topic_name
from benchwright.agents.choice.wording import Question, demand_new, demand_one_question
from benchwright.agents.text import Evidence, Reason


@dataclass(frozen=True, slots=True)
class Ask:
    """A question within `topic` ("Name: about"), drawn from `focus` (a section, or any part).

    `nearby` quotes a passage to look at first, so that not every question begins at the beginning; `avoid` are
    earlier questions of the same item, not to be asked again.
    """

    topic: str
    focus: str
    nearby: Passage
    avoid: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """Why it is a good question, the sentences that answer it, the question."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    evidence: Evidence
    question: Question


def check(ask: Ask, answer: Answer) -> None:
    """One question, new, silent about its topic and about how many answers are right."""
    demand_one_question(answer.question, topic_name(ask.topic))
    demand_new((answer.question,), ask.avoid, "a question to avoid")


agent = Agent("write_question", Ask, Answer, check)
