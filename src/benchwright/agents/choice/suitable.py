"""Choosing among numbered entries of a taxonomy: what `choose_class` and `choose_topic` share."""

from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from benchwright.agents.text import Reason, once
from benchwright.errors import BadReply


class Choice(BaseModel):
    """Why, which entries the document can serve, and which of them best: none, and 0, where it can serve none."""

    model_config = ConfigDict(extra="forbid")

    rationale: Reason
    suitable: Annotated[list[int], AfterValidator(once)]
    best: int

    @model_validator(mode="after")
    def best_is_suitable(self) -> Self:
        """What serves best can serve: a model that forgot to list it has said so all the same; 0 is none."""
        if self.best and self.best not in self.suitable:
            self.suitable.insert(0, self.best)
        if self.suitable and not self.best:
            self.best = self.suitable[0]
        return self


def demand_listed(entries: Sequence[str], choice: Choice) -> None:
    """Raise `BadReply` for a number that no entry has."""
    if wrong := [number for number in choice.suitable if not 1 <= number <= len(entries)]:
        message = f"there is no entry {wrong[0]}: use the numbers 1 to {len(entries)} of the list"
        raise BadReply(message)


def limit_numbers(schema: dict[str, Any], count: int) -> dict[str, Any]:
    """The schema of a choice with its numbers limited to 1..count."""
    number = {"type": "integer", "minimum": 1, "maximum": count}
    suitable = {"type": "array", "items": number, "minItems": 0, "maxItems": count}
    best = number | {"minimum": 0}
    return schema | {"properties": schema["properties"] | {"suitable": suitable, "best": best}}
