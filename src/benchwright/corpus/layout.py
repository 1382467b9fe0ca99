"""From the lines of a page to its blocks in reading order: columns, paragraphs, headings, tables, labels of figures."""
# ruff: noqa: RUF001 - bullets and dashes are meant

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import median

from benchwright.corpus.pdf_lines import Line, Page
from benchwright.corpus.rules import Box

OVERLAP = 0.5  # of the lower line's height, from which on two lines stand beside each other
LOOSE = 1.35  # times the usual distance of lines: a new paragraph
INDENT = 0.8  # times the size of the letters
LARGER = 1.1  # times the size of the text: a heading
COLUMN_LINES, COLUMN_LETTERS = 3, 15  # of each column: at least so many lines, of so many letters in the middle
FRAMED = 0.3  # the share of words in long lines from which on a frame holds text
BAND = 2.0  # times the usual height of a line: a gap between bands
CROSSING = 0.5  # the largest share of letters in lines across a gutter
BESIDE = 0.5  # of the height of the shorter: columns stand beside each other for at least so long
STEPS = 60  # places across a page where a gutter is looked for
CELL_WORDS, TABLE_ROWS, SHORT_WORDS = 4, 3, 8
LABEL_WORDS, LABEL_ROWS = 3, 3
HEADING_WORDS, HEADING_ROWS, HEADING_LETTERS = 14, 3, 3
FULL = 0.7  # of the widest line: lines of running text reach so far, but for the last
RUNNING_WORDS = 8  # of a line that is running text by itself

_BULLET = re.compile(r"[•‣◦▪·●■□»➢✓\ufffd]\s|o\s(?=[A-ZÀ-Þ])")
_NUMBERED = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s?(?=[^\W\d_])")
_DASH = re.compile(r"[–—-]\s")
_LONE_BULLET = re.compile(r"[•‣◦▪·●■□»➢✓o\ufffd]")
BULLETS = "•‣◦▪·●■□»➢✓ "
_MEANT = {"o": "◦", "\ufffd": "•"}
_NUMBER = re.compile(r"[(<>≤≥±+–—*-]*\d[\d.,:/%*()+–-]*%?[*)]*|[▲▼►=–—-]+|n/?a", re.IGNORECASE)
_ENDED = re.compile(r"[.!?:;,。！？；，]['”\")\]]*$")
_WORD = re.compile(r"[^\W\d_]{3,}")


class Sort(StrEnum):
    """What a block is."""

    TEXT = "text"
    HEADING = "heading"
    TABLE = "table"
    LABELS = "labels"  # of a figure: a few words below each other


