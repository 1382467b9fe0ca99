"""The kind: passages, documents, queries, pools and graded pairs, of which test collections are made."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.agents.retrieval import grade_by_criteria, grade_by_steps, grade_directly, grade_from_scores
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.grade import Grade
from benchwright.domain.quality import Probe
from benchwright.domain.vote import Routed
from benchwright.pipelines.kind import Format, Part, Report, Seen
from benchwright.pipelines.retrieval import story as stories
from benchwright.pipelines.retrieval.body import (
    Body,
    Described,
    Pair,
    Passages,
    Pool,
    Query,
    adapter,
    as_json,
    query_name,
)
from benchwright.pipelines.retrieval.formats import FORMATS
from benchwright.pipelines.retrieval.report import RetrievalReport

GRADING = {one.agent.name for one in (grade_directly, grade_by_steps, grade_by_criteria, grade_from_scores)}
RIGHT = 2  # from this grade on a grader takes a planted text, which is irrelevant, for relevant
TEST = "1"  # the sheet of planted pairs, see `pairs.TEST_SHEET`


class RetrievalKind:
    """See `pipelines.kind.Kind`."""

    name = "retrieval"
    thing = "pair"

    @property
    def formats(self) -> Mapping[str, Format]:
        """BEIR first."""
        return FORMATS

    def read(self, values: Any) -> Body:
        """A body from its JSON values."""
        return adapter().validate_python(values)

    def write(self, body: Body) -> dict[str, Any]:
        """A body as JSON values."""
        return as_json(body)

    def title(self, body: Body) -> str:
        """A document, a query, or a query with one of its texts."""
        match body:
            case Passages() | Described():
                return body.title or body.name
            case Pair():
                return f"{body.query} / {body.doc}"
        return body.query

    def story(self, item: Seen) -> Sequence[Part]:
        """All that there is to know of an item."""
        return stories.story(item)

    def place(self, body: Body, number: int) -> str:
        """The file of the set in which it stands, and its name there."""
        match body:
            case Query():
                return f"queries.jsonl, item {number}"
            case Pair() if not body.planted:
                return f"qrels/test.tsv, {query_name(body.query_item)} {body.doc}"
            case Passages() | Described():
                return "corpus.jsonl, its passages"
        return "no file: it only serves to make others" if isinstance(body, Pool) else "no file: it tests the graders"

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts."""
        return RetrievalReport(campaign)

    def words(self, body: Body) -> Iterator[Grade]:
        """The grades of the models, each of a strategy of its own."""
        if isinstance(body, Pair):
            for one in body.grades:
                model, _, run = one.by.rpartition("#")
                yield Grade("pair", f"{model} ({one.strategy})#{run}", one.grade, one.reason)

    def probes(self, answers: Sequence[Answer]) -> Iterator[Probe]:
        """What graders said of planted texts, none of which is relevant."""
        for answer in answers:
            about = answer.about.partition(":")[0].partition(".")[0]
            if answer.step in GRADING and about == TEST and not answer.failure and answer.value["grade"] is not None:
                name = f"{answer.by.rpartition('#')[0]} ({strategy_of(answer)})"
                yield Probe(name, right=False, called_right=answer.value["grade"] >= RIGHT)

    def routes(self, body: Body) -> Sequence[Routed]:
        """No yes/no votes."""
        return ()


def strategy_of(answer: Answer) -> str:
    """By which strategy a grade was given."""
    named = {grade_directly.agent.name: "direct", grade_by_steps.agent.name: "steps"}
    named[grade_by_criteria.agent.name] = "criteria"
    return named.get(answer.step) or answer.about.split(":")[1]


RETRIEVAL = RetrievalKind()
