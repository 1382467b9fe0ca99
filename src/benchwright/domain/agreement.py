"""How far raters agree: Cohen's and Fleiss's kappa, Krippendorff's alpha.

Each is 1 for perfect agreement and 0 for what chance would give. Where chance would agree always, because all say the
same, none of them is defined: that is told with a reason, never as a number.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise, permutations, product
from math import fsum
from typing import Literal

Weights = Literal["unweighted", "linear", "quadratic"]
Scale = Literal["nominal", "ordinal", "interval", "ratio"]
Rating = float | str
Distance = Callable[[int, int], float]  # of two labels' places

NOTHING = "nothing was rated by two raters"
CONSTANT = "everything got the same rating, so chance alone would agree always"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A coefficient; `value` None is undefined, and `reason` says why. `units` is how many ratings it rests on."""

    value: float | None
    reason: str = ""
    units: int = 0


def undefined_agreement(reason: str, units: int = 0) -> Agreement:
    """A coefficient that cannot be told."""
    return Agreement(None, reason, units)


def cohen(
    first: Sequence[Rating],
    second: Sequence[Rating],
    labels: Sequence[Rating] | None = None,
    weights: Weights = "unweighted",
) -> Agreement:
    """Cohen's kappa of two raters over the same units.

    Weighted, a disagreement counts by the distance of its labels' places in `labels`, by default those that occur.
    """
    if not first:
        return undefined_agreement(NOTHING)
    known = labels or sorted({*first, *second}, key=lambda label: (isinstance(label, str), label))
    place = {label: number for number, label in enumerate(known)}
    far: dict[Weights, Distance] = {
        "unweighted": lambda a, b: float(a != b),
        "linear": lambda a, b: abs(a - b),
        "quadratic": lambda a, b: (a - b) ** 2,
    }
    distance, n = far[weights], len(first)
    seen = fsum(distance(place[a], place[b]) for a, b in zip(first, second, strict=True)) / n
    ones, others = Counter(map(place.__getitem__, first)), Counter(map(place.__getitem__, second))
    chance = fsum(ones[a] * others[b] * distance(a, b) for a, b in product(ones, others)) / n**2
    return Agreement(1 - seen / chance, units=n) if chance else undefined_agreement(CONSTANT, n)


def fleiss(table: Sequence[Sequence[int]], *, free: bool = False) -> Agreement:
    """Fleiss's kappa of units by categories, each cell the number of raters; every unit has as many raters.

    `free`: chance is taken to fall on each category alike (Randolph), so rare categories make no paradox.
    """
    raters = sum(table[0]) if table else 0
    if raters < 2:  # noqa: PLR2004 - one rater agrees with nobody
        return undefined_agreement(NOTHING)
    units, pairs = len(table), raters * (raters - 1)
    seen = fsum(fsum(n * (n - 1) for n in row) / pairs for row in table) / units
    shares = [fsum(column) / (units * raters) for column in zip(*table, strict=True)]
    chance = 1 / len(shares) if free else fsum(share**2 for share in shares)
    return (
        undefined_agreement(CONSTANT, units) if chance == 1 else Agreement((seen - chance) / (1 - chance), units=units)
    )


def krippendorff(units: Sequence[Sequence[Rating | None]], scale: Scale = "nominal") -> Agreement:
    """Krippendorff's alpha of units by raters; None is a rating that is missing.

    1 - observed / expected disagreement, over all pairs of ratings of one unit; a unit with a single rating has none.
    """
    rated = [[rating for rating in unit if rating is not None] for unit in units]
    paired = [unit for unit in rated if len(unit) > 1]
    totals = Counter(rating for unit in paired for rating in unit)
    n = totals.total()
    if not paired:
        return undefined_agreement(NOTHING)
    distance = metric(scale, totals)
    seen = fsum(distance(a, b) / (len(unit) - 1) for unit in paired for a, b in permutations(unit, 2))
    expected = fsum(totals[a] * totals[b] * distance(a, b) for a, b in product(totals, totals)) / (n - 1)
    return Agreement(1 - seen / expected, units=len(paired)) if expected else undefined_agreement(CONSTANT, len(paired))


def metric(scale: Scale, totals: Mapping[Rating, int]) -> Callable[[Rating, Rating], float]:
    """The squared distance of two ratings; on the ordinal scale it depends on how many ratings lie between."""
    if scale == "nominal":
        return lambda a, b: float(a != b)
    if scale == "ordinal":
        places = ranks(totals)
        return lambda a, b: (places[a] - places[b]) ** 2
    if scale == "interval":
        return lambda a, b: (float(a) - float(b)) ** 2
    return lambda a, b: ((float(a) - float(b)) / (float(a) + float(b))) ** 2 if a != b else 0.0


def ranks(totals: Mapping[Rating, int]) -> dict[Rating, float]:
    """The middle rank of each rating, so that distances add up what lies between."""
    order = sorted(totals, key=float)
    steps = [0.0, *((totals[low] + totals[high]) / 2 for low, high in pairwise(order))]
    return dict(zip(order, accumulate(steps), strict=True))
