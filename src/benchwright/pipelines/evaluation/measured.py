"""Everything that is measured of answers to one set, as numbers: models, groups, pairs of models, questions, traps."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum

from benchwright.pipelines.evaluation.measures.bootstrap import Comparison, Estimate, compare, estimate
from benchwright.pipelines.evaluation.measures.item_analysis import ItemStatistics, analyse_items, count_traps
from benchwright.pipelines.evaluation.measures.scores import Score, mean_score, score_response
from benchwright.pipelines.evaluation.responses import Question, Response

ALL_PAIRS = 6  # models of which all pairs are compared; of more, each with the next, and the best with each


@dataclass(frozen=True, slots=True)
class Taker:
    """One model under one condition: its scores over what it answered, and what it did not answer."""

    name: str
    answered: int
    abstained: int
    failures: Mapping[str, int]
    mean: Score | None
    exact: Estimate | None
    f1: Estimate | None

    @property
    def failed(self) -> int:
        """How many calls gave no usable answer."""
        return sum(self.failures.values())


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of a report. `groups` is the mean Exact Match by sort of group, group and taker.

    `alike` is the share of questions that two takers answered alike, by their names.
    """

    questions: Sequence[Question]
    takers: Sequence[Taker]
    groups: Mapping[str, Mapping[str, Mapping[str, float]]]
    comparisons: Sequence[Comparison]
    alike: Mapping[tuple[str, str], float]
    items: Sequence[ItemStatistics]
    traps: Mapping[str, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Scored:
    """The answers of one taker with their scores, in one order."""

    name: str
    pairs: Sequence[tuple[Question, Response, Score]]
    failures: Mapping[str, int]

    def values(self, measure: str) -> list[tuple[str, float]]:
        """One measure, with the cluster of each answer."""
        return [(question.cluster, getattr(found, measure)) for question, _, found in self.pairs]

    def exact_by_question(self) -> Mapping[str, float]:
        """The mean Exact Match of the runs, by question."""
        runs: dict[str, list[float]] = {}
        for question, _, found in self.pairs:
            runs.setdefault(question.id, []).append(found.exact)
        return {name: fsum(of) / len(of) for name, of in runs.items()}

    def first_choices(self) -> Mapping[str, frozenset[str] | None]:
        """What was chosen in the first run, by question."""
        return {question.id: one.chosen for question, one, _ in reversed(self.pairs)}


def measure(questions: Sequence[Question], responses: Sequence[Response], *, paper: bool = False) -> Measured:
    """Measure answers; those to questions that are not in the set are left out. `paper`: see `measures.scores`."""
    scored = score_all(questions, responses, paper=paper)
    exact = {one.name: one.exact_by_question() for one in scored}
    takers = sorted(map(describe_taker, scored), key=lambda one: (-(one.mean.exact if one.mean else -1.0), one.name))
    clusters = {one.id: one.cluster for one in questions}
    pairs = pairs_to_compare([one.name for one in takers if one.mean])
    first = {one.name: one.first_choices() for one in scored}
    return Measured(
        questions=questions,
        takers=takers,
        groups=group_scores(scored),
        comparisons=[compare((one, exact[one]), (other, exact[other]), clusters) for one, other in pairs],
        alike={
            (one, other): share
            for one, other in combinations([one.name for one in takers], 2)
            if (share := share_alike(first[one], first[other])) is not None
        },
        items=analyse_items(questions, responses),
        traps=count_traps(questions, responses),
    )


def score_all(questions: Sequence[Question], responses: Sequence[Response], *, paper: bool) -> list[Scored]:
    """The scores of each taker."""
    by_id = {one.id: one for one in questions}
    pairs: dict[str, list[tuple[Question, Response, Score]]] = {}
    failures: dict[str, Counter[str]] = {}
    for one in responses:
        question = by_id.get(one.question)
        if question is None:
            continue
        of, causes = pairs.setdefault(one.taker, []), failures.setdefault(one.taker, Counter())
        if found := score_response(one, question.key, paper=paper):
            of.append((question, one, found))
        else:
            causes[one.failure] += 1
    return [Scored(name, of, failures[name]) for name, of in pairs.items()]


def describe_taker(scored: Scored) -> Taker:
    """One taker's line."""
    return Taker(
        name=scored.name,
        answered=len(scored.pairs),
        abstained=sum(one.abstained for _, one, _ in scored.pairs),
        failures=dict(scored.failures),
        mean=mean_score(found for *_, found in scored.pairs),
        exact=estimate(scored.values("exact")),
        f1=estimate(scored.values("f1")),
    )


def pairs_to_compare(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of takers, the better one first: all of few; of many each with the next, and the best with each."""
    for (place, one), (later, other) in combinations(enumerate(names), 2):
        if len(names) <= ALL_PAIRS or place == 0 or later == place + 1:
            yield one, other


def share_alike(
    first: Mapping[str, frozenset[str] | None], second: Mapping[str, frozenset[str] | None]
) -> float | None:
    """The share of the questions that both answered on which they chose the same; None where there are none."""
    both = first.keys() & second.keys()
    return sum(first[name] == second[name] for name in both) / len(both) if both else None


def group_scores(scored: Sequence[Scored]) -> dict[str, dict[str, dict[str, float]]]:
    """The mean Exact Match of each group, by sort of group, group and taker."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    for taker in scored:
        for question, _, one in taker.pairs:
            for sort, group in question.groups.items():
                of = found.setdefault(sort, {}).setdefault(group, {})
                of.setdefault(taker.name, []).append(one.exact)
    return {
        sort: {
            group: {name: fsum(values) / len(values) for name, values in of.items()}
            for group, of in sorted(groups.items())
        }
        for sort, groups in sorted(found.items())
    }
