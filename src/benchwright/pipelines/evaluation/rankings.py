"""Rankings of a collection measured side by side, and the report on them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from math import fsum
from typing import Any

from benchwright.domain.text import plural
from benchwright.pipelines.evaluation.collection_files import GROUPS, Collection
from benchwright.pipelines.evaluation.measures.bootstrap import Estimate, estimate
from benchwright.pipelines.evaluation.measures.leaderboard import correlate
from benchwright.pipelines.evaluation.measures.ranking import CUT, RankingScores, Run, score_ranking
from benchwright.pipelines.evaluation.telling import interval, number
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Bar, Bars, Heat, Measurement, Section

LEADING = f"nDCG@{CUT}"
EXACT, NEAR = "exact", "hnsw"  # end the names of rankings that differ in how vectors are searched
EXPLAINED = (
    f"{LEADING} has a linear gain, as trec_eval, BEIR and MTEB have; nDCG(exp) has an exponential one. Every query with"
    " grades counts, also where a ranking found nothing. Ties go by score, then by name, descending. Intervals are"
    " 95 %, by a bootstrap over queries."
)
JUDGED = f"judged@{CUT}"


def measure_rankings(
    collection: Collection, runs: Mapping[str, Run], leaderboard: Mapping[str, float] | None = None
) -> Measurement:
    """The report on some rankings; `leaderboard` are scores that the same retrievers have elsewhere."""
    found = {name: score_ranking(collection.grades, run) for name, run in runs.items()}
    order = sorted(found, key=lambda name: (-found[name].means[LEADING], name))
    scored = {name: found[name] for name in order}
    spread = {name: spread_of(one) for name, one in scored.items()}
    sections = list(tell(collection, scored, spread))
    values: dict[str, Any] = {
        "collection": collection.name,
        "queries": len(collection.grades),
        "rankings": [json_of(name, one, spread[name]) for name, one in scored.items()],
    }
    if leaderboard is not None:
        apart = correlate({name: one.means[LEADING] for name, one in scored.items()}, leaderboard)
        values["rank_correlation"] = asdict(apart)
        p = "" if apart.p is None else f", p = {apart.p:.3f}"
        told = f"Spearman's rho of {plural(apart.n, 'retriever')} that both have: {number(apart.rho)}{p}."
        sections.append(Section("Another leaderboard", (Line(told),)))
    head, *rows = table_rows(scored, spread)
    return Measurement(f"Rankings of {collection.name}", tuple(sections), values, [head, *rows])


def spread_of(one: RankingScores) -> Estimate | None:
    """The leading measure with its interval."""
    return estimate([(query, values[LEADING]) for query, values in one.by_query.items()])


def tell(
    collection: Collection, scored: Mapping[str, RankingScores], spread: Mapping[str, Estimate | None]
) -> Iterator[Section]:
    """The report part by part."""
    bars = tuple(
        Bar(name, one.means[LEADING], *((found.low, found.high) if (found := spread[name]) else ()))
        for name, one in scored.items()
    )
    head, *rows = table_rows(scored, spread)
    yield Section("Scores", (Line(EXPLAINED), Bars(LEADING, bars), Table(head, tuple(rows))))
    if drops := tuple(drop_rows(scored)):
        yield Section("Exact and approximate search", (Table(("retriever", "exact", "HNSW", "drop, %"), drops),))
    for sort in GROUPS:
        if heat := group_heat(sort, collection, scored):
            yield Section(f"By {sort}", (heat,))
    yield from tell_gaps(scored)


def table_rows(scored: Mapping[str, RankingScores], spread: Mapping[str, Estimate | None]) -> Iterator[tuple[str, ...]]:
    """The head, and a row for each ranking."""
    first = next(iter(scored.values()))
    yield ("ranking", LEADING, "95 % interval", *(name for name in first.means if name != LEADING), JUDGED, "missing")
    for name, one in scored.items():
        rest = (number(value) for measure, value in one.means.items() if measure != LEADING)
        cells = (number(one.means[LEADING]), interval(spread[name]), *rest, number(mean_judged(one)))
        yield (name, *cells, str(len(one.missing)))


def mean_judged(one: RankingScores) -> float | None:
    """The mean share of the first texts that have a grade."""
    return fsum(one.judged.values()) / len(one.judged) if one.judged else None


def drop_rows(scored: Mapping[str, RankingScores]) -> Iterator[tuple[str, ...]]:
    """By how much each retriever is worse where its vectors are searched approximately."""
    for name, one in scored.items():
        other = scored.get(f"{name.removesuffix(EXACT)}{NEAR}") if name.endswith(EXACT) else None
        if other:
            exact, near = one.means[LEADING], other.means[LEADING]
            drop = f"{100 * (exact - near) / exact:.2f}" if exact else "-"
            yield name.removesuffix(EXACT).rstrip("-/ ("), number(exact), number(near), drop


def group_heat(sort: str, collection: Collection, scored: Mapping[str, RankingScores]) -> Heat | None:
    """The leading measure by what queries are; None where nobody knows."""
    members: dict[str, list[str]] = {}
    for query in sorted(collection.grades):
        if group := collection.groups.get(query, {}).get(sort):
            members.setdefault(group, []).append(query)
    rows = tuple(
        (group, tuple(mean_of(one, queries) for one in scored.values())) for group, queries in sorted(members.items())
    )
    return Heat(f"{LEADING} by {sort}", tuple(scored), rows) if rows else None


def mean_of(one: RankingScores, queries: Sequence[str]) -> float:
    """The mean of the leading measure over some queries."""
    return fsum(one.by_query[query][LEADING] for query in queries) / len(queries)


def tell_gaps(scored: Mapping[str, RankingScores]) -> Iterator[Section]:
    """Queries that nothing was found for, texts without a grade, queries that have none."""
    lines = [
        Line(f"{name}: nothing was found for {', '.join(one.missing)}: each counts as 0")
        for name, one in scored.items()
        if one.missing
    ]
    lines += [
        Line(f"{name}: {one.strange} of its queries have no grades and do not count")
        for name, one in scored.items()
        if one.strange
    ]
    holes = tuple((name, *hole) for name, one in scored.items() for hole in one.holes)
    if lines:
        yield Section("Queries left out or empty", tuple(lines))
    if holes:
        yield Section("First texts without a grade", (Table(("ranking", "query", "rank", "text"), holes),))


def json_of(name: str, one: RankingScores, spread: Estimate | None) -> dict[str, Any]:
    """A ranking's numbers."""
    return {"name": name, "interval": asdict(spread) if spread else None, **asdict(one), JUDGED: mean_judged(one)}
