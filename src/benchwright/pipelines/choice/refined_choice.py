"""How hard the stem of an item is: what inference and reconstruction share."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from benchwright.agents.base import Quoted
from benchwright.agents.choice import replace_distractors
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.deciding import ChoiceSettings, Deciding, Hardened, cited_numbers, for_writer
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.option import CORRECT
from benchwright.pipelines.choice.refining import Heard, Posed, RefineSettings, Refining
from benchwright.pipelines.choice.replacing import Replacing, Untaken
from benchwright.pipelines.choice.standing import OptionState
from benchwright.pipelines.sources import SearchSettings

NEARBY = 2  # sentences on either side of each piece of evidence that a writer looks at first


class RefinedSettings(ChoiceSettings):
    """What a campaign may set of such pipelines; `refine` is false where stems stay as they are written."""

    refine: RefineSettings | Literal[False] = RefineSettings()
    search: SearchSettings = SearchSettings()


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
