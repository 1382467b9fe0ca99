"""A measurement on the terminal: its sections with tables; figures as bars of letters."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Bars, Heat, Measurement, Section
from benchwright.show.standing import table
from benchwright.show.text import plain

WIDE = 24  # letters of the longest bar
NOTES = 10  # that are shown
MANY_ROWS = 30


def draw_measurement(found: Measurement) -> RenderableType:
    """All sections."""
    parts: list[RenderableType] = [Text(found.title, "bold")]
    for section in found.sections:
        parts += ["", *draw_section(section)]
    if found.notes:
        more = [plain(f"and {len(found.notes) - NOTES} more")] if len(found.notes) > NOTES else []
        parts += ["", Text("left out of what was read", "bold"), *map(plain, found.notes[:NOTES]), *more]
    return Group(*parts)


def draw_section(section: Section) -> Iterator[RenderableType]:
    """A heading and what stands under it."""
    yield Text(section.title, "bold")
    for one in section.content:
        match one:
            case Line():
                yield plain(one.text)
            case Table():
                yield from draw_table(one)
            case Bars():
                yield from draw_bars(one)
            case Heat():
                yield from draw_table(
                    Table(("", *one.columns), tuple((row, *map(cell, values)) for row, values in one.rows))
                )


def draw_table(found: Table) -> Iterator[RenderableType]:
    """A table, its first rows; nothing where it has none."""
    if not found.rows:
        return
    drawn = table(*found.head)
    for row in found.rows[:MANY_ROWS]:
        drawn.add_row(*(plain(str(value)) for value in row))
    yield drawn
    if len(found.rows) > MANY_ROWS:
        yield plain(f"{len(found.rows) - MANY_ROWS} more rows: --into FILE.html, .json or .csv has all")


def draw_bars(found: Bars) -> Iterator[RenderableType]:
    """A row for each bar."""
    yield plain(found.title)
    drawn = table("", "", "")
    for bar in found.bars:
        length = 0 if bar.value is None else round(WIDE * bar.value / (found.most or 1))
        drawn.add_row(plain(bar.label), plain("\u2588" * length), plain(cell(bar.value)))
    yield drawn


def cell(value: float | None) -> str:
    """A value."""
    return "-" if value is None else f"{value:.3f}".removesuffix(".000") if value > 1 else f"{value:.3f}"
