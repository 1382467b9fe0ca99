"""Write a query that a whole document answers, from its summary: the relevant text is the summary itself."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.frames import Source
from benchwright.agents.retrieval.frames import ORIGIN, lay_origin
from benchwright.agents.retrieval.write_query import (
    Size,
    demand_none,
    fault_of_copy,
    fault_of_language,
    fault_of_pointer,
    name_fault,
)


@dataclass(frozen=True, slots=True)
class Ask:
    """A `query` of this sort for a `need`; see `write_query`."""

    query: str
    need: str
    event: str
    query_length: Size
    clarity: str
    difficulty: str
    copied: int
    names: str
    language: str


class Answer(BaseModel):
    """The query."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1)


def check(ask: Ask, answer: Answer) -> None:
    """As long as asked for, and understood alone."""
    demand_none([ask.query_length.fault("query", answer.query), fault_of_pointer(answer.query)])


def against(ask: Ask, answer: Answer, source: Source) -> None:
    """It copies no long run of words, is in the language that is asked for, and names what it has to."""
    origin = "\n".join(lay_origin(source))
    demand_none(
        [
            fault_of_copy("query", answer.query, origin, ask.copied),
            fault_of_language("query", answer.query, ask.language, origin),
            name_fault(ask, answer, origin),
        ]
    )


agent = Agent("write_document_query", Ask, Answer, check, against=against, frame=ORIGIN)
