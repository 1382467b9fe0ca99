"""Judge every option of a question, blind: no label, no evidence, no author's reasons.

A checker answers the question itself first, and names the sentences that decide before each verdict, so that code can
compare them with those that the option's writer cites.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.text import Reason, Relied, Thought
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Labelled:
    """An option under the letter that this one question gives it; its id outlasts the question."""

    letter: str
    id: str
    text: str

    def __str__(self) -> str:
        """The line that the checker sees."""
        return f"{self.letter}. {self.text}"


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of these answer `question`? `options` under letters, see `lettered`."""

    question: str
    options: tuple[Labelled, ...]
    language: str


class Verdict(BaseModel):
    """The sentences that decide about the option, why, and what it is.

    `correct`: stated, and answers the question; `wrong`: stated, but answers another question; `flawed`: not stated,
    or no answer to such a question at all; `cannot_say`: the document does not settle it.
    """

    model_config = ConfigDict(extra="forbid")

    sentences: Relied
    reason: Reason
    verdict: Literal["correct", "wrong", "flawed", "cannot_say"]


class Answer(BaseModel):
    """The checker's own answer with its sentences, before it judges any option; then a verdict under each letter."""

    model_config = ConfigDict(extra="forbid")

    answer: Thought
    sentences: Relied
    verdicts: dict[str, Verdict]


def letter(number: int) -> str:
    """The label of option 0, 1, ...: A to Z, then AA, AB, ..."""
    before = letter(number // len(ascii_uppercase) - 1) if number >= len(ascii_uppercase) else ""
    return before + ascii_uppercase[number % len(ascii_uppercase)]


def letter_options(options: Iterable[tuple[str, str]]) -> tuple[Labelled, ...]:
    """Options, each an id and a text, under letters in their order."""
    return tuple(Labelled(letter(number), name, text) for number, (name, text) in enumerate(options))


def letters(ask: Ask) -> tuple[str, ...]:
    """The letters that the question uses."""
    return tuple(option.letter for option in ask.options)


def check(ask: Ask, answer: Answer) -> None:
    """A verdict for each letter, and for no other."""
    demand_letters(ask, "verdicts", answer.verdicts)


def demand_letters(ask: Ask, field: str, given: Iterable[str]) -> None:
    """Raise `BadReply` unless the field of an answer has the letters of the question, and no other."""
    wanted, there = letters(ask), tuple(given)
    missing = [name for name in wanted if name not in there]
    extra = [name for name in there if name not in wanted]
    if missing or extra:
        message = f"{field} must have exactly the keys {', '.join(wanted)}; missing: {missing}, not asked: {extra}"
        raise BadReply(message)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Verdicts under exactly the letters of the question, after all that comes first."""
    return with_letters(own_schema(agent, ask), ask, "verdicts", "Verdict")


def with_letters(schema: dict[str, Any], ask: Ask, field: str, part: str) -> dict[str, Any]:
    """The schema whose `field` has one `part` under each letter of the question; the other fields stay before it."""
    properties = {name: by_letter(ask, part) if name == field else form for name, form in schema["properties"].items()}
    return schema | {"properties": properties}


def by_letter(ask: Ask, part: str) -> dict[str, Any]:
    """The schema of an object with one `part` of the answer's definitions under each letter of the question."""
    names = letters(ask)
    each = {name: {"$ref": f"#/$defs/{part}"} for name in names}
    return {"type": "object", "properties": each, "required": list(names), "additionalProperties": False}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The verdicts under the options' ids; sentences by their numbers alone, as they are many."""
    verdicts = {option.id: number_sentences(body["verdicts"][option.letter]) for option in ask.options}
    return number_sentences(body) | {"verdicts": verdicts}


def number_sentences(body: dict[str, Any]) -> dict[str, Any]:
    """A part of an answer with the numbers of its sentences in place of these."""
    return body | {"sentences": [span["sentence"] for span in body["sentences"]]}


agent = Agent("check_option", Ask, Answer, check, schema, settle)
