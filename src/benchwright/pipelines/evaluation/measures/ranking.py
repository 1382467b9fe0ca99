"""Measures of rankings against graded pairs, as trec_eval counts them, by ir-measures.

nDCG has a linear gain, as trec_eval, BEIR and MTEB have; the exponential gain (2^grade - 1) bears its name. Ties go by
score in single precision, then by the text's name, descending, as trec_eval sorts. Every query that has grades counts:
one for which a ranking found nothing scores 0 and is named. (pytrec_eval's own mean leaves such queries out.)
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any

from benchwright.domain.extra import library

Grades = Mapping[str, Mapping[str, int]]  # of each query the grades of its texts
Run = Mapping[str, Mapping[str, float]]  # of each query the scores of texts
CUT = 10
HOLES_SHOWN = 20
MOST_GRADE = 30  # whose exponential gain still is a whole number that trec_eval holds


@dataclass(frozen=True, slots=True)
class RankingScores:
    """A ranking's measures: `by_query` under their names, `means` over all graded queries.

    `missing` are graded queries without any result; `strange` how many queries of the ranking have no grades (they do
    not count). `judged` is the share of the first texts of each query that have a grade, `holes` the first texts
    without one: query, rank, text.
    """

    by_query: Mapping[str, Mapping[str, float]]
    means: Mapping[str, float]
    missing: tuple[str, ...]
    strange: int
    judged: Mapping[str, float]
    holes: tuple[tuple[str, int, str], ...] = field(default=())


def score_ranking(grades: Grades, run: Run, cut: int = CUT) -> RankingScores:
    """Score one ranking; needs the extra `ir`."""
    graded = sorted(grades)
    names = (f"nDCG@{cut}", "AP", "RR", *(f"R@{depth}" for depth in sorted({cut, 100, 1000})), f"P@{cut}")
    found = calculate(names, grades, run)
    exponential = calculate((names[0],), {query: gains(of) for query, of in grades.items()}, run)[names[0]]
    found[f"nDCG(exp)@{cut}"] = exponential
    by_query = {query: {name: values.get(query, 0.0) for name, values in found.items()} for query in graded}
    firsts = {query: order_texts(run.get(query, {}))[:cut] for query in graded}
    return RankingScores(
        by_query=by_query,
        means={name: fsum(by_query[query][name] for query in graded) / len(graded) for name in found} if graded else {},
        missing=tuple(query for query in graded if not run.get(query)),
        strange=sum(query not in grades for query in run),
        judged={query: sum(doc in grades[query] for doc in of) / len(of) for query, of in firsts.items() if of},
        holes=tuple(find_holes(grades, firsts))[:HOLES_SHOWN],
    )


def gains(grades: Mapping[str, int]) -> Mapping[str, int]:
    """Grades as exponential gains: nDCG of these with a linear gain is nDCG of the grades with an exponential one."""
    return {doc: 2 ** min(max(grade, 0), MOST_GRADE) - 1 for doc, grade in grades.items()}


def calculate(names: Sequence[str], grades: Grades, run: Run) -> dict[str, dict[str, float]]:
    """The measures of these names of each query."""
    measures: Any = library("ir_measures", "measures of rankings", "ir")
    parsed = {measures.parse_measure(name): name for name in names}
    found: dict[str, dict[str, float]] = {name: {} for name in names}
    for one in measures.iter_calc(list(parsed), grades, {query: dict(of) for query, of in run.items()}):
        found[parsed[one.measure]][one.query_id] = one.value
    return found


def order_texts(scores: Mapping[str, float]) -> list[str]:
    """The texts of a query, the best first, as trec_eval sorts them."""
    names = sorted(scores, reverse=True)
    singles = dict(zip(names, array("f", (scores[name] for name in names)), strict=True))
    return sorted(names, key=lambda name: -singles[name])  # a stable sort: ties keep the names' falling order


def find_holes(grades: Grades, firsts: Mapping[str, Sequence[str]]) -> Iterable[tuple[str, int, str]]:
    """The first texts that nobody has graded, by query and rank."""
    for query, docs in firsts.items():
        for rank, doc in enumerate(docs, 1):
            if doc not in grades[query]:
                yield query, rank, doc
