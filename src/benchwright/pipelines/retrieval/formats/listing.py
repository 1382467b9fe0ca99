"""A collection as all forms write it: texts, queries, grades, rankings, each in one order and under safe names."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from benchwright.domain.document import Reading
from benchwright.domain.jsonl import json_line
from benchwright.domain.source import view_from_json
from benchwright.errors import BenchwrightError
from benchwright.pipelines.kind import Finished
from benchwright.pipelines.retrieval.body import Described, Pair, Pool, Query, query_name
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PAIRS, POOL, QUERIES
from benchwright.pipelines.texts import text_name

STEP = 1e-6  # between scores of a ranking, as they are written

ABOUT_GRADES = """\
- `grades.jsonl` holds what is behind each grade: those of all models and people, their exact mean, where the text came
  from."""


class Doc(NamedTuple):
    """A text of the corpus; the title is that of its document, "" where it has none."""

    id: str
    title: str
    text: str


class Topic(NamedTuple):
    """A query with what it is for and about."""

    id: str
    text: str
    about: Mapping[str, str]


class Qrel(NamedTuple):
    """A grade."""

    query: str
    doc: str
    grade: int


@dataclass
class Listing:
    """One set. The corpus is read before the grades are, so that each of them is of a text that is there."""

    found: Finished
    ids: set[str] = field(default_factory=set)

    def docs(self) -> Iterator[Doc]:
        """Passages and summaries of documents, then what was written for queries; the same words once."""
        self.ids = set()
        for doc in self.every_doc():
            if doc.id not in self.ids and doc.text:
                self.ids.add(doc.id)
                yield doc

    def every_doc(self) -> Iterator[Doc]:
        """The same, some of them twice."""
        for kept in self.found.items(DOCUMENTS):
            assert isinstance(kept.item.body, Described)  # noqa: S101 - items of that phase
            yield from self.of_document(kept.item.body)
        for kept in self.found.items(QUERIES):
            body = kept.item.body
            assert isinstance(body, Query)  # noqa: S101 - items of that phase
            texts = (body.text, *(text for _, text in sorted(body.negatives.items())))
            yield from (Doc(text_name(text), "", one_spaced(text)) for text in texts)

    def of_document(self, body: Described) -> Iterator[Doc]:
        """The passages of a document, and its summary."""
        reading = self.found.content(view_from_json(body.view))
        assert isinstance(reading, Reading)  # noqa: S101 - a view is read out
        texts = [" ".join(one.text for one in reading.sentences[a - 1 : b]) for a, b in body.passages]
        for text in (*texts, *([body.summary] if body.summary else [])):
            yield Doc(text_name(text), one_spaced(body.title), one_spaced(text))

    def topics(self) -> Iterator[Topic]:
        """The queries for which texts were found."""
        for kept in self.found.items(POOL):
            body = kept.item.body
            assert isinstance(body, Pool)  # noqa: S101 - items of that phase
            about = {"intent": body.intent, "category": body.category, "event": body.event}
            yield Topic(query_name(body.query_item), one_spaced(body.query), about)

    def pairs(self) -> Iterator[tuple[Qrel, Pair]]:
        """The graded pairs; those that test graders are not among them."""
        if not self.ids:
            for _ in self.docs():
                pass
        for kept in self.found.items(PAIRS):
            body = kept.item.body
            if isinstance(body, Pair) and not body.planted and body.grade is not None:
                qrel = Qrel(query_name(body.query_item), body.doc, body.grade)
                if qrel.doc not in self.ids:
                    raise BenchwrightError(f"pair {kept.item.id} is about {qrel.doc}, which is not in the corpus")
                yield qrel, body

    def grades(self) -> Iterator[str]:
        """All that is behind each grade, a line each."""
        for qrel, pair in self.pairs():
            values: dict[str, Any] = {
                "query-id": qrel.query,
                "corpus-id": qrel.doc,
                "grade": qrel.grade,
                "mean": pair.mean,
                "grades": [asdict(one) for one in pair.grades],
                "people": [{"by": one.by, "grade": one.grade, "reason": one.reason} for one in pair.people],
                "incomplete": pair.incomplete,
                "origin": pair.origin,
                "own": pair.own,
            }
            yield json_line(values)

    def qrels_trec(self) -> Iterator[str]:
        """Grades as trec_eval reads them."""
        return (f"{one.query} 0 {one.doc} {one.grade}\n" for one, _ in self.pairs())

    def rankings(self) -> tuple[str, ...]:
        """The rankings that pools were made of."""
        first = next(iter(self.found.items(POOL)), None)
        return first.item.body.rankings if first and isinstance(first.item.body, Pool) else ()

    def run(self, ranking: str) -> Iterator[str]:
        """What one ranking has found, as trec_eval reads it: scores fall from line to line, so no tie is broken."""
        for kept in self.found.items(POOL):
            body = kept.item.body
            assert isinstance(body, Pool)  # noqa: S101 - items of that phase
            hits = [(f.rank, f.score, c.id) for c in body.candidates for f in c.found if f"{f.by}/{f.mode}" == ranking]
            last = float("inf")
            for rank, score, doc in sorted(hits):
                last = min(score, last - STEP)
                yield f"{query_name(body.query_item)} Q0 {doc} {rank} {last:.6f} {file_name(ranking)}\n"


def one_spaced(text: str) -> str:
    """A text on one line: no form has to escape anything."""
    return " ".join(text.split())


def file_name(ranking: str) -> str:
    """A ranking as a tag and a file name."""
    return ranking.replace("/", "-")
