"""An option of a question: what it claims to be, what it cites, and how it fared."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.domain.ids import content_id

CORRECT = "correct"
DISTRACTOR = "distractor"


@dataclass(frozen=True, slots=True)
class Option:
    """One option as its author wrote it.

    `label` is what it claims to be, `evidence` the cited spans (sentence, start, end, text), `round` the round of
    writing that brought it, `gate` the name of the gate at which it fell.
    """

    id: str
    label: str
    text: str
    rationale: str
    evidence: tuple[Mapping[str, Any], ...]
    round: int
    confusion: str = ""
    gate: str | None = None


def option_id(label: str, text: str) -> str:
    """An option's name: its claim and its text."""
    return content_id("option", [label, text])[:12]
