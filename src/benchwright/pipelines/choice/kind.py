"""The kind: questions with options, some of them right."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchwright.domain.campaign import Campaign
from benchwright.pipelines.choice import body as bodies
from benchwright.pipelines.choice import story as stories
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.formats.jsonl import DATA, JsonLines
from benchwright.pipelines.choice.report import ChoiceReport
from benchwright.pipelines.kind import Format, Part, Report, Seen

FORMATS: Mapping[str, Format] = {"jsonl": JsonLines()}


class ChoiceKind:
    """See `pipelines.kind.Kind`."""

    name = "choice"
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

    def report(self, campaign: Campaign) -> Report:
        """Empty counts."""
        return ChoiceReport(campaign)


CHOICE = ChoiceKind()
