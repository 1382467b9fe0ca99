"""Summarise a document, so that its summary can stand for all of it (DisastIR, section 4.1, appendix B.1)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.retrieval.frames import QUOTED
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """A summary of `least` to `most` words of a document with this `title`, by passages from all of it."""

    title: str
    text: Quoted
    least: int
    most: int
    language: str


class Answer(BaseModel):
    """The summary."""

    model_config = ConfigDict(extra="forbid")

    summary: str = Field(min_length=1)


def check(ask: Ask, answer: Answer) -> None:
    """As long as it is asked for."""
    words = len(answer.summary.split())
    if not ask.least <= words <= ask.most:
        raise BadReply(f"the summary has {words} words: write {ask.least} to {ask.most}")


agent = Agent("summarise_document", Ask, Answer, check, frame=QUOTED)
