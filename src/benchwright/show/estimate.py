"""What a campaign will come to, drawn."""

from collections.abc import Callable

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.engine.estimate import Estimate, Line, Range
from benchwright.show.code import Code
from benchwright.show.standing import indent, share, table
from benchwright.show.text import amount, count_text, money, plain, span

NUMBERS = ("calls", "tokens in", "cached", "tokens out", "cost")


def estimate(found: Estimate) -> RenderableType:
    """The sums, then who does what, then what all of it rests on."""
    drawn = table("role", "model", *NUMBERS, right=NUMBERS)
    for line in found.lines:
        drawn.add_row(*row(line))
    stopped = [plain(f"the pilot ended early: {found.stopped}", "red")] if found.stopped else []
    notes = [plain(f"- {note}") for note in found.notes]
    return Group(*stopped, *sums(found), "", drawn, "", Text("by", "bold"), indent(*notes))


def sums(found: Estimate) -> list[RenderableType]:
    """The whole, one thing a line."""
    pilot = found.calls.likely is not None
    by = f"measured on {found.sampled}" if pilot else f"estimated from {count_text(found.sampled, 'source')}"
    return [
        plain(f"{count_text(found.items, 'item')}, {by}", "bold"),
        plain(f"cost    {cost(found)}"),
        plain(f"calls   {counts(found.calls)}"),
        plain(f"tokens  {counts(found.prompt)} in, {counts(found.completion)} out"),
        plain(f"time    {range_text(found.seconds, span)}"),
        plain(f"people  {counts(found.decisions)} decisions, {range_text(found.minutes, lambda n: span(60 * n))}"),
    ]


def cost(found: Estimate) -> str:
    """Money; of models whose price nobody knows that is said."""
    known = range_text(found.cost, money)
    if not found.unpriced:
        return known
    names = ", ".join(found.unpriced)
    beside = f"; {known} for the others" if len(found.unpriced) < len({line.model for line in found.lines}) else ""
    return f"unknown: no price is known for {names}{beside}"


def row(line: Line) -> tuple[RenderableType, ...]:
    """What one model does for one role."""
    paid = "unknown" if line.cost is None else range_text(line.cost, money)
    texts = (counts(line.calls), counts(line.prompt), share(line.cached), counts(line.completion), paid)
    return plain(line.role), plain(line.model), *map(plain, texts)


def counts(found: Range) -> str:
    """A range of whole numbers."""
    return range_text(found, lambda number: amount(round(number)))


def range_text(found: Range, word: Callable[[float], str]) -> str:
    """A range in words: what is likely, where it is known, then from where to where."""
    low, high = word(found.low), "?" if found.high is None else word(found.high)
    if found.likely is None:
        return low if low == high else f"{low} - {high}"
    likely = word(found.likely)
    return likely if low == high == likely else f"{likely} ({low} - {high})"


def code(found: Estimate) -> Code:
    """The exit code: a pilot that ended early goes on with the same command."""
    return Code.PAUSED if found.stopped else Code.DONE
