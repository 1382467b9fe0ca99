"""What `explain` has of an item made by hand."""

from typing import Any

from benchwright.engine.history import History
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Seen
from benchwright.results import Explained


def explained(found: History, body: dict[str, Any] | None, line: int | None) -> Explained:
    """The item with this body."""
    row, answers = found.item, tuple(said.answer for said in found.said)
    typed = CHOICE.read(body) if body else None
    seen = Seen(row.id, row.seed, row.state, row.cause, row.detail, typed, lambda: answers)
    return Explained(found, tuple(CHOICE.story(seen)), body, line, CHOICE.place(typed, line) if typed and line else "")