@dataclass(frozen=True, slots=True)
class Row:
    """Lines of one column that stand beside each other, from left to right."""

    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The words of all; a bullet without a meaning, or the letter o in its place, is written as one."""
        words = " ".join(line.text for line in self.lines)
        lone = len(self.lines) > 1 and _LONE_BULLET.fullmatch(self.lines[0].text)
        return _MEANT.get(words[0], words[0]) + words[1:] if lone or _BULLET.match(words) else words

    @property
    def left(self) -> float:
        """Where it begins."""
        return self.lines[0].left

    @property
    def right(self) -> float:
        """Where it ends."""
        return max(line.right for line in self.lines)

    @property
    def bottom(self) -> float:
        """Where its letters stand."""
        return self.main.bottom

    @property
    def main(self) -> Line:
        """The line with most letters."""
        return max(self.lines, key=lambda line: len(line.text))

    @property
    def bullet(self) -> bool:
        """Whether a point of a list begins with it."""
        return bool(_BULLET.match(self.text) or _NUMBERED.match(self.text))

    @property
    def cells(self) -> list[Line]:
        """Its lines without a bullet."""
        return [line for line in self.lines if not _LONE_BULLET.fullmatch(line.text)]

    @property
    def words(self) -> int:
        """How many there are."""
        return sum(line.words for line in self.cells)


@dataclass(frozen=True, slots=True)
class Block:
    """Rows that belong together."""

    sort: Sort
    rows: tuple[Row, ...]

    @property
    def size(self) -> float:
        """Of its letters."""
        return self.rows[0].main.size

    @property
    def words(self) -> int:
        """How many there are."""
        return sum(row.words for row in self.rows)


def blocks_of(page: Page, lines: Sequence[Line], body: float) -> Iterator[Block]:
    """The blocks of a page in reading order, made of these of its lines.

    `body` is the size of most letters of the document.
    """
    ruled: list[list[Line]] = [[] for _ in page.tables]
    free: list[Line] = []
    for line in lines:
        place = next((n for n, box in enumerate(page.tables) if _is_within(line, box)), None)
        (free if place is None else ruled[place]).append(line)
    # A table is read where its place is: a line of its width stands for it among the others.
    tables = {}
    for box, cells in zip(page.tables, ruled, strict=True):
        if cells and not _is_framed_text(cells, box):
            tables[_frame(box)] = cells
        else:
            free += cells
    for column in columns([*free, *tables]):
        for group in _parted_frames(column):
            if group[0] in tables:
                yield Block(Sort.TABLE, tuple(rows_of(tables[group[0]])))
            else:
                yield from _free_blocks(group, body)


def _is_within(line: Line, box: Box) -> bool:
    return box[0] <= (line.left + line.right) / 2 <= box[2] and box[1] <= (line.top + line.bottom) / 2 <= box[3]


def _is_framed_text(cells: Sequence[Line], box: Box) -> bool:
    """Whether rules only frame running text: much of it stands in lines across half of the frame."""
    words = sum(cell.words for cell in cells)
    long = sum(
        cell.words for cell in cells if cell.words >= RUNNING_WORDS and cell.right - cell.left > (box[2] - box[0]) / 2
    )
    return long > FRAMED * words


def _frame(box: Box) -> Line:
    """A line that stands for what a box holds."""
    return Line("", *box, 0.0)


def _parted_frames(column: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of a column, from top to bottom, each that stands for a table by itself."""
    group: list[Line] = []
    for line in sorted(column, key=lambda line: (line.top, line.left)):
        if not line.text:
            yield from filter(None, [group])
            yield [line]
            group = []
        else:
            group.append(line)
    yield from filter(None, [group])


def _free_blocks(lines: Sequence[Line], body: float) -> Iterator[Block]:
    """The blocks of lines in one column."""
    for sort, group in _parted_tables(rows_of(lines)):
        if sort is Sort.TABLE:
            yield Block(sort, tuple(group))
        else:
            yield from _paragraphs(group, body)


