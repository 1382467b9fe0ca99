"""How hard the stem of an item is: what inference and reconstruction share."""

from collections.abc import Sequence
from typing import Literal

from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.deciding import ChoiceSettings, Deciding, Hardened
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.refining import Heard, Posed, RefineSettings, Refining
from benchwright.pipelines.sources import SearchSettings


class RefinedSettings(ChoiceSettings):
    """What a campaign may set of such pipelines; `refine` is false where stems stay as they are written."""

    refine: RefineSettings | Literal[False] = RefineSettings()
    search: SearchSettings = SearchSettings()


def harden(
    deciding: Deciding,
    settings: RefineSettings | Literal[False],
    draft: Draft,
    heard: Heard,
    options: Sequence[tuple[str, str]],
    right: tuple[str, ...],
) -> tuple[Due, ...] | Hardened | None:
    """What is owed to refine the stem; at its end the stem to keep, and how that came about."""
    if not settings:
        return None
    posed = Posed(draft.stem, tuple(options), frozenset(right))
    owed = Refining(deciding.campaign, settings, posed, draft.seed.id, deciding.language).next_owed(heard)
    return owed if isinstance(owed, tuple) else Hardened(owed.best.stem, owed.difficulty)
