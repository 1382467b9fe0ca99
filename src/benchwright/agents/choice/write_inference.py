"""Write one question whose answer must be inferred from pieces of the document (EpiQAL-B, section 3.5)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Passage, narrow_schema, own_schema
from benchwright.agents.choice.flaws import stem_flaws
from benchwright.agents.choice.wording import (
    Question,
    demand_apart,
    demand_new,
    demand_question_from_pieces,
    demand_question_or_none,
    demand_topic_unnamed,
    demand_uncopied,
    demand_unpointed,
)
from benchwright.agents.text import MaybeEvidence, Reason, once, one_line
from benchwright.domain.document import Reading
from benchwright.domain.snippet import harmless
from benchwright.domain.text import plain, within
from benchwright.errors import BadReply

Chain = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 240})]


@dataclass(frozen=True, slots=True)
class Statement:
    """What graphs know, under the number that this one question gives it; `foreign` names in it are not the document's.

    They are not marked for the writer, whose question may not have them.
    """

    number: int
    text: str
    foreign: tuple[str, ...] = ()

    def __str__(self) -> str:
        """One line that cannot close the tags around it."""
        return f"{self.number}. {harmless(self.text)}"


@dataclass(frozen=True, slots=True)
class Ask:
    """A question within `topic` ("Name: about"), drawn from `focus` (a section, or any part), with `wanted` answers.

    `nearby` quotes a passage to look at first; `knowledge`, see `numbered`, may inspire the question but is shown to
    nobody who answers or checks it.
    """

    topic: str
    focus: str
    nearby: Passage
    knowledge: tuple[Statement, ...]
    wanted: int
    language: str


class Answer(BaseModel):
    """The pieces, the inference that joins them, the test that it needs them all, what it used, the question.

    Where nothing can be inferred, `rationale` says why and there are neither pieces nor a question.
    """

    model_config = ConfigDict(extra="forbid")

    evidence: MaybeEvidence
    chain: Chain
    rationale: Reason
    knowledge: Annotated[list[int], AfterValidator(once)]
    question: Question


def number_statements(statements: Iterable[str], foreign: Sequence[str] = ()) -> tuple[Statement, ...]:
    """Statements under numbers in their order, each with those of the `foreign` names that it has."""
    return tuple(
        Statement(number, text, tuple(name for name in foreign if within(plain(name), plain(text))))
        for number, text in enumerate(statements, 1)
    )


def check(ask: Ask, answer: Answer) -> None:
    """One bare question on pieces of different places, that names statements there are, and no name of theirs alone."""
    if not demand_question_or_none(answer.question, answer.evidence):
        return
    demand_unpointed(answer.question)
    demand_apart(answer.evidence)
    known = [statement.number for statement in ask.knowledge]
    if strange := [number for number in answer.knowledge if number not in known]:
        message = (
            f"knowledge names statement {strange[0]}, but there are {len(known)}: name those that you used, or none"
        )
        raise BadReply(message)
    names = (name for statement in ask.knowledge for name in statement.foreign)
    if said := next((name for name in names if within(plain(name), plain(answer.question))), None):
        message = f"the question says {said!r}, which only the databases have: ask so that the document suffices"
        raise BadReply(message)
    demand_new((answer.question,), (), "")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Only the numbers of the statements can be named."""
    most = len(ask.knowledge)
    number = {"type": "integer", "minimum": 1, "maximum": max(1, most)}
    return narrow_schema(own_schema(agent, ask), "knowledge", items=number, minItems=0, maxItems=most)


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """It names neither its topic nor a figure of its pieces, and nothing of it comes from an example."""
    demand_topic_unnamed(answer.question, ask.topic, reading.text)
    demand_question_from_pieces(answer.question, answer.evidence, reading)
    demand_uncopied([answer.question], agent.prompt.examples, reading.text)


def object_to(ask: Ask, answer: Answer, reading: Reading) -> list[str]:
    """Flaws of the question's wording."""
    return [flaw.advice for flaw in stem_flaws(answer.question)]


agent = Agent("write_inference", Ask, Answer, check, schema, against=against, object_to=object_to)
