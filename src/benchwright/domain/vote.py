"""Yes/no votes on a thing, the rule they are held against, and the route that follows (EpiQAL, section 3.5.1).

A thing is a part of an item that is voted on. Ratio = keep votes / votes cast. An abstention or a failed call is not a
"no": it is not cast. All comparisons are made on fractions, so 4 of 5 meets 0.8 exactly.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache


class Route(StrEnum):
    """What becomes of a thing."""

    KEEP = "keep"
    REJECT = "reject"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Vote:
    """One checker's word about one thing in one run; `keep` None is an abstention, `verdict` its own word.

    `answer` is what it answered itself before it judged, `cites` are the sentences that it relied on.
    """

    about: str
    by: str
    keep: bool | None
    reason: str = ""
    verdict: str = ""
    answer: str = ""
    cites: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """At or above `accept` a thing is kept, below `reject` it is rejected, between them people decide.

    With fewer than `quorum` votes cast people decide too. 0 <= reject <= accept <= 1.
    """

    accept: Fraction
    reject: Fraction
    quorum: int = 1

    def recipe(self) -> dict[str, object]:
        """The rule as JSON values."""
        return {"accept": str(self.accept), "reject": str(self.reject), "quorum": self.quorum}

    @property
    def nothing(self) -> "Tally":
        """The count of no votes."""
        return Tally(0, 0)

    def add(self, count: "Tally", vote: Vote) -> "Tally":
        """A count with one more vote in it."""
        if vote.keep is None:
            return Tally(count.keep, count.cast, count.abstained + 1)
        return Tally(count.keep + vote.keep, count.cast + 1, count.abstained)

    def certain_end(self, count: "Tally", outstanding: int) -> Route | None:
        """The route, once no outstanding vote can change it; None while one still could."""
        return certain_route(count, outstanding, self)

    def favourable(self, count: "Tally", more: int) -> Iterator["Tally"]:
        """What so many further votes can make of a count."""
        for cast in range(more + 1):
            for keeps in range(cast + 1):
                yield Tally(count.keep + keeps, count.cast + cast)


@dataclass(frozen=True, slots=True)
class Tally:
    """How the votes on one thing stand."""

    keep: int
    cast: int
    abstained: int = 0


def tally(votes: Iterable[Vote]) -> Tally:
    """Count votes on one thing."""
    verdicts = [vote.keep for vote in votes]
    cast = [verdict for verdict in verdicts if verdict is not None]
    return Tally(sum(cast), len(cast), len(verdicts) - len(cast))


def route(count: Tally, rule: Rule) -> Route:
    """Where a thing goes when all votes are in."""
    if count.cast < max(rule.quorum, 1):
        return Route.HUMAN
    if reaches(count, rule.accept):
        return Route.KEEP
    return Route.HUMAN if reaches(count, rule.reject) else Route.REJECT


def reaches(count: Tally, threshold: Fraction) -> bool:
    """Whether the ratio is at or above a threshold; in whole numbers, which is exact and costs a tenth of fractions."""
    return count.keep * threshold.denominator >= threshold.numerator * count.cast


@lru_cache(maxsize=4096)
def certain_route(count: Tally, outstanding: int, rule: Rule) -> Route | None:
    """The route, once no outstanding vote can change it; None while one still could.

    Each outstanding vote may turn out a keep, a no, or not be cast at all. For a fixed number of votes cast the
    route only rises with the keeps, so the two ends, all no and all keep, bound every other outcome.
    """
    ends = {
        route(Tally(count.keep + keeps, count.cast + cast), rule)
        for cast in range(outstanding + 1)
        for keeps in (0, cast)
    }
    return ends.pop() if len(ends) == 1 else None


@dataclass(frozen=True, slots=True)
class Routed:
    """One thing under one rule: where it goes, its ratio if anybody voted, the votes it lacks, what people decided.

    `route` is "" while votes are lacking; `decided` is "keep", "reject", or "" where people decided nothing.
    """

    route: str
    ratio: Fraction | None
    lacks: int
    decided: str
