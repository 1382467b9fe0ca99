"""Statuses made by hand, and what is drawn of values."""

from io import StringIO
from typing import Any

from rich.console import Console, RenderableType

from benchwright.engine.status import Status
from benchwright.store.calls import Spent


def spent(model: str = "red", *, cost: float = 0.5, unpriced: int = 0) -> Spent:
    return Spent(model, "write_question", 4, 4000, 200, 3000, 0, cost, unpriced, 2.0)


def status(**changes: Any) -> Status:
    """A campaign half-way."""
    values: dict[str, Any] = {
        "campaign": "test",
        "began": "2026-01-01T00:00:00+00:00",
        "paused": False,
        "ended": None,
        "documents": 4,
        "refused": {},
        "wanted": 4,
        "items": {"kept": 1, "open": 1, "waiting": 1, "discarded": 1},
        "answers": {"write_question": {"given": 3, "failed": 1}, "check_option": {"given": 8}},
        "queues": {"red": {"running": 2, "ready": 3, "delayed": 1, "done": 9}, "human": {"ready": 2}},
        "spending": (spent(),),
        "uncertain": 0,
        "causes": (("kept", "kept", 1), ("discarded", "too few options", 1)),
    }
    return Status(**values | changes)


def drawn(part: RenderableType, width: int = 120) -> str:
    """What is printed, without the blanks that fill a line."""
    printed = StringIO()
    Console(file=printed, width=width, markup=False, emoji=False, highlight=False).print(part, crop=False)
    return "".join(line.rstrip() + "\n" for line in printed.getvalue().splitlines())
