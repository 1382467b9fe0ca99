"""Where items of a phase come from: which source a slot draws on, and which part of it.

Sources differ in how many items they give, so the slots of a phase are counted out once. What a phase draws on does not
change once it has begun, so the count holds for all of it; it takes a few bytes for each source.
"""

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from benchwright.domain.source import Outline, Sources
from benchwright.pipelines.crisis.annotation import read_annotation


@dataclass(frozen=True, slots=True)
class Slots:
    """So many slots in all; `ends` are those after each source."""

    ends: "array[int]"

    def __len__(self) -> int:
        return self.ends[-1] if self.ends else 0

    def find(self, slot: int) -> tuple[int, int]:
        """The place of a slot's source, and which of its parts."""
        place = bisect_right(self.ends, slot)
        return place, slot - (self.ends[place - 1] if place else 0)


def count_slots(sources: Iterable[Outline], parts: Callable[[Outline], int]) -> Slots:
    """The slots of sources, of which each gives so many."""
    return Slots(array("Q", accumulate(map(parts, sources))))


def identify(sources: Sources) -> str:
    """What tells the sources of a phase from those of another: how many they are, the first and the last."""
    ends = (sources[0], sources[len(sources) - 1]) if len(sources) else ()
    return f"{len(sources)} {[str(one.about) for one in ends]}"


def find_repeats(sources: Iterable[Outline]) -> dict[int, int]:
    """The places of records that hold the same notes as an earlier one, with the place of the first such."""
    hashes = array("Q", (int(name[:16], 16) for name in identities(sources)))
    often = {value for value, times in Counter(hashes).items() if times > 1}
    first: dict[int, int] = {}
    found: dict[int, int] = {}
    for place, value in enumerate(hashes):
        if value in often and first.setdefault(value, place) != place:
            found[place] = first[value]
    return found


def identities(sources: Iterable[Outline]) -> Iterator[str]:
    """What makes the notes of each record what they are."""
    return (read_annotation(one.body or {}).identity for one in sources)
