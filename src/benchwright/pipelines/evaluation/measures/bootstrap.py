"""Intervals by the percentile bootstrap over clusters (Efron; Field and Welsh 2007), and comparisons of two models.

Questions on one document are not independent, so whole documents are drawn. All chance is seeded.
"""

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import fsum
from operator import mul

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


def estimate(values: Values, draws: int = DRAWS) -> Estimate | None:
    """The mean of some values with its interval, the same each time; None of none."""
    if not values:
        return None
    value = fsum(one for _, one in values) / len(values)
    sums, counts = sum_by_cluster(values)
    if len(sums) == 1:
        return Estimate(value, None, None, len(values), 1)
    drawn = draw_clusters(len(sums), draws)
    means = sorted(sum(map(mul, times, sums)) / sum(map(mul, times, counts)) for times in drawn)
    return Estimate(value, quantile(means, TAIL), quantile(means, 1 - TAIL), len(values), len(sums))


@lru_cache(maxsize=4)  # all models of a table have the same clusters
def draw_clusters(clusters: int, draws: int) -> "tuple[array[int], ...]":
    """For each draw of as many clusters as there are, with replacement, how often each one was drawn."""
    random, found = seeded_random("bootstrap", clusters), []
    for _ in range(draws):
        times = array("H", bytes(2 * clusters))
        for place in random.choices(range(clusters), k=clusters):
            times[place] += 1
        found.append(times)
    return tuple(found)


def sum_by_cluster(values: Values) -> tuple[list[float], list[int]]:
    """Sum and number of the values of each cluster, in the order of the clusters' names."""
    sums: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for cluster, value in values:
        sums[cluster] = sums.get(cluster, 0.0) + value
        counts[cluster] += 1
    names = sorted(sums)
    return [sums[name] for name in names], [counts[name] for name in names]


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
    difference = estimate(apart, draws)
    return Comparison(name, other, len(both), better, worse, sign_test(better, worse), difference)
