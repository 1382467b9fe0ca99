"""In which waves a panel is asked: a wave begins when the one before is complete, about what is not settled by then.

So what is asked is a function of the answers alone, whoever answers first, and no wave can change a verdict: it only
leaves out what no vote can change any more.
"""

from collections.abc import Iterable
from functools import lru_cache

from benchwright.domain.vote import Rule, Tally, settled

FRUGAL = "frugal"  # each wave as small as could settle an option: the fewest calls
Waves = int | str  # so many waves, as even as they can be, the larger ones first; or `frugal`


def size(waves: Waves, before: int, total: int, open_counts: Iterable[Tally], rule: Rule) -> int:
    """How many of a panel's `total` turns come in the wave after `before` of them.

    `open_counts` are the votes of those turns on the options that are not settled; `before` is where a wave ended.
    """
    if isinstance(waves, str):
        return min(fewest(count, total - before, rule) for count in open_counts)
    number = min(waves, total)
    ends = (-(-total * wave // number) for wave in range(1, number + 1))
    return next(end for end in ends if end > before) - before


@lru_cache(maxsize=4096)
def fewest(count: Tally, outstanding: int, rule: Rule) -> int:
    """How many of the outstanding votes could settle the route at the earliest; 1 or more.

    With fewer than these no outcome settles it, so asking for them all at once costs no vote.
    """
    return next(
        more
        for more in range(1, outstanding + 1)
        if any(
            settled(Tally(count.keep + keeps, count.cast + cast), outstanding - more, rule)
            for cast in range(more + 1)
            for keeps in range(cast + 1)
        )
    )
