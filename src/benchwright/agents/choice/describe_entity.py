"""Describe a thing from search results and put the description in the place of its name (EpiQAL, appendix B.1)."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.choice.leaks import Rewrite, faults
from benchwright.agents.choice.wording import INVENTED, QUESTION_MARKS, demand_one_question, demand_unpointed
from benchwright.agents.text import Numbers, Reason, one_line
from benchwright.domain.snippet import Results
from benchwright.domain.text import plain
from benchwright.errors import BadReply

# A stem grows with each description: it may be twice as long as a question that somebody writes.
Phrase = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 240})]
Stem = Annotated[
    str,
    AfterValidator(one_line),
    Field(json_schema_extra={"pattern": rf'^[^"\\\n{QUESTION_MARKS}]{{12,600}}[{QUESTION_MARKS}]$'}),
]


@dataclass(frozen=True, slots=True)
class Ask:
    """How `question` reads when `entity` is described, from `results`.

    `forbidden` are names that must not occur; `objections` are those to earlier attempts.
    """

    question: str
    entity: str
    forbidden: tuple[str, ...]
    results: Results
    objections: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """Why this tells the thing apart, the results it rests on by number, the description, the question with it."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    sources: Numbers
    phrase: Phrase
    question: Stem


def check(ask: Ask, answer: Answer) -> None:
    """No leak, results that there are, one question; all that is wrong is said at once."""
    found = list(faults(Rewrite(ask.question, answer.question, ask.entity, answer.phrase, ask.forbidden)))
    if wrong := [number for number in answer.sources if not 1 <= number <= len(ask.results.snippets)]:
        found.append(f"there is no result {wrong[0]}: use the numbers 1 to {len(ask.results.snippets)}")
    own, said = plain(ask.question).split(), plain(answer.question).split()
    if copied := [name for name in INVENTED if plain(name) in said and plain(name) not in own]:
        found.append(f"{copied[0]} is a name of the examples: use the question and the results of the task")
    if found:
        raise BadReply("; ".join(found))
    demand_one_question(answer.question)
    demand_unpointed(answer.question)


agent = Agent("describe_entity", Ask, Answer, check)
