"""Pages of a PDF as lines with their places, sizes and weights; PDFium reads the file (pypdfium2).

PDFium is not safe in threads, and a bad file may crash or hang it: this module runs in a process of its own only
(`apart.py`).
"""

import ctypes
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import pi, tau
from statistics import median
from typing import Any

from benchwright.corpus.raised import DOWN, END, UP
from benchwright.corpus.rules import Box, is_finite, ruled_tables

GAP = 1.3  # times the size of the letters: wider blanks part cells and columns
SMALL = 0.8  # of the line's size: smaller letters that stand higher or lower are raised or lowered
SHIFT = 0.12  # of the line's size, from its baseline
UPRIGHT = 0.1  # radians
HYPHENS = {0xFFFE: "\u00ad", 0x02: "\u00ad"}  # how PDFium writes the hyphen at a line's end
BULLETS = dict.fromkeys((0xF0B7, 0xF0A7, 0xF0D8, 0xF076, 0xF0FC, 0xF0A8, 0xF06E), "•")  # of the fonts Symbol, Wingdings
PATHS_MOST = 20_000  # drawings of a page that are looked at
UNPARTED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")  # letters of scripts without blanks
QUARTER, HALF = 90, 180  # degrees


@dataclass(frozen=True, slots=True)
class Line:
    """Words that stand beside each other on a page, without a wide blank between them.

    Places are in points from the left and upper edges, `bottom` is where most letters end; `size` is that of most
    letters, `bold` whether most are.
    `text` may hold the marks of `raised.py`.
    """

    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool = False

    @property
    def words(self) -> int:
        """How many there are; in scripts without blanks two letters count as one."""
        return len(self.text.split()) + len(UNPARTED.findall(self.text)) // 2


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its lines in the order of the file, and the tables that rules show.

    `images` counts the pictures, `unknown` the letters without meaning.
    """

    height: float
    lines: tuple[Line, ...]
    images: int = 0
    unknown: int = 0
    tables: tuple[Box, ...] = ()


@dataclass(slots=True)
class _Letter:
    text: str
    left: float
    top: float
    right: float
    bottom: float
    size: float
    bold: bool


def read_page(page: Any) -> Page:
    """What stands on a page of pypdfium2; closes it."""
    import pypdfium2.raw as pdfium

    try:
        width, height = page.get_size()
        text = page.get_textpage()
        try:
            letters, unknown = _letters(text.raw, page.get_rotation(), (width, height))
        finally:
            text.close()
        images = sum(1 for _ in page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_IMAGE,), max_depth=2))
        paths = page.get_objects(filter=(pdfium.FPDF_PAGEOBJ_PATH,), max_depth=2)
        drawn = [_turned(_bounds(path), page.get_rotation(), (width, height)) for path in islice(paths, PATHS_MOST)]
    finally:
        page.close()
    lines = [line for row in letters for line in _lines(row)]
    return Page(height, tuple(lines), images, unknown, ruled_tables(drawn))


def _bounds(path: Any) -> Box:
    """Left, right, bottom, top of a path."""
    left, bottom, right, top = path.get_bounds()
    return left, right, bottom, top


def _letters(text: Any, rotation: int, size: tuple[float, float]) -> tuple[list[list[_Letter]], int]:
    """The upright letters of each row as PDFium breaks them, and how many have no meaning."""
    import pypdfium2.raw as pdfium

    rows: list[list[_Letter]] = [[]]
    edges = [ctypes.c_double() for _ in range(4)]  # left, right, bottom, top
    name, flags = ctypes.create_string_buffer(128), ctypes.c_int()
    turn = rotation / HALF * pi
    unknown = 0
    for place in range(pdfium.FPDFText_CountChars(text)):
        code = pdfium.FPDFText_GetUnicode(text, place)
        if code in {10, 13}:
            if rows[-1]:
                rows.append([])
            continue
        # PDFium counts clockwise, before the page is turned clockwise, too
        if abs((pdfium.FPDFText_GetCharAngle(text, place) + turn + pi) % tau - pi) > UPRIGHT:
            continue
        written = HYPHENS.get(code) or BULLETS.get(code) or (chr(code) if 0 < code <= sys.maxunicode else "\ufffd")
        if not written.isprintable() and written != "\u00ad":
            written, unknown = "\ufffd", unknown + 1
        elif written == "\ufffd" or "\ue000" <= written <= "\uf8ff":
            unknown += 1
        pdfium.FPDFText_GetCharBox(text, place, *edges)
        pdfium.FPDFText_GetFontInfo(text, place, name, 128, flags)
        sides = edges[0].value, edges[1].value, edges[2].value, edges[3].value
        box = _turned(sides, rotation, size)
        if not is_finite(box):
            continue
        bold = b"bold" in name.value.lower() or b"black" in name.value.lower()
        rows[-1].append(_Letter(written, *box, _size(pdfium, text, place, box), bold))
    return rows, unknown


def _size(pdfium: Any, text: Any, place: int, box: Box) -> float:
    """The size of a letter as it is seen: fonts of size 1 are scaled by a matrix."""
    matrix = pdfium.FS_MATRIX()
    size: float = pdfium.FPDFText_GetFontSize(text, place)
    if pdfium.FPDFText_GetMatrix(text, place, matrix):
        scale = (matrix.c**2 + matrix.d**2) ** 0.5
        size = size * scale if scale else size
    return size if size > 1 else max(box[3] - box[1], 1.0)


def _turned(sides: Box, rotation: int, size: tuple[float, float]) -> Box:
    """A box (left, right, bottom, top, before the page is turned) from the upper left corner of the page as seen."""
    left, right, bottom, top = sides
    width, height = size
    if rotation == QUARTER:
        return bottom, left, top, right
    if rotation == HALF:
        return width - right, bottom, width - left, top
    if rotation == HALF + QUARTER:
        return width - top, height - right, width - bottom, height - left
    return left, height - top, right, height - bottom


def _lines(row: list[_Letter]) -> Iterator[Line]:
    """A row parted at wide blanks."""
    letters = [letter for letter in row if not letter.text.isspace()]
    if not letters:
        return
    size = median(letter.size for letter in letters)
    current: list[_Letter] = []
    before: _Letter | None = None
    for letter in row:
        if letter.text.isspace():
            current.append(letter)
            continue
        if before and (letter.left - before.right > GAP * size or letter.right < before.left - size):
            yield from _line(current)
            current = []
        current.append(letter)
        before = letter
    yield from _line(current)


def _line(letters: list[_Letter]) -> Iterator[Line]:
    """One line, with marks around raised and lowered letters; none for blanks."""
    solid = [letter for letter in letters if not letter.text.isspace()]
    if not solid:
        return
    size = Counter(round(letter.size, 1) for letter in solid).most_common(1)[0][0]
    full = [letter for letter in solid if letter.size > SMALL * size] or solid
    base = median(letter.bottom for letter in full)
    parts: list[str] = []
    state = ""
    for letter in letters:
        mark = state if letter.text.isspace() else _mark(letter, size, base)
        if mark != state:
            parts.append(END * bool(state) + mark)
            state = mark
        parts.append(letter.text)
    text = " ".join(("".join(parts) + END * bool(state)).split())
    yield Line(
        text,
        min(letter.left for letter in solid),
        min(letter.top for letter in full),
        max(letter.right for letter in solid),
        base,
        size,
        sum(letter.bold for letter in solid) * 2 > len(solid),
    )


def _mark(letter: _Letter, size: float, base: float) -> str:
    """Whether a letter is raised or lowered."""
    if letter.size > SMALL * size or not letter.text.isalnum():
        return ""
    if letter.bottom < base - SHIFT * size:
        return UP
    return DOWN if letter.bottom > base + SHIFT * size else ""
