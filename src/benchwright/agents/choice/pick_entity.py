"""Pick the thing a question names that will be described instead (EpiQAL, appendix B.1)."""

from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchwright.agents.base import Agent
from benchwright.agents.choice.leaks import fault_of_choice
from benchwright.agents.text import Reason
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """What in `question` can be described; `earlier` were chosen in earlier rounds."""

    question: str
    earlier: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """Why, the kind of thing, and its name as the question has it; kind `none` and no name where there is nothing."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    kind: Literal["disease", "intervention", "vector", "population", "method", "none"]
    entity: Annotated[str, Field(json_schema_extra={"maxLength": 120})]

    @model_validator(mode="after")
    def check_name(self) -> Self:
        """A thing has a name, and nothing has none."""
        self.entity = " ".join(self.entity.split())
        if (self.kind == "none") == bool(self.entity):
            raise ValueError("entity is empty where kind is none, and only there")
        return self


def check(ask: Ask, answer: Answer) -> None:
    """A name that stands in the question and was not chosen before."""
    if answer.entity and (fault := fault_of_choice(answer.entity, ask.question, ask.earlier)):
        raise BadReply(fault)


agent = Agent("pick_entity", Ask, Answer, check)
