"""How hard an item is for a pool of models, when that is certain, and when it is measured again (EpiQAL, section 3.6).

DiffScore = 1 - the mean over the judges of (alpha F1 + (1 - alpha) EM); an item below the threshold is easy. Judges
that failed are no zeros: they are not in the mean. All comparisons are made on fractions, so a score of 1/5 meets 0.2.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache


class Level(StrEnum):
    """What the pool says of an item."""

    EASY = "easy"
    HARD = "hard"
    NEAR = "near"  # so near the threshold that another measurement may say otherwise
    UNKNOWN = "unknown"  # too few judges answered


@dataclass(frozen=True, slots=True)
class Mark:
    """One judge's answer against the right one, from 0 to 1 each; `exact` is all or nothing."""

    f1: Fraction
    exact: int


def mark(chosen: Collection[str], right: Collection[str]) -> Mark:
    """F1 and Exact Match of the options chosen.

    Choosing none where none is right is a whole success, F1 and all; EpiQAL's code counts it as F1 0 and EM 1.
    """
    given, wanted = set(chosen), set(right)
    size = len(given) + len(wanted)
    return Mark(Fraction(2 * len(given & wanted), size) if size else Fraction(1), int(given == wanted))


@dataclass(frozen=True, slots=True)
class Rule:
    """0 <= alpha, threshold <= 1; with fewer than `quorum` answers the level is unknown.

    A pool whose score is less than `margin` from the threshold is asked once more, everyone again, up to `rounds`
    times in all; the score is the mean over all that was answered. In the last round there is no margin.
    """

    alpha: Fraction
    threshold: Fraction
    quorum: int = 1
    margin: Fraction = Fraction(0)
    rounds: int = 1

    def recipe(self) -> dict[str, object]:
        """The rule as JSON values."""
        exact = {"alpha": str(self.alpha), "threshold": str(self.threshold), "margin": str(self.margin)}
        return exact | {"quorum": self.quorum, "rounds": self.rounds}


@dataclass(frozen=True, slots=True)
class Pool:
    """What came back: the sum of alpha F1 + (1 - alpha) EM, how many judges it is of, how many failed."""

    ease: Fraction = Fraction(0)
    answered: int = 0
    failed: int = 0


def pool(marks: Iterable[Mark | None], rule: Rule) -> Pool:
    """Add the marks up; None is a judge that failed."""
    eases = [None if one is None else rule.alpha * one.f1 + (1 - rule.alpha) * one.exact for one in marks]
    answered = [ease for ease in eases if ease is not None]
    return Pool(sum(answered, Fraction(0)), len(answered), len(eases) - len(answered))


def score(found: Pool) -> Fraction | None:
    """The DiffScore: 0 where every judge was right, 1 where none had anything; None where none answered."""
    return 1 - found.ease / found.answered if found.answered else None


def level(found: Pool, rule: Rule, *, last: bool = True) -> Level:
    """What a complete round says; `last` where no other may follow."""
    value = score(found)
    if value is None or found.answered < rule.quorum:
        return Level.UNKNOWN
    if not last and abs(value - rule.threshold) < rule.margin:
        return Level.NEAR
    return Level.EASY if value < rule.threshold else Level.HARD


def ends(found: Pool, outstanding: int) -> Iterator[Pool]:
    """The extremes of what may come: so many more answer, all wholly wrong or all wholly right, and the others fail."""
    for more in range(outstanding + 1):
        for ease in {0, more}:
            yield Pool(found.ease + ease, found.answered + more, found.failed + outstanding - more)


@lru_cache(maxsize=4096)
def certain_level(found: Pool, outstanding: int, rule: Rule, *, last: bool = True) -> Level | None:
    """The level of the round, once no outstanding judge can change it; None while one still could.

    For a fixed number of answers the score only falls as they get better, so the ends bound every other outcome.
    """
    levels = {level(end, rule, last=last) for end in ends(found, outstanding)}
    return levels.pop() if len(levels) == 1 else None


def is_decided(certain: Level | None, *, last: bool) -> bool:
    """Whether nothing more need be asked: near or unknown it may remain in the last round alone."""
    return certain in {Level.EASY, Level.HARD} or (last and certain is not None)


@lru_cache(maxsize=4096)
def fewest(found: Pool, outstanding: int, rule: Rule, *, last: bool = True) -> int:
    """How many more answers could decide the round at the earliest; all of them where fewer never do."""
    return next(
        (
            more
            for more in range(1, outstanding)
            if any(
                is_decided(certain_level(end, outstanding - more, rule, last=last), last=last)
                for end in ends(found, more)
            )
        ),
        outstanding,
    )


@dataclass(frozen=True, slots=True)
class PoolState:
    """How a measurement stands: its `level` once that is certain; how many of the round have not been asked.

    `wave` is how many of those to ask next: with fewer than these no outcome could decide, so asking them at once
    costs nothing. 0 once the level is certain.
    """

    found: Pool
    level: Level | None
    outstanding: int
    wave: int = 0


def pool_state(marks: Sequence[Mark | None], judges: int, rule: Rule) -> PoolState:
    """Where a pool of so many judges stands, asked in turn, round after round; `marks` in that order."""
    found = pool(marks, rule)
    complete, begun = divmod(len(marks), judges)
    number = complete + bool(begun or not complete)
    if not begun and complete and number < rule.rounds and not is_decided(level(found, rule, last=False), last=False):
        number += 1
    outstanding, last = number * judges - len(marks), number == rule.rounds
    certain = certain_level(found, outstanding, rule, last=last)
    if is_decided(certain, last=last):
        return PoolState(found, certain, outstanding)
    return PoolState(found, None, outstanding, fewest(found, outstanding, rule, last=last))


def bounds(found: Pool, outstanding: int, rule: Rule) -> tuple[Fraction, Fraction]:
    """The lowest and the highest score that may come of the round; -1, below all, stands for too few answers."""
    values = [
        Fraction(-1) if (value := score(end)) is None or end.answered < rule.quorum else value
        for end in ends(found, outstanding)
    ]
    return min(values), max(values)
