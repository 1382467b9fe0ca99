"""What belongs to the pages of a document and not to its text: heads and feet, broken words, lists of references."""
# ruff: noqa: RUF001 - dashes and soft hyphens are meant

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import ceil

from benchwright.corpus.layout import LARGER, Block, Row, Sort, rows_of
from benchwright.corpus.pdf_lines import UNPARTED, Line, Page
from benchwright.corpus.raised import level

MARGIN, POINTS = 0.12, 100  # of the page's height, and at least so many points, at its upper and its lower edge
MOVED = 0.05  # of the page's height: what repeats stands in the same place
APART = 1.6  # times the size of the letters: a gap
WORDS_SURE = 4  # so many words in the same place of two pages are no chance
FEW_PAGES, MANY = 5, 3  # with more pages, what stands on three of them repeats; with fewer, on half of them
DATED = 0.3  # the share of paragraphs with a year, from which on they are references
REFERENCES_LEAST = 2

_DIGITS = re.compile(r"\d+")
_PLACE = re.compile(r"[#.,:;%/()+–-]*#[#.,:;%/()+–-]*")
_PAGE = re.compile(r"\b(?:page|pagina|página|seite|стр\.?|pp?\.)\s*#")
_FOLIO = re.compile(
    r"(?:(?:page|pagina|página|seite|стр\.?|p\.)\s*)?(?:#|[ivxl]+)(?:\s*(?:/|\||of|de|sur|von|di|из)\s*#)?",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:\d+\.?\s+)?(?:references?(?: cited| list)?|bibliography|literature cited|works cited|reference list|"
    r"références(?: bibliographiques)?|bibliographie|referencias(?: bibliográficas)?|bibliografía|referências|"
    r"literatur(?:verzeichnis)?|bibliografia|литература)\s*:?",
    re.IGNORECASE,
)
_DATED = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b|\bet al\b|\bdoi\b|https?://")
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\d*\s*\Z|…{2,}\s*\d*\s*\Z")
_BROKEN = re.compile(r"(\w[\w'’]*)([-\u00ad‐])\Z")
_GOING_ON = re.compile(r"(\w[\w'’]*)")
_WORDS = re.compile(r"\w[\w'’]*(?:[-‐]\w[\w'’]*)*")


def running_lines(pages: Sequence[Page], body: float) -> list[set[Line]]:
    """The heads and feet of each page: rows at its edge that repeat but for numbers, and numbers of pages.

    Rows that hold mostly numbers are of tables, even where they repeat. On the first page, what is larger than the text
    (`body`, the size of its letters) is a title that other pages repeat.
    """
    places: dict[str, list[tuple[int, float, Row]]] = defaultdict(list)
    apart: set[Line] = set()  # of rows that stand apart from the text
    found: list[set[Line]] = [set() for _ in pages]
    for number, page in enumerate(pages):
        margin = max(MARGIN * page.height, POINTS)
        rows = rows_of(page.lines)
        for place, row in enumerate(rows):
            if min(row.main.top, page.height - row.bottom) < margin:
                if _stands_apart(rows, place):
                    apart.add(row.main)
                key = _DIGITS.sub("#", row.text.casefold())
                if _FOLIO.fullmatch(key):
                    found[number].update(row.lines)
                elif not _is_numeric(key):
                    places[key].append((number, row.bottom / page.height, row))
    least = MANY if len(pages) > FEW_PAGES else max(2, ceil(len(pages) / 2))
    for standing in places.values():
        for number, height, row in standing:
            alike = {page for page, other, _ in standing if abs(other - height) <= MOVED}
            enough = 2 if row.words >= WORDS_SURE and row.main in apart else least
            if len(alike) >= enough and (number or row.main.size <= LARGER * body):
                found[number].update(row.lines)
    return found


def _is_numeric(key: str) -> bool:
    """Whether at least half of a row's words are numbers, none of which is that of a page."""
    words = key.split()
    numbers = sum(bool(_PLACE.fullmatch(word)) for word in words)
    return numbers * 2 >= len(words) and not _PAGE.search(key)


def _stands_apart(rows: Sequence[Row], place: int) -> bool:
    """Whether a row is followed, or preceded, by a gap: lines of a paragraph are not."""
    row, room = rows[place], APART * rows[place].main.size
    above = row.bottom - rows[place - 1].bottom if place else room
    below = rows[place + 1].bottom - row.bottom if place + 1 < len(rows) else room
    return max(above, below) >= room


def without_references(blocks: Sequence[Block]) -> tuple[list[Block], int]:
    """The blocks without the list behind the last heading of that name, up to the next heading; how many it had.

    What follows must look like references, for a table of contents and a sentence may bear that name, too.
    """
    for place in range(len(blocks) - 1, -1, -1):
        block = blocks[place]
        text = level(" ".join(row.text for row in block.rows)).strip()
        if block.sort in {Sort.HEADING, Sort.TEXT} and _REFERENCES.fullmatch(text):
            end = next((n for n in range(place + 1, len(blocks)) if blocks[n].sort is Sort.HEADING), len(blocks))
            listed = blocks[place + 1 : end]
            dated = sum(bool(_DATED.search(" ".join(row.text for row in one.rows))) for one in listed)
            if len(listed) >= REFERENCES_LEAST and dated >= DATED * len(listed):
                return [*blocks[:place], *blocks[end:]], len(listed)
            return list(blocks), 0
    return list(blocks), 0


def is_leader(text: str) -> bool:
    """Whether a line is one of a table of contents: dots lead to its page."""
    return bool(_LEADERS.search(text))


def vocabulary(lines: Iterable[Line]) -> Counter[str]:
    """The words of a document, whole ones only."""
    words: Counter[str] = Counter()
    for line in lines:
        words.update(word.casefold() for word in _WORDS.findall(line.text)[: -1 if _BROKEN.search(line.text) else None])
    return words


def join_rows(texts: Iterable[str], words: Counter[str]) -> str:
    """The lines of a paragraph as one, with the words mended that their ends have broken."""
    joined = ""
    for text in texts:
        joined = _join(joined, text, words) if joined else text
    return joined.replace("\u00ad", "-" if joined.endswith("\u00ad") else "")


def _join(before: str, after: str, words: Counter[str]) -> str:
    if UNPARTED.match(before[-1:]) and UNPARTED.match(after):
        return before + after
    broken, rest = _BROKEN.search(before), _GOING_ON.match(after)
    if not broken or not rest:
        return f"{before} {after}"
    first, second = _last_part(before[: broken.end(1)]), rest[1]
    start = before[: broken.end(1)]
    if not second[0].islower() or not first[-1:].isalpha():
        return f"{start}-{after}"  # Sub-Saharan, 2013-2014
    whole, parted = words[f"{first}{second}".casefold()], words[f"{first}-{second}".casefold()]
    return f"{start}-{after}" if parted > whole else f"{start}{after}"


def _last_part(text: str) -> str:
    found = _WORDS.findall(text)
    return found[-1] if found else ""