def columns(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines of each column, in reading order; what goes across columns parts those above from those below."""
    gutter = _gutter(lines)
    if gutter is None:
        yield from _bands(lines)
        return
    band: list[Line] = []
    wide: list[Line] = []
    for line in sorted(lines, key=lambda line: (line.top, line.left)):
        if line.left < gutter < line.right:
            yield from _sides(band, gutter)
            band = []
            wide.append(line)
        else:
            if wide:
                yield from _bands(wide)
            wide = []
            band.append(line)
    if wide:
        yield from _bands(wide)
    yield from _sides(band, gutter)


def _bands(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Lines that have no columns as a whole: those between two wide gaps may have some."""
    ordered = sorted(lines, key=lambda line: line.top)
    height = median(line.bottom - line.top for line in ordered if line.text) if any(one.text for one in ordered) else 0
    bands: list[list[Line]] = []
    end = 0.0
    for line in ordered:
        if bands and line.top - end <= BAND * height:
            bands[-1].append(line)
        else:
            bands.append([line])
        end = max(end, line.bottom)
    plain: list[Line] = []
    for band in bands:
        gutter = _gutter(band) if len(bands) > 1 else None
        if gutter is None or any(line.left < gutter < line.right for line in band):
            plain += band
        else:
            yield from filter(None, [plain])
            plain = []
            yield from _sides(band, gutter)
    yield from filter(None, [plain])


def _sides(band: Sequence[Line], gutter: float) -> Iterator[list[Line]]:
    for side in ([one for one in band if one.right <= gutter], [one for one in band if one.left >= gutter]):
        yield from columns(side)


def _gutter(lines: Sequence[Line]) -> float | None:
    """The place of a blank between columns that the fewest lines cross; None where there are no columns."""
    if len(lines) < 2 * COLUMN_LINES:
        return None
    first, last = min(line.left for line in lines), max(line.right for line in lines)
    letters = sum(len(line.text) for line in lines)
    found: list[tuple[int, float, float]] = []
    for step in range(STEPS // 8, STEPS - STEPS // 8):
        place = first + (last - first) * step / STEPS
        crossing = sum(len(line.text) for line in lines if line.left < place < line.right)
        if crossing <= CROSSING * letters and _columns_at(lines, place):
            left = max(line.right for line in lines if line.right <= place)
            right = min(line.left for line in lines if line.left >= place)
            found.append((crossing, left - right, place))
    return min(found)[2] if found else None


def _columns_at(lines: Sequence[Line], place: float) -> bool:
    """Whether running text stands on both sides of a place, side by side."""
    spans = []
    for side in ([one for one in lines if one.right <= place], [one for one in lines if one.left >= place]):
        if len(side) < COLUMN_LINES or median(len(one.text) for one in side) < COLUMN_LETTERS:
            return False
        spans.append((min(one.top for one in side), max(one.bottom for one in side)))
    beside = min(spans[0][1], spans[1][1]) - max(spans[0][0], spans[1][0])
    return beside > BESIDE * min(bottom - top for top, bottom in spans)


def rows_of(lines: Sequence[Line]) -> list[Row]:
    """Lines that stand beside each other as rows, from top to bottom."""
    rows: list[list[Line]] = []
    top = bottom = 0.0
    for line in sorted(lines, key=lambda line: (line.top + line.bottom, line.left)):
        shared = min(bottom, line.bottom) - max(top, line.top)
        if rows and shared > OVERLAP * min(bottom - top, line.bottom - line.top):
            rows[-1].append(line)
            top, bottom = min(top, line.top), max(bottom, line.bottom)
        else:
            rows.append([line])
            top, bottom = line.top, line.bottom
    return [Row(tuple(sorted(row, key=lambda line: line.left))) for row in rows]


def _parted_tables(rows: Sequence[Row]) -> Iterator[tuple[Sort, list[Row]]]:
    """The rows in groups: those of tables, and the text between them."""
    inside = _table_rows(rows)
    group: list[Row] = []
    for place, row in enumerate(rows):
        if group and inside[place] != inside[place - 1]:
            yield (Sort.TABLE if inside[place - 1] else Sort.TEXT), group
            group = []
        group.append(row)
    if group:
        yield (Sort.TABLE if inside[-1] else Sort.TEXT), group


def _table_rows(rows: Sequence[Row]) -> list[bool]:
    """Which rows are of a table: at least three nearly in a row that look like it, and short ones among them."""
    like = [_is_tabular(row) for row in rows]
    inside = [False] * len(rows)
    places = [place for place, is_one in enumerate(like) if is_one]
    runs: list[list[int]] = []
    for place in places:
        between = rows[runs[-1][-1] + 1 : place] if runs else ()
        if runs and len(between) <= 2 and all(row.words <= SHORT_WORDS for row in between):  # noqa: PLR2004
            runs[-1].append(place)
        else:
            runs.append([place])
    for run in runs:
        if len(run) >= TABLE_ROWS:
            start = run[0]
            while start and len(rows[start - 1].cells) > 1 and rows[start - 1].words <= SHORT_WORDS * 2:
                start -= 1  # the heads of columns
            inside[start : run[-1] + 1] = [True] * (run[-1] + 1 - start)
    return inside


def _is_tabular(row: Row) -> bool:
    """Whether a row looks like one of a table: several short cells, or hardly anything but numbers."""
    cells, words = row.cells, row.text.split()
    numbers = sum(bool(_NUMBER.fullmatch(word)) for word in words)
    if len(cells) >= 2 and row.words <= CELL_WORDS * len(cells):  # noqa: PLR2004
        return len(cells) > 2 or numbers > 0  # noqa: PLR2004
    return numbers * 2 > len(words) or (numbers > 2 and numbers * 2 >= len(words))  # noqa: PLR2004


def _paragraphs(rows: Sequence[Row], body: float) -> Iterator[Block]:
    """Rows of one column as paragraphs, each with its sort."""
    steps = [low.bottom - high.bottom for high, low in pairwise(rows)]
    usual = median(steps) if steps else 0.0
    group: list[Row] = []
    for row in rows:
        if group and _begins(row, group, usual):
            yield from _sorted_block(group, body)
            group = []
        group.append(row)
    if group:
        yield from _sorted_block(group, body)


def _begins(row: Row, group: Sequence[Row], usual: float) -> bool:
    """Whether a row begins a paragraph, after those of the one before."""
    before, size = group[-1], row.main.size
    step = row.bottom - before.bottom
    if step > max(LOOSE * min(usual, 2 * size), LOOSE * size) or step < 0:
        return True
    if abs(size - before.main.size) > (LARGER - 1) * size or row.main.bold != before.main.bold:
        return True
    if row.bullet or (_DASH.match(row.text) and (_ENDED.search(before.text) or _DASH.match(group[0].text))):
        return True
    if group[0].bullet:
        hang = group[1].left if len(group) > 1 else group[0].left
        return row.left < hang - INDENT * size
    return row.left > before.left + INDENT * size and row.left < before.left + 5 * size and before.bottom != row.bottom


def _sorted_block(rows: Sequence[Row], body: float) -> Iterator[Block]:
    """The block, or a block for each row where they are no running text."""
    if is_heading(rows, body):
        yield Block(Sort.HEADING, tuple(rows))
    elif is_running(rows) or rows[0].bullet or len(rows) == 1:
        yield Block(Sort.TEXT, tuple(rows))
    elif len(rows) >= LABEL_ROWS and all(row.words <= LABEL_WORDS for row in rows):
        yield Block(Sort.LABELS, tuple(rows))
    else:
        yield from (Block(Sort.TEXT, tuple(group)) for group in _own_lines(rows))


def _own_lines(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Rows each by itself, with those that plainly go on."""
    group: list[Row] = []
    for row in rows:
        if group and not (row.text[:1].islower() or group[-1].text.endswith((",", "-", "\u00ad"))):
            yield group
            group = []
        group.append(row)
    yield group


def is_running(rows: Sequence[Row]) -> bool:
    """Whether rows are running text: most but the last reach nearly as far as the widest, or they hold many words."""
    if len(rows) == 1:
        return rows[0].words >= RUNNING_WORDS
    widest = max(row.right for row in rows) - min(row.left for row in rows)
    full = sum(row.right - row.left >= FULL * widest for row in rows[:-1])
    words = sum(row.words for row in rows) / len(rows)
    return words > LABEL_WORDS and (full >= FULL * (len(rows) - 1) or words >= RUNNING_WORDS)


def is_heading(rows: Sequence[Row], body: float) -> bool:
    """Whether rows are a heading: few words without a stop, larger than the text, bold or in capitals."""
    text = " ".join(row.text for row in rows)
    words = text.split()
    if len(rows) > HEADING_ROWS or len(words) > HEADING_WORDS or not _WORD.search(text) or _BULLET.match(text):
        return False
    if _ENDED.search(text) and not text.endswith(":"):
        return False
    if text[:1].islower() or sum(bool(_NUMBER.fullmatch(word)) for word in words) * 2 > len(words):
        return False
    line = rows[0].main
    capitals = text.isupper() and sum(map(str.isalpha, text)) > HEADING_LETTERS
    return line.size > LARGER * body or all(row.main.bold for row in rows) or (capitals and line.size >= body)
