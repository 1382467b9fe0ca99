"""What judges say of answers, put together: scores, vetoes, and whether the judges can be trusted.

RESPONSE (arXiv 2503.11348, section 4.3) reports means from 0 to 1 of grades from 1 to 5. Its means fit x/5, which is
the default here. Its correlation with people, r = 0.82, cannot be computed again: the votes behind it are unpublished.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from benchwright.agents.crisis.judge_answer import DIMENSIONS
from benchwright.agents.crisis.prefer_answer import CRITERIA
from benchwright.domain.statistics import Rate, pearson, sign_test, spearman, wilson
from benchwright.pipelines.crisis.body import GOLD, Comparison, Judged, Mark
from benchwright.pipelines.crisis.preferences import word_of

FORMULAS: Mapping[str, Callable[[float], float]] = {"x/5": lambda x: x / 5, "(x-1)/4": lambda x: (x - 1) / 4}
# Codings of people's words: that of the paper is uneven, so an even one stands beside it.
CODINGS: Mapping[str, Mapping[str, float]] = {
    "1/0.5/-1": {"win": 1.0, "tie": 0.5, "lose": -1.0},
    "1/0/-1": {"win": 1.0, "tie": 0.0, "lose": -1.0},
}
PUBLISHED = (
    "the paper's r = 0.82 between judge and people cannot be computed again: the votes behind it are unpublished"
)


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return fsum(values) / len(values) if values else None


def score(mark: Mark, formula: str) -> Mapping[str, float]:
    """A mark from 0 to 1 on each dimension, and overall: the mean of the three."""
    found = {name: FORMULAS[formula](mark.scores[name]) for name in DIMENSIONS}
    return {**found, "overall": fsum(found.values()) / len(found)}


@dataclass(frozen=True, slots=True)
class Scores:
    """The means of marks, by dimension and overall; `n` is how many marks they rest on."""

    n: int
    means: Mapping[str, float | None]


def scores(marks: Sequence[Mark], formula: str) -> Scores:
    """Marks put together."""
    found = [score(one, formula) for one in marks]
    return Scores(len(found), {name: mean([one[name] for one in found]) for name in (*DIMENSIONS, "overall")})


@dataclass(frozen=True, slots=True)
class Order:
    """How a judge chooses with the order on the page: first, second or tie, and the p of the sign test.

    `steady` counts the pairs of answers, dimension by dimension, for which both orders gave the same winner.
    """

    first: Rate
    second: int
    tie: int
    p: float | None
    steady: Rate


def order_of(items: Iterable[Judged], judge: str) -> Order:
    """One judge's choices."""
    sides: Counter[str] = Counter()
    winners: dict[tuple[int, str, frozenset[str], str], list[str]] = {}
    for number, item in enumerate(items):
        for one in item.comparisons:
            if model_of(one.by) == judge:
                for name, side in one.better.items():
                    sides[side] += 1
                    pair = number, one.by, frozenset((one.first, one.second)), name
                    winners.setdefault(pair, []).append(winner(one, name))
    both = [found for found in winners.values() if len(found) > 1]
    return Order(
        first=wilson(sides["first"], sides.total()),
        second=sides["second"],
        tie=sides["tie"],
        p=sign_test(sides["first"], sides["second"]),
        steady=wilson(sum(len(set(found)) == 1 for found in both), len(both)),
    )


def model_of(by: str) -> str:
    """The model of a signature."""
    return by.rpartition("#")[0]


def winner(one: Comparison, name: str) -> str:
    """The source that wins on a dimension; "" of a tie."""
    return {"first": one.first, "second": one.second}.get(one.better[name], "")


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """The mean overall score that a judge gives its own model's answers, and that others give to the same answers."""

    judge: str
    n: int
    own: float | None
    others: float | None

    @property
    def gap(self) -> float | None:
        """How much more it gives itself."""
        return None if self.own is None or self.others is None else self.own - self.others


def self_preferences(
    items: Sequence[Judged], formula: str, same: Callable[[str, str], bool]
) -> Iterator[SelfPreference]:
    """Each judge that is also measured; `same` tells whether two entries of the catalogue are one model."""
    marks = [one for item in items for one in item.marks if one.source != GOLD]
    for judge in sorted({model_of(one.by) for one in marks}):
        about_it = [one for one in marks if same(judge, one.source)]
        own = [score(one, formula)["overall"] for one in about_it if model_of(one.by) == judge]
        others = [score(one, formula)["overall"] for one in about_it if not same(judge, model_of(one.by))]
        if own:
            yield SelfPreference(judge, len(own), mean(own), mean(others))


@dataclass(frozen=True, slots=True)
class Correlation:
    """How a judge's overall score of an answer goes with what people say of it, under a coding of their words."""

    coding: str
    n: int
    pearson: float | None
    spearman: float | None


def correlations(items: Sequence[Judged], formula: str, counts: Callable[[str], bool]) -> Iterator[Correlation]:
    """Under each coding, over answers that both judges and people spoke of; `counts` says whose words count."""
    for coding, values in CODINGS.items():
        judged, said = list[float](), list[float]()
        for item in items:
            for source in sorted({one.source for one in item.marks} - {GOLD}):
                grades = [score(one, formula)["overall"] for one in item.marks if one.source == source]
                words = [
                    values[word_of(one, source, criterion)]
                    for one in item.preferences
                    if not one.attention and source in (one.first, one.second) and counts(one.by)
                    for criterion in CRITERIA
                ]
                if words:
                    judged.append(fsum(grades) / len(grades))
                    said.append(fsum(words) / len(words))
        yield Correlation(coding, len(said), pearson(judged, said), spearman(judged, said))
