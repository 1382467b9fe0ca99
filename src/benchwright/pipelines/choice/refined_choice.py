"""How many options of an item are right on purpose, and how hard its stem is: what inference and reconstruction share.

The published sets have exactly one right option in every item of both kinds, which rewards whoever always picks one.
"""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor
from typing import Literal, Self

from pydantic import Field, model_validator

from benchwright.agents.base import Quoted
from benchwright.agents.choice import replace_distractors
from benchwright.domain.item import Seed
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.deciding import ChoiceSettings, Deciding, Hardened, cited_numbers, for_writer
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.refining import Heard, Posed, RefineSettings, Refining
from benchwright.pipelines.choice.replacing import Replacing, Untaken
from benchwright.pipelines.choice.report import NONE, ONE, SEVERAL
from benchwright.pipelines.choice.standing import OptionState
from benchwright.pipelines.sources import SearchSettings

NEARBY = 2  # sentences on either side of each piece of evidence that a writer looks at first


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

    def withholds(self, seed: Seed) -> bool:
        """Whether the item's correct options are left out on purpose, so that none of its options is right."""
        return self.intended_share(seed) == NONE


def harden(
    deciding: Deciding,
    settings: RefineSettings | Literal[False],
    draft: Draft,
    heard: Heard,
    standings: Sequence[OptionState],
    options: Sequence[OptionState],
) -> tuple[Due, ...] | Hardened | None:
    """What is owed to make the item of these options harder; at its end what to keep, and how that came about.

    First distractors that no judge took are replaced, then the stem is refined.
    """
    if not settings:
        return None
    right = frozenset(one.id for one in options if one.option.label == CORRECT)
    replacing = Replacing(deciding.campaign, settings, draft.seed.id, draft.stem, deciding.language)
    kept = [one for one in standings if one.fate is Route.KEEP]
    rounds = [[one for one in kept if one.option.round == number] for number in draft.replacements]
    sets = replacing.walk(options, rounds, right, heard)
    if sets.dues:
        return sets.dues
    if sets.untaken:
        return (replace_untaken(deciding, draft, standings, sets.untaken),)
    posed = Posed(draft.stem, tuple((one.id, one.text) for one in sets.options), right, sets.proven)
    owed = Refining(deciding.campaign, settings, posed, draft.seed.id, deciding.language).next_owed(heard)
    if isinstance(owed, tuple):
        return owed
    difficulty = replace(owed.difficulty, sets=sets.seen if rounds else ())
    return Hardened(owed.best.stem, difficulty, sets.options)


def replace_untaken(deciding: Deciding, draft: Draft, standings: Sequence[OptionState], untaken: Untaken) -> Due:
    """The question for distractors in the places of those that no judge took."""
    right, taken = for_writer(standings)
    cited = (*draft.pieces, *cited_numbers(draft.options_with_label(CORRECT)))
    ask = replace_distractors.Ask(
        question=draft.stem,
        how=deciding.how,
        nearby=Quoted(tuple(dict.fromkeys(cited)), NEARBY),
        correct=right,
        taken=taken,
        untaken=untaken.told,
        wanted=len(untaken.options),
        language=deciding.language,
    )
    return deciding.due_for_round(replace_distractors.agent, ask, draft)


def turn(slot: int, share: Fraction) -> bool:
    """Whether a slot is one of those that make up a share of all slots, spread evenly."""
    return floor((slot + 1) * share) > floor(slot * share)
