"""How many options an item has, and how many of them are right: both drawn beforehand, each without the other.

The published sets have as many distractors in each item, so that the number of options tells the number of right ones,
and exactly one right option in every item of two of three kinds. Both reward a model that knows nothing of the matter.
"""

from fractions import Fraction
from math import floor
from typing import Annotated, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from benchwright.domain.ids import seeded_random
from benchwright.domain.item import Seed

Thing = TypeVar("Thing")
NONE, ONE, SEVERAL = "none", "one", "several"  # how many options of an item are right, or were to be
HOW_MANY = (NONE, ONE, SEVERAL)


class SharedSettings(BaseModel):
    """What a campaign may set of the number of options.

    Each question has as many options as is drawn for it from the range `options`; `distractors`, where it is set, is a
    fixed number of wrong options instead, as published. Of all items a share is to have `several_correct` options that
    are right, `most_correct` at most, and another none: there the right ones are written and checked, and left out.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    options: tuple[Annotated[int, Field(ge=2, le=16)], Annotated[int, Field(ge=2, le=16)]] = (4, 6)
    distractors: int | None = Field(default=None, ge=1, le=12)
    min_options: int = Field(default=3, ge=1, le=12)  # fewer kept options than this are no item
    no_correct: Literal["keep", "discard"] = "discard"  # an item that lost its right options against its plan
    several_correct: float = Field(default=0.25, ge=0, le=1)
    none_correct: float = Field(default=0.1, ge=0, le=1)
    most_correct: int = Field(default=3, ge=2, le=6)

    @model_validator(mode="after")
    def check_shares(self) -> Self:
        """Both shares are of the same items, and the fewest options have room for what is to be among them."""
        if Fraction(str(self.several_correct)) + Fraction(str(self.none_correct)) > 1:
            raise ValueError("several_correct and none_correct are more than 1 together: lower one of them")
        if self.distractors:
            return self
        least, most = self.options
        if least > most:
            raise ValueError(f"options is a range from the fewest to the most: write [{most}, {least}]")
        if self.several_correct and self.most_correct >= least:
            message = f"most_correct ({self.most_correct}) leaves no wrong option where options begins at {least}"
            raise ValueError(f"{message}: begin it at {self.most_correct + 1}, or lower most_correct")
        if self.min_options > least:
            message = f"min_options ({self.min_options}) is more than the {least} options that some items are to have"
            raise ValueError(f"{message}: lower it, or begin options at {self.min_options}")
        return self

    @property
    def most_distractors(self) -> int:
        """How many wrong options one item can want."""
        return self.distractors or self.options[1]

    def intended_share(self, seed: Seed) -> str:
        """How many of an item's options are to be right; over the slots the shares come out as they are set."""
        none, several = (Fraction(str(x)) for x in (self.none_correct, self.several_correct))
        if turn(seed.slot, none):
            return NONE
        others = seed.slot - floor(seed.slot * none)
        return SEVERAL if several and turn(others, several / (1 - none)) else ONE

    def wanted_correct(self, seed: Seed) -> int:
        """How many correct options are asked for."""
        return self.most_correct if self.intended_share(seed) == SEVERAL else 1

    def shown_correct(self, seed: Seed) -> int | None:
        """How many correct options an item shows at most, all others being left out; None where all are shown."""
        return 0 if self.intended_share(seed) == NONE else self.wanted_correct(seed)

    def wanted_options(self, campaign_seed: int, seed: Seed) -> int | None:
        """How many options an item is to have; None where the number of its distractors is fixed instead."""
        if self.distractors:
            return None
        return seeded_random(campaign_seed, seed.id, "number of options").randint(*self.options)

    def wanted_distractors(self, campaign_seed: int, seed: Seed, right: int) -> int:
        """How many wrong options an item is to show that has so many right ones, shown or left out."""
        wanted, shown = self.wanted_options(campaign_seed, seed), self.shown_correct(seed)
        if wanted is None:
            return self.most_distractors
        return max(0, wanted - (right if shown is None else min(right, shown)))

    def select_shown(self, right: list[Thing], wrong: list[Thing], campaign_seed: int, seed: Seed) -> list[Thing]:
        """Of the right and the wrong options that stand, those that the item shows: so many as were drawn for it."""
        shown = self.shown_correct(seed)
        chosen = right if shown is None or shown >= len(right) else sample(right, shown, campaign_seed, seed)
        wanted = self.wanted_options(campaign_seed, seed)
        room = len(wrong) if wanted is None else max(0, wanted - len(chosen))
        return [*chosen, *(wrong if room >= len(wrong) else sample(wrong, room, campaign_seed, seed))]


def sample(things: list[Thing], number: int, campaign_seed: int, seed: Seed) -> list[Thing]:
    """So many of the things, drawn by seed."""
    return seeded_random(campaign_seed, seed.id, "shown").sample(things, number)


def turn(slot: int, share: Fraction) -> bool:
    """Whether a slot is one of those that make up a share of all slots, spread evenly."""
    return floor((slot + 1) * share) > floor(slot * share)
