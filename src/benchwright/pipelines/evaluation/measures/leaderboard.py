"""Leaderboards: whether their averages are those of their cells, and how two of them order the same models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import exp, fsum, lgamma, log, sqrt

from benchwright.domain.statistics import mean_ranks, pearson

ROUNDED = 0.005 + 1e-9  # by how much a figure with two decimals may be off
CONVERGED = 1e-14
EXACT_MOST = 8  # models for which all orders are gone through: 40,320


@dataclass(frozen=True, slots=True)
class Misfit:
    """A row whose average is not that of its cells."""

    model: str
    stated: float
    computed: float


def find_misfits(cells: Mapping[str, Sequence[float]], stated: Mapping[str, float]) -> Sequence[Misfit]:
    """The rows that do not add up, beyond what rounding to two decimals explains."""
    means = {model: fsum(values) / len(values) for model, values in cells.items()}
    return [
        Misfit(model, stated[model], mean)
        for model, mean in means.items()
        if model in stated and abs(mean - stated[model]) > 2 * ROUNDED
    ]


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho over the models that both leaderboards have; p is two-sided, None where rho is."""

    rho: float | None
    p: float | None
    n: int


def correlate(first: Mapping[str, float], second: Mapping[str, float]) -> RankCorrelation:
    """Compare the order of two leaderboards.

    p is exact for few models (all orders), and by Student's t of n - 2 degrees of freedom for more.
    """
    names = sorted(first.keys() & second.keys())
    ones, others = mean_ranks([first[name] for name in names]), mean_ranks([second[name] for name in names])
    rho = pearson(ones, others)
    if rho is None:
        return RankCorrelation(None, None, len(names))
    p = exact_p(ones, others, rho) if len(names) <= EXACT_MOST else p_of(rho, len(names))
    return RankCorrelation(rho, p, len(names))


def exact_p(ones: Sequence[float], others: Sequence[float], rho: float) -> float:
    """The share of all orders of one side whose rho is at least as far from 0."""
    found = [abs(pearson(ones, order) or 0.0) >= abs(rho) - 1e-12 for order in permutations(others)]
    return sum(found) / len(found)


def p_of(rho: float, n: int) -> float:
    """The two-sided p of Spearman's rho by Student's t, as scipy and R have it for many values."""
    if abs(rho) >= 1:
        return 0.0
    freedom = n - 2
    t = rho * sqrt(freedom / (1 - rho * rho))
    return regularised_beta(freedom / (freedom + t * t), freedom / 2, 0.5)


def regularised_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz; Press et al., section 6.4)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - regularised_beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log(1 - x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    result, step, m = d, 0.0, 0
    while abs(step - 1) >= CONVERGED:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d, c = 1 / (1 + even * d), 1 + even / c
        result *= d * c
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d, c = 1 / (1 + odd * d), 1 + odd / c
        step = d * c
        result *= step
    return front * result
