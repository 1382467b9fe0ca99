"""Grades: whole numbers from a least to a most, given by a panel, and the one grade that they come to.

The mean is an exact fraction, and a named rounding makes a grade of it. Where the grades lie too far apart, or are too
few, people decide. An abstention or a failed call is no grade.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, permutations
from math import ceil, floor
from typing import Literal

from benchwright.domain.vote import Route

People = Literal[Route.HUMAN]  # in the place of a grade: people decide
PEOPLE: People = Route.HUMAN
HALF = Fraction(1, 2)


class Rounding(StrEnum):
    """How one grade is made of many: the exact mean, rounded; or the median, which needs no rounding."""

    HALF_UP = "half_up"  # to the nearest; 1.5 becomes 2
    HALF_EVEN = "half_even"  # to the nearest; 1.5 becomes 2, and 2.5 too
    DOWN = "down"  # 1.9 becomes 1
    UP = "up"  # 1.1 becomes 2
    MEDIAN = "median"  # the grade in the middle; of two the lower


@dataclass(frozen=True, slots=True)
class Grade:
    """One grader's word about one thing in one run; `grade` None is an abstention."""

    about: str
    by: str
    grade: int | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Grades:
    """How the grades of one thing stand: how often each was given, from the `least` one on."""

    least: int
    given: tuple[int, ...]

    @property
    def cast(self) -> int:
        """How many grades were given."""
        return sum(self.given)

    @property
    def values(self) -> tuple[int, ...]:
        """The grades that were given, each once, the least first."""
        return tuple(grade for grade, times in enumerate(self.given, self.least) if times)

    @property
    def mean(self) -> Fraction | None:
        """The exact mean; None of no grades."""
        total = sum(grade * times for grade, times in enumerate(self.given, self.least))
        return Fraction(total, self.cast) if self.cast else None

    @property
    def spread(self) -> int:
        """The greatest grade minus the least: how far the graders disagree; 0 of no grades."""
        return max(self.values, default=0) - min(self.values, default=0)

    def round_mean(self, rounding: Rounding) -> int:
        """The one grade that they come to. There has to be one at least."""
        if rounding is Rounding.MEDIAN:
            middle = (self.cast + 1) // 2
            return self.least + next(place for place, so_far in enumerate(accumulate(self.given)) if so_far >= middle)
        mean = self.mean or Fraction(0)
        if rounding is Rounding.HALF_EVEN:
            return round(mean)
        return ceil(mean) if rounding is Rounding.UP else floor(mean + HALF * (rounding is Rounding.HALF_UP))

    def plus(self, grade: int, times: int = 1) -> "Grades":
        """These grades with one more of a kind, or several."""
        place = grade - self.least
        return Grades(self.least, (*self.given[:place], self.given[place] + times, *self.given[place + 1 :]))


@dataclass(frozen=True, slots=True)
class GradeRule:
    """Grades from `least` to `most`. People decide where they lie further apart than `bound`, or are below the quorum.

    `bound` is one of `Grades.spread`; None sets none. There are two grades at least.
    """

    least: int
    most: int
    rounding: Rounding = Rounding.HALF_UP
    bound: int | None = None
    quorum: int = 1

    def recipe(self) -> dict[str, object]:
        """The rule as JSON values."""
        return {
            "least": self.least,
            "most": self.most,
            "rounding": str(self.rounding),
            "bound": self.bound,
            "quorum": self.quorum,
        }

    @property
    def furthest(self) -> int:
        """How far grades may lie apart."""
        return self.most - self.least if self.bound is None else self.bound

    @property
    def nothing(self) -> Grades:
        """The count of no grades."""
        return Grades(self.least, (0,) * (self.most - self.least + 1))

    def add(self, count: Grades, grade: Grade) -> Grades:
        """A count with one more grade in it; raises `ValueError` for one that lies outside of the scale."""
        if grade.grade is None:
            return count
        if not self.least <= grade.grade <= self.most:
            raise ValueError(f"grade {grade.grade} lies outside of {self.least} to {self.most}")
        return count.plus(grade.grade)

    def end(self, count: Grades) -> int | People:
        """The grade of a thing when all grades are in, or that people decide."""
        if count.cast < max(self.quorum, 1) or count.spread > self.furthest:
            return PEOPLE
        return count.round_mean(self.rounding)

    def certain_end(self, count: Grades, outstanding: int) -> int | People | None:
        """What the grades come to, once no outstanding one can change that; None while one still could."""
        return certain_grade(count, outstanding, self)

    def favourable(self, count: Grades, more: int) -> Iterator[Grades]:
        """Those counts after `more` further words by which they could settle a thing.

        Grades at both ends, and abstentions, send it to people the soonest. For a grade only the sum matters, or how
        many lie above it: grades side by side make every sum.
        """
        yield count
        for end in (self.least, self.most):
            yield count.plus(end)
        if more > 1:
            yield count.plus(self.least).plus(self.most)
        for given in range(1, more + 1):
            for grade in range(self.least, self.most):
                for above in range(given + 1):
                    yield count.plus(grade, given - above).plus(grade + 1, above)


@lru_cache(maxsize=4096)
def certain_grade(count: Grades, outstanding: int, rule: GradeRule) -> int | People | None:
    """What the grades come to, once that is certain.

    Of so many further grades that leave the bound kept, all at the `low` end and all at the `high` end bound every
    other outcome, whichever way it is rounded: a greater grade never lowers what they come to. A grade at each end of
    the scale breaks the bound the soonest, and no further grade at all is what keeps the quorum from being reached.
    """
    low = max(rule.least, max(count.values, default=rule.least) - rule.furthest)
    high = min(rule.most, min(count.values, default=rule.most) + rule.furthest)
    ends = {rule.end(count)}
    for given in range(1, outstanding + 1):
        ends |= {rule.end(count.plus(low, given)), rule.end(count.plus(high, given))}
        ends |= {rule.end(count.plus(a).plus(b, given - 1)) for a, b in permutations((rule.least, rule.most))}
    return ends.pop() if len(ends) == 1 else None
