"""Text from documents, models and file names, made harmless; numbers made readable."""

import re
from datetime import UTC, datetime

from rich.text import Text

from benchwright.domain.text import plural

count_text = plural

# C0 but tab and line feed, DEL, C1, marks that turn the direction of writing, lone surrogates.
DRIVING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def harmless(text: str) -> str:
    """The text with every character that could drive a terminal shown as its escape."""
    return DRIVING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def plain(text: object, style: str = "") -> Text:
    """Text that is shown as it stands: no markup, no control characters."""
    return Text(harmless(str(text)), style=style)


def command(text: str) -> Text:
    """A line with something to copy, a command or the name of a file: it is never broken, the terminal wraps it."""
    return Text(harmless(text), no_wrap=True, overflow="ignore")


def head(text: str, most: int = 160) -> str:
    """The beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def short(name: str) -> str:
    """An id as people type it."""
    return name[:10]


def money(cost: float | None) -> str:
    """US dollars; unknown stays unknown."""
    if cost is None:
        return "unknown"
    return f"${cost:.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def amount(number: int) -> str:
    """A count, shortened from ten thousand on."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= 10 * size:
            return f"{number / size:.1f}{letter}"
    return str(number)


def span(seconds: float | None) -> str:
    """A length of time."""
    if seconds is None:
        return "—"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def when(moment: str) -> str:
    """A moment to come (ISO 8601) by the clock of this place, and how far away it is."""
    then = datetime.fromisoformat(moment)
    left = (then - datetime.now(UTC)).total_seconds()
    away = f"in {span(left)}" if left > 0 else "that is over"
    return f"{then.astimezone():%Y-%m-%d %H:%M} ({away})"
