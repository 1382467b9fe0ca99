"""Write the question that conclusions answer, and conceal them (EpiQAL-C, section 3.5)."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.choice.leaks import root, words
from benchwright.agents.choice.wording import (
    Question,
    demand_new,
    demand_question_from_pieces,
    demand_question_or_none,
    demand_several,
    demand_uncopied,
    demand_unpointed,
)
from benchwright.agents.text import MaybeEvidence, Reason
from benchwright.domain.document import Reading
from benchwright.domain.text import plain, within
from benchwright.errors import BadReply

FEW = 2  # words that a question may share with a conclusion in any case


@dataclass(frozen=True, slots=True)
class Ask:
    """Which question do these `conclusions` answer, and nothing else? `nearby` quotes what supports them."""

    conclusions: tuple[str, ...]
    nearby: Quoted
    language: str


class Answer(BaseModel):
    """What must be put together, these sentences, the question; or why no question conceals these conclusions."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    evidence: MaybeEvidence
    question: Question


def check(ask: Ask, answer: Answer) -> None:
    """One bare question that holds no conclusion."""
    if not demand_question_or_none(answer.question, answer.evidence):
        return
    demand_unpointed(answer.question)
    demand_several(answer.evidence)
    if held := [text for text in ask.conclusions if within(plain(text), plain(answer.question))]:
        message = f"the question says {held[0]!r}, which is its answer: ask without it"
        raise BadReply(message)
    demand_new((answer.question,), (), "")


def against(ask: Ask, answer: Answer, reading: Reading) -> None:
    """No conclusion is given away by its words."""
    for text in ask.conclusions:
        if said := revealing_words(text, answer.question, reading.title):
            message = f"the question gives {text!r} away, most of whose words it uses: leave {', '.join(said)} out"
            raise BadReply(message)
    demand_question_from_pieces(answer.question, answer.evidence, reading)
    demand_uncopied([answer.question], agent.prompt.examples, reading.text)


def revealing_words(conclusion: str, question: str, title: str) -> tuple[str, ...]:
    """The words of a conclusion that a question uses, where these are more than a few and more than half.

    Words of five letters or more count, by their roots. Those of the document's title do not: what is under study
    must be named. 27 of the 500 published questions of EpiQAL-B use more than half of their answer's words.
    """
    free, asked = roots(title), roots(question)
    own = {key: word for key, word in roots(conclusion).items() if key not in free}
    said = tuple(word for key, word in own.items() if key in asked)
    return said if len(said) > max(FEW, len(own) / 2) else ()


def roots(text: str) -> dict[str, str]:
    """The long words of a text, the first of each root, by that root."""
    found: dict[str, str] = {}
    for word in filter(root, words(text)):
        found.setdefault(root(word), word)
    return found


agent = Agent("ask_for_conclusion", Ask, Answer, check, against=against)
