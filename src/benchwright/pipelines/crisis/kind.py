"""The kind: scenes, questions about them, answers to these, judgements of those."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchwright.agents.crisis.compare_answers import agent as comparer
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.category import Category
from benchwright.domain.grade import Grade
from benchwright.domain.quality import Probe, Word
from benchwright.domain.vote import Routed, Vote
from benchwright.pipelines.crisis import story
from benchwright.pipelines.crisis.body import Body, Check, Judged, QuestionSet, Said, Scene, as_json, read_body
from benchwright.pipelines.crisis.formats.jsonl import JSONL
from benchwright.pipelines.crisis.making import VOTE_OF
from benchwright.pipelines.crisis.report import CrisisReport
from benchwright.pipelines.kind import Format, Part, Report, Seen

FORMATS: Mapping[str, Format] = {"jsonl": JSONL}


class CrisisKind:
    """See `pipelines.kind.Kind`."""

    name = "crisis"
    thing = "check"
    formats = FORMATS

    def read(self, values: Any) -> Body:
        """A body from its JSON values."""
        return read_body(values)

    def write(self, body: Body) -> dict[str, Any]:
        """A body as JSON values."""
        return as_json(body)

    def title(self, body: Body) -> str:
        """An item in one line."""
        return story.title(body)

    def story(self, item: Seen) -> Sequence[Part]:
        """All that there is to know of it."""
        return story.tell(item)

    def place(self, body: Body, number: int) -> str:
        """Which file of the export it is in."""
        files = {"scene": "scenes", "questions": "questions", "answers": "answers", "judgement": "judgements"}
        return f"item {number} of the set; its rows are in {files[body.what]}.jsonl"

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts."""
        return CrisisReport(campaign, kept)

    def words(self, body: Body) -> Iterator[Word]:
        """What panels said: votes on classes and criteria, grades of answers, choices between two."""
        if isinstance(body, Scene):
            yield from votes("class", body.check.votes if body.check else ())
        elif isinstance(body, QuestionSet):
            for question in body.questions:
                for check in question.checks:
                    yield from votes(f"{question.id}.{check.criterion}", check.votes)
        elif isinstance(body, Judged):
            for mark in body.marks:
                for name, grade in mark.scores.items():
                    yield Grade(f"{mark.source}.{name}", mark.by, grade, mark.reasons[name])
            for one in body.comparisons:
                for name, side in one.better.items():
                    about = f"{comparer.name}.{one.first}.{one.second}.{name}"
                    yield Category(about, one.by, side, one.reasons[name])

    def probes(self, answers: Sequence[Answer]) -> Sequence[Probe]:
        """Nothing is planted among what panels judge."""
        return ()

    def routes(self, body: Body) -> Iterator[Routed]:
        """The class of what is missing, and each criterion of each question that was put to the panel."""
        if isinstance(body, Scene) and body.check:
            yield routed(body.check)
        for question in body.questions if isinstance(body, QuestionSet) else ():
            yield from map(routed, question.checks)


def votes(about: str, said: Sequence[Said]) -> Iterator[Vote]:
    """The votes on a thing."""
    return (Vote(about, one.by, VOTE_OF[one.word], one.reason, one.word) for one in said)


def routed(check: Check) -> Routed:
    """Where a criterion goes by its votes, and what people decided."""
    keep, _, cast = check.ratio.partition("/")
    ratio = Fraction(int(keep), int(cast)) if int(cast) else None
    decided = (check.fate or "") if check.decisions and check.fate in {"keep", "reject"} else ""
    return Routed(check.route or "", ratio, len(check.lacks), decided)


CRISIS = CrisisKind()
