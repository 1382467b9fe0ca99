"""Sentences as offsets into a text. Rules, not a model: the same text has the same sentences on any machine."""
# ruff: noqa: RUF001, SIM905 - stops, quotes and dashes of many scripts; word lists read best as words

import re
from collections.abc import Iterator

from benchwright.domain.document import Span

LONGEST = 1500  # characters; a longer run is cut at white space

# Possessive, and never from within a run of stops: linear on any text.
_STOP = re.compile(
    r"""(?<![.!?…।॥؟۔።])[.!?…।॥؟۔።]++["'”’»)\]]*+(?:\[[\d,;–\- ]++\])*+(?=\s)|[。！？]+["'”’」』）]*""",
)
_NEXT = re.compile(r"""\s*(["'“‘«(\[¿¡]*(\w{0,40}))""")
_WORD = re.compile(r"[^\s(\[“‘\"/—–]+$")
_SOLID = re.compile(r"\S")
_BULLET = re.compile(r"\s*[-*•‣◦▪·]\s+\S|\s*#{1,6}\s+\S")
_NUMBERED = re.compile(r"\s*(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|[–—])\s+\S")
_HEADING = re.compile(r"\s*\S.{2,78}[^.,;!?\s]\s*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.-?)*[^\W\d_]")

_NEVER = frozenset("fig figs eq eqs ref refs tab dr prof mr mrs ms st vs cf e.g i.e eg ie viz approx ca gen".split())
_BEFORE_NUMBER = frozenset(
    "no nos nr p pp vol ch sec art para suppl jan feb mar apr jun jul aug sep sept oct nov dec tel".split(),
)
_SOMETIMES = frozenset("al etc sp spp ssp subsp var nov inc ltd co corp jr sr bros dept ph.d est".split())
_LETTERED = frozenset("vitamin hepatitis influenza type group class phase arm cohort panel grade part table".split())
_STARTERS = frozenset(
    "the we this these those that in it its however a an they their there he she our for at as of on to from by with "
    "when while after before although because if both all among during since such here thus therefore moreover "
    "furthermore finally additionally using overall most many some several other another each one two what which how "
    "who why where only not no and but or data results patients participants".split(),
)


def split(text: str, start: int, end: int) -> tuple[Span, ...]:
    """The sentences of `text[start:end]`: ascending, apart, and every non-space character in exactly one of them."""
    spans: list[Span] = []
    for block in _blocks(text, start, end):
        left = block.start
        for cut in _cuts(text, block):
            spans += _pieces(text, left, cut)
            left = cut
        spans += _pieces(text, left, block.end)
    return tuple(spans)


def _blocks(text: str, start: int, end: int) -> Iterator[Span]:
    """Runs of lines that belong together: a blank line, a bullet or a heading begins a new one."""
    left, at, before = start, start, ""
    for line in text[start:end].splitlines(keepends=True):
        listed = bool(_BULLET.match(before) or _NUMBERED.match(before))
        ended = not before.strip() or listed or before.rstrip()[-1] in ".:;!?"
        begins = _BULLET.match(line) or (ended and (_NUMBERED.match(line) or _heads(line)))
        if begins or not line.strip() or _heads(before) or before.lstrip().startswith("#"):
            yield Span(left, at)
            left = at
        at, before = at + len(line), line
    yield Span(left, end)


def _heads(line: str) -> bool:
    """A short line in capitals without a stop is a heading."""
    return line.isupper() and _HEADING.fullmatch(line) is not None


def _cuts(text: str, block: Span) -> Iterator[int]:
    """Where, within a block, a sentence ends."""
    left = block.start
    for stop in _STOP.finditer(text, block.start, block.end):
        if stop[0][0] in "。！？" or _ends(text, left, stop, block.end):
            left = stop.end()
            yield left


def _ends(text: str, left: int, stop: re.Match[str], end: int) -> bool:
    """Whether the stop ends the sentence that began at `left`, judged by the words on either side of it."""
    following = _NEXT.match(text, stop.end(), end)
    opening, word = (following[1], following[2]) if following else ("", "")
    if word[:1].islower():
        return False
    match = _WORD.search(text, max(left, stop.start() - 40), stop.start())
    if not stop[0].startswith(".") or stop[0].startswith("..") or match is None:
        return True
    last, before = match[0].lstrip("'"), text[max(left, match.start() - 40) : match.start()]
    if last.isdecimal() and not before.strip():
        return False  # the number of a list item
    return _may_end(before, last, word, fresh=word.casefold() in _STARTERS or not (opening or word))


def _may_end(before: str, last: str, word: str, *, fresh: bool) -> bool:
    """Whether a full stop after the word `last` can be more than the mark of an abbreviation.

    `fresh` says that what follows is a word with which sentences begin, or nothing.
    """
    folded = last.casefold()
    if folded in _NEVER:
        return False
    if folded in _BEFORE_NUMBER:
        return not word[:1].isdecimal()
    if folded in _SOMETIMES or _INITIALS.fullmatch(last):
        return fresh or not _LETTERED.isdisjoint(before.casefold().split()[-1:])
    return True


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The trimmed run, cut where it is longer than `LONGEST`."""
    while solid := _SOLID.search(text, start, end):
        first, start = solid.start(), end
        if end - first > LONGEST:
            limit = first + LONGEST
            space = max(text.rfind(" ", first, limit), text.rfind("\n", first, limit))
            start = space if space > first else limit
        yield Span(first, first + len(text[first:start].rstrip()))
