"""What `benchwright corpus ...` prints."""

from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from benchwright.collector import Collected, tally
from benchwright.corpus.holdings import DOCUMENTS, READ, Holding
from benchwright.show.text import command, count_text, plain

SHOWN_MOST = 10


def draw_collected(folder: Path, done: Collected) -> RenderableType:
    """What became of the sources, and what to do next."""
    known = f"; {count_text(done.known, 'source')} settled before" if done.known else ""
    parts: list[RenderableType] = [
        Text(f"{folder} holds {count_text(done.held, 'document')}", "bold"),
        plain(f"this time: {tally(done.states) or 'nothing new'}{known}"),
    ]
    if done.silent:
        parts.append(plain(f"{count_text(len(done.silent), 'search')} found nothing; the same command tries again:"))
        parts += [plain(f"  {line}") for line in done.silent[:SHOWN_MOST]]
    parts += [
        plain(f'in a campaign file: corpus = ["{folder / DOCUMENTS}"]'),
        command(f"  what became of each  benchwright corpus list {quote(str(folder))}"),
    ]
    return Group(*parts)


def draw_holdings(found: Sequence[Holding]) -> RenderableType:
    """A line for each source."""
    table = Table("source", "state", "file, or why there is none")
    for one in found:
        why = one.file if one.state == READ else one.reason
        table.add_row(plain(one.source), plain(one.state), plain(why))
    return table
