"""The table `[evaluation]` of a campaign file."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field


class Condition(StrEnum):
    """What a test taker sees."""

    FULL = "full"  # document, question, choices
    CLOSED_BOOK = "closed_book"  # question and choices
    CHOICES_ONLY = "choices_only"


class EvaluationSettings(BaseModel):
    """What a campaign may set; every value has a default."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conditions: Annotated[tuple[Condition, ...], Field(min_length=1)] = (Condition.FULL,)
    general_knowledge: bool = False  # whether general knowledge of the field counts besides the document
    reasoning: bool = False  # whether models write their reasons before the answer
    shots: Annotated[int, Field(ge=0, le=10)] = 0  # solved questions of the set, of other documents, before each
    order: Literal["set", "seed"] = "set"  # of choices: as the set has them, or drawn anew for each question and run
