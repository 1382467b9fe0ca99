"""The kind: questions with options, some of them right."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.quality import Probe
from benchwright.domain.vote import Route, Routed, Vote
from benchwright.pipelines.choice import body as bodies
from benchwright.pipelines.choice import story as stories
from benchwright.pipelines.choice.body import Body, Choice
from benchwright.pipelines.choice.formats.jsonl import DATA, JsonLines
from benchwright.pipelines.choice.formats.tasks import Tasks
from benchwright.pipelines.choice.planted import gold_verdicts
from benchwright.pipelines.choice.report import ChoiceReport
from benchwright.pipelines.kind import Format, Part, Report, Seen

FORMATS: Mapping[str, Format] = {"jsonl": JsonLines(), "tasks": Tasks()}


class ChoiceKind:
    """See `pipelines.kind.Kind`."""

    name = "choice"
    thing = "option"
    formats = FORMATS

    def read(self, values: Any) -> Body:
        """A body from its JSON values; raises `ValueError`."""
        return bodies.from_json(values)

    def write(self, body: Body) -> dict[str, Any]:
        """A body as JSON values."""
        return bodies.as_json(body)

    def title(self, body: Body) -> str:
        """The question."""
        return body.question.question

    def story(self, item: Seen) -> Sequence[Part]:
        """All that there is to know of an item."""
        return stories.story(item)

    def place(self, body: Body, number: int) -> str:
        """Its line, and its options as the set's reader sees them."""
        return f"{DATA}, line {number}: {stories.letters(body)}"

    def report(self, campaign: Campaign, kept: Path | None = None) -> Report:
        """Empty counts."""
        return ChoiceReport(campaign)

    def words(self, body: Body) -> Iterator[Vote]:
        """The votes on its options."""
        for one in body.options:
            for vote in one.votes:
                yield Vote(one.name_before, vote.by, vote.keep, vote.reason, vote.verdict)

    def probes(self, answers: Sequence[Answer]) -> Iterator[Probe]:
        """What checkers said of planted options."""
        return gold_verdicts(answers)

    def routes(self, body: Body) -> Iterator[Routed]:
        """The options that passed the gates."""
        return (route_of(one) for one in body.options if not one.gate)


def route_of(option: Choice) -> Routed:
    """One option as the campaign's rule sees it."""
    keep, _, cast = option.ratio.partition("/")
    decided = option.decisions and option.fate in {Route.KEEP, Route.REJECT}
    return Routed(
        route=option.route or "",
        ratio=Fraction(int(keep), int(cast)) if int(cast) else None,
        lacks=len(option.lacks),
        decided=str(option.fate) if decided else "",
    )


CHOICE = ChoiceKind()
