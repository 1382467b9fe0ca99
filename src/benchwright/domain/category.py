"""Categories: a panel puts a thing under one of some named values, such as win, tie, lose.

The value that leads alone wins, if its share is large enough. Where none does, people decide. An abstention or a failed
call puts it under none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from benchwright.domain.grade import PEOPLE, People

HALF = Fraction(1, 2)


class Winning(StrEnum):
    """What a value needs to win, beside leading alone."""

    MAJORITY = "majority"  # more than half of all words
    PLURALITY = "plurality"  # nothing


@dataclass(frozen=True, slots=True)
class Category:
    """One voter's word about one thing in one run; `value` None is an abstention."""

    about: str
    by: str
    value: str | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Categories:
    """How the words about one thing stand: how often each value was chosen, in the order of the rule's values."""

    chosen: tuple[int, ...]

    @property
    def cast(self) -> int:
        """How many words there are, abstentions aside."""
        return sum(self.chosen)

    @property
    def most(self) -> int:
        """How many are for the leading value."""
        return max(self.chosen)

    def plus(self, place: int, times: int) -> "Categories":
        """These words with so many more for the value of that place."""
        return Categories((*self.chosen[:place], self.chosen[place] + times, *self.chosen[place + 1 :]))

    def add_evenly(self, more: int) -> "Categories":
        """These words with so many more, each for a value that has the fewest then."""
        even = self
        for _ in range(more):
            even = even.plus(even.chosen.index(min(even.chosen)), 1)
        return even


@dataclass(frozen=True, slots=True)
class CategoryRule:
    """The values, two at least, and what one needs to win: by `how`, a `share` of the words, and a quorum of them."""

    values: tuple[str, ...]
    how: Winning = Winning.MAJORITY
    share: Fraction = Fraction(0)
    quorum: int = 1

    def recipe(self) -> dict[str, object]:
        """The rule as JSON values."""
        return {"values": list(self.values), "how": str(self.how), "share": str(self.share), "quorum": self.quorum}

    @property
    def nothing(self) -> Categories:
        """The count of no words."""
        return Categories((0,) * len(self.values))

    def add(self, count: Categories, category: Category) -> Categories:
        """A count with one more word in it; raises `ValueError` for a value that the rule does not know."""
        if category.value is None:
            return count
        if category.value not in self.values:
            raise ValueError(f"{category.value!r} is none of {', '.join(self.values)}")
        return count.plus(self.values.index(category.value), 1)

    def words_to_win(self, cast: int) -> int:
        """How many of so many words a value needs to win, if it leads alone."""
        half = floor(cast * HALF) + 1 if self.how is Winning.MAJORITY else 1
        return max(half, ceil(cast * self.share))

    def end(self, count: Categories) -> str | People:
        """The value of a thing when all words are in, or that people decide."""
        few = count.cast < max(self.quorum, 1) or count.most < self.words_to_win(count.cast)
        if few or count.chosen.count(count.most) > 1:
            return PEOPLE
        return self.values[count.chosen.index(count.most)]

    def may_leave_to_people(self, count: Categories, more: int) -> bool:
        """Whether so many further words could leave people to decide: too few, all too small, or two that lead."""
        cast = count.cast + more
        small, (first, second, *_) = self.words_to_win(cast) - 1, sorted(count.chosen, reverse=True)
        if cast < max(self.quorum, 1) or max(first, -(-cast // len(self.values))) <= small:
            return True
        tops = range(first, first + more + 1)
        return any(2 * top - first - second <= more <= top * len(self.values) - count.cast for top in tops)

    def certain_end(self, count: Categories, outstanding: int) -> str | People | None:
        """What the words come to, once no outstanding one can change that; None while one still could."""
        return certain_category(count, outstanding, self)

    def favourable(self, count: Categories, more: int) -> Iterator[Categories]:
        """Those counts after `more` further words by which they could settle a thing.

        All for one value is what makes it win the soonest; as even as can be is what keeps all from winning.
        """
        for place in range(len(self.values)):
            yield count.plus(place, more)
        for given in range(more + 1):
            yield count.add_evenly(given)


@lru_cache(maxsize=4096)
def certain_category(count: Categories, outstanding: int, rule: CategoryRule) -> str | People | None:
    """What the words come to, once that is certain. A value that can win at all wins when all others are for it."""
    ends: set[str | People] = set()
    for given in range(outstanding + 1):
        ends |= {rule.end(count.plus(place, given)) for place in range(len(rule.values))}
        ends |= {PEOPLE} if rule.may_leave_to_people(count, given) else set()
    return ends.pop() if len(ends) == 1 else None
