"""Intervals by the percentile bootstrap over clusters (Efron; Field and Welsh 2007), and comparisons of two models.

Questions on one document are not independent, so whole documents are drawn. All chance is seeded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from benchwright.domain.ids import seeded_random
from benchwright.domain.statistics import sign_test

DRAWS = 1000
TAIL = 0.025  # on either side of a 95 % interval
Values = Sequence[tuple[str, float]]  # of each answer the cluster and the value


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with the ends of its 95 % interval, over so many values in so many clusters.

    The ends are None where there is one cluster only, which says nothing about others.
    """

    value: float
    low: float | None
    high: float | None
    n: int
    clusters: int


def estimate(values: Values, *parts: object, draws: int = DRAWS) -> Estimate | None:
    """The mean of some values with its interval, which depends on them and the parts of the seed; None of none."""
    if not values:
        return None
    value = fsum(one for _, one in values) / len(values)
    sums = sum_by_cluster(values)
    if len(sums) == 1:
        return Estimate(value, None, None, len(values), 1)
    random, means = seeded_random("bootstrap", *parts), list[float]()
    for _ in range(draws):
        drawn = random.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(n for _, n in drawn))
    means.sort()
    return Estimate(value, quantile(means, TAIL), quantile(means, 1 - TAIL), len(values), len(sums))


def sum_by_cluster(values: Values) -> list[tuple[float, int]]:
    """Sum and number of the values of each cluster, in the order of their names."""
    found: dict[str, tuple[float, int]] = {}
    for cluster, value in values:
        total, n = found.get(cluster, (0.0, 0))
        found[cluster] = total + value, n + 1
    return [found[cluster] for cluster in sorted(found)]


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which so large a share of ordered values lies, between two of them in proportion."""
    place = share * (len(ordered) - 1)
    lower = int(place)
    upper = min(lower + 1, len(ordered) - 1)
    return ordered[lower] + (place - lower) * (ordered[upper] - ordered[lower])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two models on the questions that both answered.

    `better` and `worse` are the questions on which only the first, only the second is right; `p` is the exact two-sided
    p of McNemar's test, None where they never differ; `difference` is first minus second with its interval.
    """

    first: str
    second: str
    both: int
    better: int
    worse: int
    p: float | None
    difference: Estimate | None


def compare(
    first: tuple[str, Mapping[str, float]],
    second: tuple[str, Mapping[str, float]],
    clusters: Mapping[str, str],
    draws: int = DRAWS,
) -> Comparison:
    """Compare two models, each with its name and its value of each question (Exact Match, or the mean of its runs)."""
    (name, ones), (other, others) = first, second
    both = sorted(ones.keys() & others.keys())
    apart = [(clusters[question], ones[question] - others[question]) for question in both]
    better, worse = sum(one > 0 for _, one in apart), sum(one < 0 for _, one in apart)
    difference = estimate(apart, name, other, draws=draws)
    return Comparison(name, other, len(both), better, worse, sign_test(better, worse), difference)
