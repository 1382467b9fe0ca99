"""Take a question of a set as a test taker does (EpiQAL, section 4.1): plainly, or with reasons before the answer."""

import re
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict

from benchwright.agents.base import Agent, narrow_schema, own_schema
from benchwright.agents.evaluation.frames import TEST
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice under the letter that this one question gives it; `name` is its name in the set."""

    letter: str
    name: str
    text: str

    def __str__(self) -> str:
        """The line that the test taker sees."""
        return f"{self.letter}. {self.text}"


@dataclass(frozen=True, slots=True)
class Shot:
    """A solved question that stands before the question."""

    question: str
    choices: tuple[str, ...]
    answer: str

    def __str__(self) -> str:
        """As the task shows it."""
        return "\n".join((f"Solved question: {self.question}", *self.choices, f"Right: {self.answer}"))


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of the choices are right? `instruction` says what counts, `shots` are solved questions."""

    instruction: str
    shots: tuple[Shot, ...]
    question: str
    choices: tuple[Choice, ...]


def bare_letters(given: list[str]) -> list[str]:
    """Letters without what models put around them ("(a)", "A."), each once, in order."""
    return sorted({re.sub(r"[\s().:\[\]*]", "", letter).upper() for letter in given})


Letters = Annotated[list[str], AfterValidator(bare_letters)]


class Answer(BaseModel):
    """The letters of all right choices, none where none is right; or that the test taker cannot tell."""

    model_config = ConfigDict(extra="forbid")

    choices: Letters
    cannot_tell: bool


class Reasoned(BaseModel):
    """The same, after the reasons."""

    model_config = ConfigDict(extra="forbid")

    reasoning: str
    choices: Letters
    cannot_tell: bool


def check(ask: Ask, answer: Answer | Reasoned) -> None:
    """Only letters of the question, and none by who cannot tell."""
    letters = [choice.letter for choice in ask.choices]
    if strange := [letter for letter in answer.choices if letter not in letters]:
        raise BadReply(f"choices names {', '.join(strange)}; the question has only {', '.join(letters)}")
    if answer.cannot_tell and answer.choices:
        raise BadReply("choices must be empty where cannot_tell is true: give choices, or say that you cannot tell")


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Each letter at most once."""
    letters = {"type": "string", "enum": [choice.letter for choice in ask.choices]}
    return narrow_schema(own_schema(agent, ask), "choices", items=letters, maxItems=len(ask.choices))


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The choices by their names in the set."""
    names = {choice.letter: choice.name for choice in ask.choices}
    return body | {"choices": sorted(names[letter] for letter in body["choices"])}


agent = Agent("take_question", Ask, Answer, check, schema, settle, frame=TEST)
reasoned = replace(agent, Answer=Reasoned, file="take_question_reasoned")
