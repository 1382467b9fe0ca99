"""Choose the class of the taxonomy that a document can serve (EpiQAL, section 3.4)."""

from dataclasses import dataclass, replace
from typing import Any

from benchwright.agents.base import Agent, own_schema
from benchwright.agents.choice.suitable import Choice, demand_listed, limit_numbers


@dataclass(frozen=True, slots=True)
class Ask:
    """Which of these? `classes` are lines "1. Name: about"."""

    classes: tuple[str, ...]
    language: str


class Answer(Choice):
    """The classes with facts enough, by number, and the best of them."""


def check(ask: Ask, answer: Answer) -> None:
    """Only classes of the list."""
    demand_listed(ask.classes, answer)


def schema(agent: Agent, ask: Ask) -> dict[str, Any]:
    """Numbers of the list only."""
    return limit_numbers(own_schema(agent, ask), len(ask.classes))


agent = Agent("choose_class", Ask, Answer, check, schema)
of_inference = replace(agent, file="choose_class_of_inference")  # facts that are combined count, not only those stated
