"""How far the grades of models agree with those of people, on pairs that were drawn for people to see.

DisastIR (arXiv 2505.15856), section 4.2: the majority of people, ties to the least or to the greatest of their grades,
against the models' grade. Pairs on which models disagreed are left out: they were chosen for being difficult.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchwright.domain.agreement import Agreement, Weights, cohen, fleiss, krippendorff
from benchwright.domain.ids import seeded_random
from benchwright.pipelines.retrieval.body import Pair

ROUNDS = 200  # samples of the bootstrap
SPREAD = (0.025, 0.975)  # of the samples, between which the interval lies
WEIGHTS: tuple[Weights, ...] = ("unweighted", "linear", "quadratic")


@dataclass(frozen=True, slots=True)
class Seen:
    """A pair that people graded too: its query, the models' grade, the people's."""

    query: str
    models: int
    people: tuple[int, ...]

    def majority(self, tie: str) -> int:
        """The grade that most people gave; of several the least or the greatest."""
        counts = Counter(self.people)
        most = max(counts.values())
        leading = [grade for grade, n in counts.items() if n == most]
        return min(leading) if tie == "least" else max(leading)


@dataclass
class WithPeople:
    """All such pairs of an intent; grades go from 0 to `most`."""

    most: int = 0
    seen: list[Seen] = field(default_factory=list)

    def take(self, pair: Pair) -> None:
        """Take a pair in, if models agreed on its grade and people gave theirs."""
        people = tuple(one.grade for one in pair.people if one.grade is not None)
        if pair.panel is not None and people:
            self.seen.append(Seen(pair.query_item, pair.panel, people))
            self.most = max(self.most, pair.panel, *people)

    def rows(self) -> Iterator[tuple[str, str, str, int]]:
        """Each measure with its value, its interval by a bootstrap over queries, and on how many pairs it rests."""
        for tie in ("least", "greatest"):
            for weights in WEIGHTS:
                found = self.kappa(self.seen, tie, weights)
                yield f"Cohen, {weights}, ties to the {tie}", shown(found), self.interval(tie, weights), found.units
        same = [one for one in self.seen if len(one.people) == max(len(each.people) for each in self.seen)]
        labels = range(self.most + 1)
        table = [[one.people.count(grade) for grade in labels] for one in same]
        between = (
            ("Fleiss", fleiss(table)),
            ("Krippendorff, ordinal", krippendorff([s.people for s in same], "ordinal")),
        )
        for name, found in between:
            yield f"{name}, people among themselves", shown(found), "", found.units

    def kappa(self, seen: Sequence[Seen], tie: str, weights: Weights) -> Agreement:
        """Cohen's kappa of models and people."""
        models, people = [one.models for one in seen], [one.majority(tie) for one in seen]
        return cohen(models, people, list(range(self.most + 1)), weights)

    def interval(self, tie: str, weights: Weights) -> str:
        """Where the kappa lies in most samples of the queries, drawn with replacement: pairs of a query go together."""
        by_query: dict[str, list[Seen]] = {}
        for one in self.seen:
            by_query.setdefault(one.query, []).append(one)
        chance, names, values = seeded_random("bootstrap", tie, weights), sorted(by_query), list[float]()
        for _ in range(ROUNDS):
            drawn = [one for name in chance.choices(names, k=len(names)) for one in by_query[name]]
            found = self.kappa(drawn, tie, weights)
            values += [] if found.value is None else [found.value]
        values.sort()
        if not values:
            return ""
        low, high = (values[min(len(values) - 1, int(share * len(values)))] for share in SPREAD)
        return f"{low:.3f} to {high:.3f}"


def shown(found: Agreement) -> str:
    """A coefficient, or why there is none."""
    return found.reason if found.value is None else f"{found.value:.3f}"
