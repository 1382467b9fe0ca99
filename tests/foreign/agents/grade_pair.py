"""Grade how well a record answers a query, from 0 to 3."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.frames import Frame, escape_tags

LEAST, MOST = 0, 3
TAGS = ("query", "record")


def lay(source: Any) -> tuple[str, ...]:
    """The query of the first source and the text of the second: neither names the record that the query came from."""
    query, record = source
    shown = (("query", query["query"]), ("record", record["text"]))
    return tuple(f"<{tag}>\n{escape_tags(text, TAGS)}\n</{tag}>" for tag, text in shown)


PAIR = Frame("pair", lay, TAGS, package=__name__.rpartition(".")[0])


@dataclass(frozen=True, slots=True)
class Ask:
    """How well does the record answer the query? Reasons come in `language`."""

    language: str


class Answer(BaseModel):
    """Why, and the grade; None where the record cannot be judged."""

    model_config = ConfigDict(extra="forbid")

    reason: str = Field(max_length=400)
    grade: int | None = Field(ge=LEAST, le=MOST)


agent = Agent("grade_pair", Ask, Answer, frame=PAIR)
