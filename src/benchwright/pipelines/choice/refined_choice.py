"""Items of inference and reconstruction: how many options are right on purpose, and how hard the stem is.

The published sets have exactly one right option in every item of both kinds, which rewards whoever always picks one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from benchwright.domain.item import Seed
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.item_state import State
from benchwright.pipelines.choice.multiple_choice import ChoiceSettings, MultipleChoice, stem
from benchwright.pipelines.choice.refining import Posed, RefineSettings, Refining
from benchwright.pipelines.sources import SearchSettings

ONE, SEVERAL, NONE = "one", "several", "none"  # how many options of an item are to be right


class RefinedSettings(ChoiceSettings):
    """What a campaign may set of such pipelines.

    Of all items a share is to have `several_correct` options, `most_correct` at most, and another none: there the
    correct ones are written and checked, and then left out. `refine` is false where stems stay as they are written.
    """

    no_correct: Literal["keep", "discard"] = "discard"
    several_correct: float = Field(default=0.25, ge=0, le=1)
    none_correct: float = Field(default=0.1, ge=0, le=1)
    most_correct: int = Field(default=3, ge=2, le=6)
    refine: RefineSettings | Literal[False] = RefineSettings()
    search: SearchSettings = SearchSettings()

    @model_validator(mode="after")
    def shares(self) -> Self:
        """Both shares are of the same items."""
        if Fraction(str(self.several_correct)) + Fraction(str(self.none_correct)) > 1:
            raise ValueError("several_correct and none_correct are more than 1 together: lower one of them")
        return self


@dataclass(frozen=True)
class RefinedChoice(MultipleChoice):
    """Such a pipeline, bound to a campaign."""

    settings: RefinedSettings

    def intended(self, seed: Seed) -> str:
        """How many of an item's options are to be right; over the slots the shares come out as they are set."""
        none, several = (Fraction(str(x)) for x in (self.settings.none_correct, self.settings.several_correct))
        if turn(seed.slot, none):
            return NONE
        others = seed.slot - floor(seed.slot * none)
        return SEVERAL if several and turn(others, several / (1 - none)) else ONE

    def wanted(self, seed: Seed) -> int:
        """How many correct options are asked for."""
        return self.settings.most_correct if self.intended(seed) == SEVERAL else 1

    def withholds(self, seed: Seed) -> bool:
        """Whether the item's correct options are left out on purpose."""
        return self.intended(seed) == NONE

    def about(self, state: State) -> Mapping[str, Any]:
        """How many options were to be right."""
        return {"intended": self.intended(state.seed)}

    def harden(
        self, state: State, options: Sequence[tuple[str, str]], right: tuple[str, ...]
    ) -> Sequence[Due] | Mapping[str, Any]:
        """What is owed to refine the stem; at its end the question with the stem to keep, and how that came about."""
        settings = self.settings.refine
        if not settings:
            return {}
        posed = Posed(stem(state), tuple(options), frozenset(right))
        owed = Refining(self.campaign, settings, posed, state.seed.id, self.language).owed(state.refining)
        if isinstance(owed, tuple):
            return owed
        question = (state.question or {}) | {"question": owed.best.stem}
        return {"question": question, "difficulty": owed.told}


def turn(slot: int, share: Fraction) -> bool:
    """Whether a slot is one of those that make up a share of all slots, spread evenly."""
    return floor((slot + 1) * share) > floor(slot * share)
