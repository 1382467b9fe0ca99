"""Rates with their intervals, tests of two counts, and correlations: exact where that is cheap, never a guess.

What cannot be told (of nothing, of constant values) is None.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import comb, fsum, sqrt

Z95 = 1.959963984540054  # the normal quantile of 0.975
LEAST_PAIRS = 2  # fewer pairs of values have no correlation
SLACK = 1 + 1e-9  # tables as likely as the one seen count as such, whatever floating point makes of them


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, with the ends of its Wilson score interval (95 %); None of nothing."""

    n: int
    of: int
    low: float | None
    high: float | None

    @property
    def value(self) -> float | None:
        """As a fraction."""
        return self.n / self.of if self.of else None


def wilson(n: int, of: int, z: float = Z95) -> Rate:
    """A rate with the Wilson score interval (Wilson 1927), which keeps within 0 and 1 and holds for few cases."""
    if not of:
        return Rate(n, of, None, None)
    share, spread = n / of, z * z / of
    middle = share + spread / 2
    half = z * sqrt(share * (1 - share) / of + spread / (4 * of))
    return Rate(n, of, max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread)))


def sign_test(wins: int, losses: int) -> float | None:
    """The two-sided p of so many wins and losses, if each were as likely as the other; ties are left out before."""
    total = wins + losses
    if not total:
        return None
    tail = sum(comb(total, k) for k in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**total))


def fisher(first: tuple[int, int], second: tuple[int, int]) -> float | None:
    """Fisher's exact two-sided p of a table of two rows: whether what happens depends on the row.

    All tables with the same margins that are at most as likely as this one count.
    """
    (a, b), (c, d) = first, second
    row, column, total = a + b, a + c, a + b + c + d
    if not row or row == total or not column or column == total:
        return None
    ways = {k: comb(row, k) * comb(total - row, column - k) for k in range(min(row, column) + 1)}
    return min(1.0, sum(way for way in ways.values() if way <= ways[a] * SLACK) / comb(total, column))


def independence(counts: Mapping[tuple[int, int], int]) -> float | None:
    """The p of a table of counts by row and column, if the column told nothing about the row.

    Exact: Fisher's test of each row against the rest in each column against the rest, the smallest p times the number
    of these tests (Bonferroni). None where there are not two rows and two columns.
    """
    rows, columns, total = Counter[int](), Counter[int](), sum(counts.values())
    for (row, column), count in counts.items():
        rows[row] += count
        columns[column] += count
    found = []
    for row, column in product(sorted(+rows), sorted(+columns)):
        both = counts.get((row, column), 0)
        first = (both, rows[row] - both)
        second = (columns[column] - both, total - rows[row] - columns[column] + both)
        found.append(fisher(first, second))
    tests = [p for p in found if p is not None]
    return min(1.0, len(tests) * min(tests)) if tests else None


def pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Pearson's r of pairs of values; None of fewer than two pairs, or where either side is constant."""
    if len(first) < LEAST_PAIRS:
        return None
    mean, other = fsum(first) / len(first), fsum(second) / len(second)
    apart = [(x - mean, y - other) for x, y in zip(first, second, strict=True)]
    spread = fsum(x * x for x, _ in apart) * fsum(y * y for _, y in apart)
    if not spread:
        return None
    return max(-1.0, min(1.0, fsum(x * y for x, y in apart) / sqrt(spread)))


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rho: Pearson's r of the ranks, equal values having their mean rank."""
    return pearson(mean_ranks(first), mean_ranks(second))


def mean_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value from 1 on; equal values share the mean of theirs."""
    order = sorted(values)
    ranks = {value: order.index(value) + (order.count(value) + 1) / 2 for value in set(values)}
    return [ranks[value] for value in values]
