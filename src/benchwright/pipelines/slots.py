"""Which items begin next: slots and tries.

A campaign is a row of slots, each to be filled by one kept item. A slot has a bounded number of tries, one after the
other. What a try is made of depends on its slot and number alone, and it begins when the try before it was discarded.
So the set of items is the same whatever the order in which they end, and no more begin than are needed.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Outline
from benchwright.domain.ids import canonical, shuffled
from benchwright.domain.item import Progress, Seed

ANYWHERE = "any part of the document"


def slots(campaign: Campaign, documents: int) -> int:
    """How many kept items are wanted."""
    quota = campaign.quota
    return quota.target if quota.target is not None else quota.per_document * documents


def admit(campaign: Campaign, outlines: Sequence[Outline], progress: Progress) -> Sequence[Seed]:
    """At most `progress.room` seeds: first the next tries of discarded items, then slots not begun."""
    return tuple(islice(waiting(campaign, outlines, progress), progress.room))


def waiting(campaign: Campaign, outlines: Sequence[Outline], progress: Progress) -> Iterator[Seed]:
    """All that could begin, in order."""
    if not outlines:
        return
    for slot, attempt in progress.discarded:
        if attempt + 1 < campaign.quota.tries:
            yield seed(campaign, outlines, slot, attempt + 1)
    for slot in range(progress.begun, slots(campaign, len(outlines))):
        yield seed(campaign, outlines, slot, 0)


def seed(campaign: Campaign, outlines: Sequence[Outline], slot: int, attempt: int) -> Seed:
    """The try's document, and the part of it to draw from where others have drawn from the document before."""
    quota = campaign.quota
    if quota.target is None:
        chosen, use = outlines[slot // quota.per_document], slot % quota.per_document + attempt * quota.per_document
    else:
        place, count = slot + attempt * quota.target, len(outlines)
        # A next try draws on another document; where rounds come out even, it would fall on the same one.
        turn = attempt if quota.target % count == 0 else 0
        chosen, use = outlines[order(count, campaign.seed)[(place + turn) % count]], place // count
    return Seed(slot, attempt, chosen.view, canonical({"focus": focus(campaign, chosen, use)}))


@lru_cache(maxsize=4)
def order(documents: int, seed: int) -> tuple[int, ...]:
    """The documents' places in the order in which a campaign with a target goes through them."""
    return shuffled(range(documents), seed, "documents")


def focus(campaign: Campaign, chosen: Outline, use: int) -> str:
    """Where the question is to be drawn from: anywhere at first, then section by section in a seeded order."""
    if use == 0:
        return ANYWHERE
    titles = shuffled(chosen.titles, campaign.seed, chosen.view.document)
    return f'the section "{titles[(use - 1) % len(titles)]}"'
