"""Answer a question as somebody who is examined does: how many do so wrongly is its difficulty (EpiQAL, section 3.6).

A judge sees what the set's users will see, document, question and options, and nothing of how they came about.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.choice.check_option import Ask, demand_letters, number_sentences, with_letters
from benchwright.agents.text import Reason, Relied, Thought


class Judgement(BaseModel):
    """Why, and whether the option is right."""

    model_config = ConfigDict(extra="forbid")

    reason: Reason
    right: bool


class Answer(BaseModel):
    """The judge's own answer with its sentences, before it looks at any option; then a judgement under each letter."""

    model_config = ConfigDict(extra="forbid")

    answer: Thought
    sentences: Relied
    answers: dict[str, Judgement]


def check(ask: Ask, answer: Answer) -> None:
    """A judgement for each letter, and for no other."""
    demand_letters(ask, "answers", answer.answers)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Judgements under exactly the letters of the question, after the judge's own answer."""
    return with_letters(own_schema(agent, ask), ask, "answers", "Judgement")


def settle(ask: Ask, body: dict[str, Any]) -> dict[str, Any]:
    """The judgements under the options' ids; sentences by their numbers alone."""
    return number_sentences(body) | {"answers": {option.id: body["answers"][option.letter] for option in ask.options}}


agent = Agent(
    "judge_item", Ask, Answer, check, schema, settle, file="answer_item"
)  # its first name stands in recipes, ledgers and exports
