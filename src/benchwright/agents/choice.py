"""Choosing among numbered entries of a taxonomy: what `choose_class` and `choose_topic` share."""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchwright.agents.wording import Numbers, Reason
from benchwright.errors import BadReply


class Choice(BaseModel):
    """Why, which entries the document can serve, and which of them it serves best."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    suitable: Numbers
    best: int


def demand_listed(entries: Sequence[str], choice: Choice) -> None:
    """Raise `BadReply` for a number that no entry has, or a best one that is not suitable."""
    if wrong := [number for number in (*choice.suitable, choice.best) if not 1 <= number <= len(entries)]:
        message = f"there is no entry {wrong[0]}: use the numbers 1 to {len(entries)} of the list"
        raise BadReply(message)
    if choice.best not in choice.suitable:
        message = f"best is {choice.best}, which is not among suitable {choice.suitable}: let best be one of them"
        raise BadReply(message)


def numbered(schema: dict[str, Any], count: int) -> dict[str, Any]:
    """The schema of a choice with its numbers limited to 1..count."""
    number = {"type": "integer", "minimum": 1, "maximum": count}
    suitable = {"type": "array", "items": number, "minItems": 1, "maxItems": count}
    return schema | {"properties": schema["properties"] | {"suitable": suitable, "best": number}}
