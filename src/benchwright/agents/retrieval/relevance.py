"""What the graders share: the pair that they judge, the definitions that they judge by, and grades within a scale.

Definitions and query come first and the text comes last, so that a provider's cache serves all texts of a query.
"""

from typing import Any

from benchwright.agents.base import Agent, Quoted, narrow_schema, own_schema
from benchwright.errors import BadReply

Text = Quoted | str  # a passage of the item's document, or a text that a model wrote
CRITERION_MOST = 3  # of a criterion, whatever the scale of grades


def demand_grade(grade: int | None, most: int) -> None:
    """Raise `BadReply` for a grade that is not on the scale; None, which abstains, is."""
    if grade is not None and not 0 <= grade <= most:
        raise BadReply(f"grade is {grade}: give a whole number from 0 to {most}, or null")


def bounded(agent: Agent, ask: Any) -> dict[str, Any]:
    """The schema with a grade of the scale, or null."""
    grades = {"anyOf": [{"type": "integer", "minimum": 0, "maximum": ask.most}, {"type": "null"}]}
    return narrow_schema(own_schema(agent, ask), "grade", **grades)


def scores_schema(names: tuple[str, ...]) -> dict[str, Any]:
    """An object with a score under each of these names."""
    score = {"type": "integer", "minimum": 0, "maximum": CRITERION_MOST}
    each = dict.fromkeys(names, score)
    return {"type": "object", "properties": each, "required": list(names), "additionalProperties": False}


def demand_scores(scores: dict[str, int], names: tuple[str, ...]) -> None:
    """Raise `BadReply` unless there is a score under each of these names, and under no other."""
    if set(scores) != set(names):
        raise BadReply(f"scores must have exactly the keys {', '.join(names)}")
    if wrong := {name: score for name, score in scores.items() if not 0 <= score <= CRITERION_MOST}:
        raise BadReply(f"each score is a whole number from 0 to {CRITERION_MOST}: {wrong}")
