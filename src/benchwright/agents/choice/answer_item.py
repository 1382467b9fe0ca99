"""Answer a question as somebody who is examined does: how many do so wrongly is its difficulty (EpiQAL, section 3.6).

A judge sees what the set's users will see, document, question and options, and nothing of how they came about.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.choice.check_option import Ask, by_letter, demand_letters
from benchwright.agents.text import Reason


class Judgement(BaseModel):
    """Why, and whether the option is right."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    right: bool


class Answer(BaseModel):
    """A judgement under each letter."""

    model_config = ConfigDict(extra="forbid")

    answers: dict[str, Judgement]


def check(ask: Ask, answer: Answer) -> None:
    """A judgement for each letter, and for no other."""
    demand_letters(ask, "answers", answer.answers)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """An object with exactly the letters of the question."""
    return own_schema(agent, ask) | {"properties": {"answers": by_letter(ask, "Judgement")}}


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The judgements under the options' ids."""
    return {"answers": {option.id: body["answers"][option.letter] for option in ask.options}}


agent = Agent(
    "judge_item", Ask, Answer, check, schema, settle, file="answer_item"
)  # its first name stands in recipes, ledgers and exports
