"""The kind: queries, and pairs of a query and a record that a panel grades."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.foreign.body import Body, Pair, Query, adapter, as_json
from tests.foreign.trec import Trec

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.grade import Grade
from benchwright.domain.item import ItemState
from benchwright.domain.quality import Probe
from benchwright.domain.vote import Routed
from benchwright.pipelines.kind import Format, Line, Part, Report, Seen, SetCard, Table

FORMATS: Mapping[str, Format] = {"trec": Trec()}


class PairsReport:
    """Counts of queries, and of pairs by their grade."""

    def __init__(self) -> None:
        self.queries = 0
        self.grades: Counter[int] = Counter()
        self.by_people = 0

    def take(self, item: Seen) -> None:
        """Count one item, if it was kept."""
        if item.state is not ItemState.KEPT:
            return
        if isinstance(item.body, Pair) and item.body.grade is not None:
            self.grades[item.body.grade] += 1
            self.by_people += bool(item.body.people)
        else:
            self.queries += 1

    def summary(self) -> Mapping[str, Any]:
        """What a run has come to."""
        return self.counts()

    def lines(self) -> Sequence[str]:
        """The same in sentences."""
        graded = ", ".join(f"{times} of grade {grade}" for grade, times in sorted(self.grades.items()))
        return [f"{self.queries} queries; pairs: {graded or 'none'}; {self.by_people} graded by people"]

    def counts(self) -> Mapping[str, Any]:
        """What a set holds."""
        grades = {str(grade): times for grade, times in sorted(self.grades.items())}
        return {"queries": self.queries, "grades": grades, "by_people": self.by_people}

    def card(self) -> SetCard:
        """The same for its card."""
        return SetCard(
            noun="Queries and graded pairs",
            files="",
            counts=(("queries", self.queries), ("pairs", self.grades.total())),
            parts=(Part("Grades", (Table(("grade", "pairs"), tuple(sorted(self.grades.items()))),)),),
            method="Several models graded each pair from 0 to 3; people did where these lay too far apart.",
        )


class PairsKind:
    """See `pipelines.kind.Kind`."""

    name = "pairs"
    thing = "pair"
    formats = FORMATS

    def read(self, values: Any) -> Body:
        """A body from its JSON values."""
        return adapter().validate_python(values)

    def write(self, body: Body) -> dict[str, Any]:
        """A body as JSON values."""
        return as_json(body)

    def title(self, body: Body) -> str:
        """The query, of a pair with the record."""
        return body.query if isinstance(body, Query) else f"{body.query} / {body.docno}"

    def story(self, item: Seen) -> Sequence[Part]:
        """A query's record, or a pair's grades."""
        if item.body is None:
            return [Part("", (Line("no query has been written"),))]
        if isinstance(item.body, Query):
            return [Part("Query", (Line(item.body.query, strong=True), Line(f"from record {item.body.docno}")))]
        given = [*item.body.grades, *item.body.people]
        rows = tuple((one.by, "cannot say" if one.grade is None else one.grade, one.reason) for one in given)
        ends = f"grade {item.body.grade}" if item.body.grade is not None else "no grade yet"
        return [
            Part("Pair", (Line(self.title(item.body)),)),
            Part("Grades", (Table(("by", "grade", "reason"), rows), Line(ends, strong=True))),
        ]

    def place(self, body: Body, number: int) -> str:
        """Its file."""
        return (
            f"queries.jsonl, query {number}" if isinstance(body, Query) else f"qrels.txt, pair {body.qid} {body.docno}"
        )

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts."""
        return PairsReport()

    def words(self, body: Body) -> Iterator[Grade]:
        """The grades of the panel; nobody grades a query."""
        for one in body.grades if isinstance(body, Pair) else ():
            yield Grade("pair", one.by, one.grade, one.reason)

    def probes(self, answers: Sequence[Answer]) -> Sequence[Probe]:
        """Nothing is planted."""
        return ()

    def routes(self, body: Body) -> Sequence[Routed]:
        """No yes/no votes."""
        return ()


PAIRS = PairsKind()
