"""Which items begin next: slots and tries.

A campaign is a row of slots, each to be filled by one kept item. A slot has a bounded number of tries, one after the
other. What a try is made of depends on its slot and number alone, and it begins when the try before it was discarded.
So the set of items is the same whatever the order in which they end, and no more begin than are needed.
"""

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from benchwright.domain.administrative import is_administrative
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import View
from benchwright.domain.ids import canonical, seeded_random, seeded_shuffle
from benchwright.domain.item import Progress, Seed
from benchwright.domain.source import Outline, Sources

ANYWHERE = "any part of the document"


def slots(campaign: Campaign, sources: int) -> int:
    """How many kept items are wanted."""
    quota = campaign.quota
    return quota.target if quota.target is not None else quota.per_document * sources


def admit(campaign: Campaign, sources: Sources, progress: Progress) -> Sequence[Seed]:
    """At most `progress.room` seeds: first the next tries of discarded items, then slots not begun."""
    return tuple(islice(waiting_seeds(campaign, sources, progress), progress.room))


def waiting_seeds(campaign: Campaign, sources: Sources, progress: Progress) -> Iterator[Seed]:
    """All that could begin, in order."""
    if not len(sources):
        return
    for slot, attempt in progress.discarded:
        if attempt + 1 < campaign.quota.tries:
            yield seed(campaign, sources, progress.phase, slot, attempt + 1)
    for slot in range(progress.begun, slots(campaign, len(sources))):
        yield seed(campaign, sources, progress.phase, slot, 0)


def seed(campaign: Campaign, sources: Sources, phase: str, slot: int, attempt: int) -> Seed:
    """The try's source, and the part of it to draw from where others have drawn from the same source before."""
    quota = campaign.quota
    if quota.target is None:
        place, use = slot // quota.per_document, slot % quota.per_document + attempt * quota.per_document
    else:
        turn, count = slot + attempt * quota.target, len(sources)
        # A next try draws on another source; where rounds come out even, it would fall on the same one.
        shift = attempt if quota.target % count == 0 else 0
        place, use = order(count, campaign.seed)[(turn + shift) % count], turn // count
    chosen = sources[place]
    body = canonical({"focus": focus(campaign, chosen, use)}) if isinstance(chosen.about, View) else "{}"
    return Seed(slot, attempt, chosen.about, body, phase)


@lru_cache(maxsize=4)
def order(count: int, seed: int) -> Sequence[int]:
    """The places of the sources in the order in which a campaign with a target goes through them: 4 bytes each."""
    places = array("I", range(count))
    seeded_random(seed, "documents").shuffle(places)
    return places


def focus_section(focus: str) -> str:
    """The title of the section that a focus names; "" where it is any part."""
    return focus.removeprefix('the section "').removesuffix('"') if focus != ANYWHERE else ""


def focus(campaign: Campaign, chosen: Outline, use: int) -> str:
    """Where the question is to be drawn from: anywhere at first, then section by section in a seeded order."""
    if use == 0:
        return ANYWHERE
    telling = tuple(title for title in chosen.titles if not is_administrative(title)) or chosen.titles
    titles = seeded_shuffle(telling, campaign.seed, chosen.view.document)
    return f'the section "{titles[(use - 1) % len(titles)]}"'
