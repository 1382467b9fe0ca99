"""In which waves a panel is asked: a wave begins when the one before is complete, about what is not settled by then.

So what is asked is a function of the answers alone, whoever answers first, and no wave can change an end: it only
leaves out what nobody's word can change any more. Votes, grades and categories each have their own way to be weighed.
"""

from collections.abc import Iterable
from functools import lru_cache, reduce
from typing import Any, Protocol, TypeVar

FRUGAL = "frugal"  # each wave as small as could settle a thing: the fewest words, and the fewest calls
CALLS = "calls"  # each wave as large as it can be without a call too many: the fewest calls in fewer waves
Waves = int | str  # so many waves, as even as they can be, the larger ones first; or one of these two

Word = TypeVar("Word")
Word_contra = TypeVar("Word_contra", contravariant=True)
Count = TypeVar("Count")
End_co = TypeVar("End_co", covariant=True)


class Weighing(Protocol[Word_contra, Count, End_co]):
    """How the words of a panel about one thing are counted, and when it is certain what they come to.

    A word may be an abstention. A weighing and its counts are hashable values.
    """

    def __hash__(self) -> int: ...

    @property
    def quorum(self) -> int:
        """With fewer words than this that are no abstentions people decide."""
        ...

    @property
    def nothing(self) -> Count:
        """The count of no words."""
        ...

    def add(self, count: Count, word: Word_contra, /) -> Count:
        """A count with one more word in it."""
        ...

    def certain_end(self, count: Count, outstanding: int) -> End_co | None:
        """What the words come to, once no outstanding word, or its lack, can change that; None while one still could.

        With nothing outstanding it is never None.
        """
        ...

    def favourable(self, count: Count, more: int) -> Iterable[Count]:
        """What so many further words can make of a count; at least those by which they could settle it, if they can."""
        ...


def count(words: Iterable[Word], rule: Weighing[Word, Count, object]) -> Count:
    """The words about one thing, counted."""
    return reduce(rule.add, words, rule.nothing)


def size(waves: Waves, before: int, total: int, open_counts: Iterable[Any], rule: Weighing[Any, Any, object]) -> int:
    """How many of a panel's `total` turns come in the wave after `before` of them.

    `open_counts` are the words of those turns about the things that are not settled; `before` is where a wave ended.
    """
    if isinstance(waves, str):
        # A call speaks about all that is open: it is one too many only where nothing is, so the slowest thing counts.
        bound = max if waves == CALLS else min
        return bound(fewest(one, total - before, rule) for one in open_counts)
    number = min(waves, total)
    ends = (-(-total * wave // number) for wave in range(1, number + 1))
    return next(end for end in ends if end > before) - before


@lru_cache(maxsize=4096)
def fewest(so_far: Any, outstanding: int, rule: Weighing[Any, Any, object]) -> int:
    """How many of the outstanding words could settle a thing at the earliest; 1 or more.

    With fewer than these no outcome settles it, so asking for them all at once costs no word.
    """
    return next(
        more
        for more in range(1, outstanding + 1)
        if any(rule.certain_end(end, outstanding - more) is not None for end in rule.favourable(so_far, more))
    )
