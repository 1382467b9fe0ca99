"""Figures as SVG that needs nothing else: no script, no font, no address. Colours come from the page's style.

Each has a title and a description for screen readers; each value also stands in it as text.
"""

from collections.abc import Iterator
from html import escape

from benchwright.pipelines.measurement import Bar, Bars, Figure, Heat

WIDTH, LABEL, VALUE = 760, 250, 150  # of a figure, of its labels, of its numbers, in pixels
ROW, GAP, CELL = 22, 6, 26
LETTERS = 38  # of a label
COLUMN = 22  # letters of a column's label
SLOPE = 4.2  # pixels below that a letter of it takes
NARROWEST, WIDEST = 34, 90  # columns of a heat map, in pixels
TOP = 0.7  # from here on the text of a cell is light
MANY_COLUMNS = 24  # from which on cells have no numbers


def draw(figure: Figure, name: str) -> str:
    """The figure; `name` tells it from others of the page."""
    return draw_bars(figure, name) if isinstance(figure, Bars) else draw_heat(figure, name)


def shorten(text: str, most: int = LETTERS) -> str:
    """A label that fits, escaped."""
    return escape(text if len(text) <= most else text[: most - 1] + "\u2026")


def frame(name: str, title: str, about: str, size: tuple[int, int], parts: Iterator[str]) -> str:
    """An SVG with its title and description."""
    width, height = size
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img"'
        f' aria-labelledby="{name}-t {name}-d"><title id="{name}-t">{escape(title)}</title>'
        f'<desc id="{name}-d">{escape(about)}</desc>{"".join(parts)}</svg>'
    )


# ---------------------------------------------------------------------------------------------------------- bars


def draw_bars(figure: Bars, name: str) -> str:
    """Horizontal bars with intervals."""
    about = "; ".join(f"{bar.label}: {words(bar)}" for bar in figure.bars)
    size = WIDTH, len(figure.bars) * (ROW + GAP) + GAP
    return frame(name, figure.title, about, size, bar_parts(figure))


def bar_parts(figure: Bars) -> Iterator[str]:
    """The marks of each bar."""
    room, most = WIDTH - LABEL - VALUE, figure.most or 1.0
    for place, bar in enumerate(figure.bars):
        top = GAP + place * (ROW + GAP)
        middle = top + ROW / 2
        yield f'<text x="{LABEL - 8}" y="{middle + 4}" text-anchor="end">{shorten(bar.label)}</text>'
        yield f'<rect class="track" x="{LABEL}" y="{top}" width="{room}" height="{ROW}"/>'
        if bar.value is not None:
            yield f'<rect class="bar" x="{LABEL}" y="{top}" width="{room * bar.value / most:.1f}" height="{ROW}"/>'
        if bar.low is not None and bar.high is not None:
            low, high = (LABEL + room * end / most for end in (bar.low, bar.high))
            yield (
                f'<path class="ends" d="M{low:.1f} {middle}H{high:.1f}M{low:.1f} {middle - 6}v12'
                f'M{high:.1f} {middle - 6}v12"/>'
            )
        yield f'<text x="{WIDTH - VALUE + 8}" y="{middle + 4}">{escape(words(bar))}</text>'


def words(bar: Bar) -> str:
    """A value with its interval as text; counts as whole numbers."""
    if bar.value is None:
        return "none"
    value = (
        f"{bar.value:.0f}" if bar.value > 1 or (bar.value == int(bar.value) and bar.low is None) else f"{bar.value:.3f}"
    )
    return f"{value} ({bar.low:.3f} to {bar.high:.3f})" if bar.low is not None and bar.high is not None else value


# ---------------------------------------------------------------------------------------------------------- heat


def draw_heat(figure: Heat, name: str) -> str:
    """A cell for each pair, the darker the larger its value."""
    columns = len(figure.columns)
    wide = max(NARROWEST, min(WIDEST, (WIDTH - LABEL) // max(columns, 1)))
    about = "; ".join(
        f"{row}: "
        + ", ".join(f"{column} {cell_text(value)}" for column, value in zip(figure.columns, cells, strict=True))
        for row, cells in figure.rows
    )
    below = 24 + round(SLOPE * max((min(len(column), COLUMN) for column in figure.columns), default=0))
    size = max(WIDTH, LABEL + wide * columns + 2 * below), len(figure.rows) * CELL + below
    return frame(name, figure.title, about, size, heat_parts(figure, wide))


def heat_parts(figure: Heat, wide: int) -> Iterator[str]:
    """Rows of cells, then the labels of columns."""
    numbered = len(figure.columns) <= MANY_COLUMNS
    for place, (row, cells) in enumerate(figure.rows):
        top = place * CELL
        yield f'<text x="{LABEL - 8}" y="{top + CELL / 2 + 4}" text-anchor="end">{shorten(row)}</text>'
        for number, value in enumerate(cells):
            left, shade = LABEL + number * wide, "" if value is None else f' fill-opacity="{0.06 + 0.94 * value:.2f}"'
            kind = "none" if value is None else "cell"
            yield f'<rect class="{kind}" x="{left}" y="{top}" width="{wide - 2}" height="{CELL - 2}"{shade}/>'
            if numbered:
                tone = "on" if value is not None and value >= TOP else "off"
                where = f'x="{left + wide / 2 - 1}" y="{top + CELL / 2 + 3}"'
                yield f'<text class="{tone}" {where} text-anchor="middle">{cell_text(value)}</text>'
    bottom = len(figure.rows) * CELL + 12
    for number, column in enumerate(figure.columns):
        middle = LABEL + number * wide + wide / 2
        yield f'<text transform="translate({middle} {bottom}) rotate(35)">{shorten(column, COLUMN)}</text>'


def cell_text(value: float | None) -> str:
    """A cell's value."""
    return "-" if value is None else f"{value:.2f}"
