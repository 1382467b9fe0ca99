"""Sentences as offsets into a text. Rules, not a model: the same text has the same sentences on any machine.

The rules ask no language, for documents often name none. Abbreviations are known (`abbreviations.py`) of English,
German, French, Spanish, Portuguese, Italian, Dutch, Polish, Czech and Russian; in others the rules of stops hold alone.
"""
# ruff: noqa: RUF001 - stops, quotes and dashes of many scripts

import re
from collections.abc import Iterator

from benchwright.corpus import abbreviations as known
from benchwright.domain.document import Span

LONGEST = 1500  # characters; a longer run is cut at white space

# Possessive, and never from within a run of stops: linear on any text. Behind a word or a bracket a stop also counts
# where the blank before the next sentence is lost ("ongoing.The").
_STOP = re.compile(
    r"""(?<![.!?…।॥؟۔።։។။])[.!?…।॥؟۔።։។။]++["'”’»“«)\]]*+(?:[ \u00a0\u202f]++»)*+"""
    r"""(?:\[[\d,;–\- ]++\]|\([\d,;–\- ]++\))*+(?=\s)|"""
    r"""[。！？]+["'”’」』）]*|"""
    r"""(?<=[^\W\d_A-Z][^\W\d_A-Z)\]”]|[A-Z]{2}|[a-z][A-Z]|[\d\s][\d%]|\w\))[.!?](?:[)”]|\[[\d,;–\- ]++\])*+"""
    r"""(?=[^\W\d_a-z](?:[^\W\d_A-Z]{2}|[^\W\d_]{0,4}[\s,-]\s?\w))""",
)
_ADDRESS = re.compile(r"(?:[/@\\_]|www(?:\.|\Z)|[^\W\d_]\.[^\W\d_])\S*\Z", re.IGNORECASE)
_NEXT = re.compile(r"""\s*(["'“‘«(\[¿¡]*(\w{0,40}))""")
_WORD = re.compile(r"[^\s(\[“‘\"/—–]+$")
_SOLID = re.compile(r"\S")
# What stands before an item of a list; of fonts of symbols, PDF readers give characters of Unicode's private area.
_BULLET = re.compile(r"\s*[-*•‣⁃◦▪▫·■□●○►▶➢➤✓✔❖◆\uf000-\uf0ff]\s+\S|\s*#{1,6}\s+\S")
_NUMBERED = re.compile(r"\s*(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|[–—])\s+\S")
_HEADING = re.compile(r"\s*\S.{2,78}[^.,;!?\s]\s*")
_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}\.-?)+(?:à-)?[^\W\d_]{1,2}|[^\W\d_]|(?:[^\W\d_]\.-?)+[^\W\d_]{2,3}")

_SPELT = re.compile(r"-[^\W\d_]\.[^\W\d_]\Z")  # then-U.S
_CODED = re.compile(r"\s*\w[\w-]{0,20}?\d|\s*\d")  # a number, or a name that holds one
_GOES_ON = re.compile(r"\s*[=<>≤≥±≈×,;)\]]|\s*[#&|^~](?=\s)|(?<=[」』])(?:と|って)")
_SECTION = re.compile(r"\s*§")
_UNIT = re.compile(r"(?:/|\d\s?)\Z")  # before a unit: "mg/L", "24 h"
_MONTH = re.compile(r"(?:0?[1-9]|1[0-2])\.")
_YEAR = re.compile(r"\d\d(?:\d\d)?\b")
_DAY = re.compile(r"\b\d\d?\.\s?\Z")
_ELISION = re.compile(r"^(?:[a-z]|qu|dell|nell|all|dall|sull|coll|un|quell)['’](?=[^\W\d_])", re.IGNORECASE)  # l'art.
_ORDINAL = re.compile(r"\d\.(?:,\s\d+\.)*\s(?:und|bzw\.|oder|bis)\s\Z")  # the first of two: "am 3. bzw. 5. Tag"
_ROMAN = re.compile(r"[IVXLC]+")


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
        wide = stop[0][0] in "。！？" and not _GOES_ON.match(text, stop.end(), block.end)
        if wide or (stop[0][0] not in "。！？" and _ends(text, left, stop, block.end)):
            left = stop.end()
            yield left


def _ends(text: str, left: int, stop: re.Match[str], end: int) -> bool:
    """Whether the stop ends the sentence that began at `left`, judged by the words on either side of it."""
    following = _NEXT.match(text, stop.end(), end)
    opening, word = (following[1], following[2]) if following else ("", "")
    if word[:1].islower() or _GOES_ON.match(text, stop.end(), end):
        return False
    match = _WORD.search(text, max(left, stop.start() - 40), stop.start())
    glued = stop.end() < end and not text[stop.end()].isspace()
    if glued and (_ADDRESS.search(text, max(left, stop.start() - 200), stop.start()) or any(map(str.isdecimal, word))):
        return False
    if not stop[0].startswith(".") or stop[0].startswith("..") or match is None:
        return True
    last, before = _ELISION.sub("", match[0]).lstrip("'"), text[max(left, match.start() - 40) : match.start()]
    if last.isdecimal():
        dated = _is_dated(before, last, word + text[following.end() : following.end() + 1] if following else "")
        return bool(before.strip()) and not dated and not _is_ordinal(before, last, word)
    counted = last.rpartition("-")[2]  # "Reg.-Nr. 20", "mid-Oct. 2020"
    if (counted.casefold() in known.BEFORE_NUMBER and counted != "P") or last.endswith("str"):
        numbered = word.casefold() in known.NUMBERED or _ROMAN.fullmatch(word)
        return not numbered and not _CODED.match(text, stop.end(), end)
    initial = len(word) == 1 and following is not None and text[following.end() : following.end() + 1] in {".", ","}
    begins = word.casefold() in known.STARTERS and (len(word) == 1 or word[1:].islower()) and not initial
    nothing = not opening + word and not _SECTION.match(text, stop.end(), end)
    return _may_end(before, last, word, fresh=begins or nothing)


def _is_dated(before: str, number: str, word: str) -> bool:
    """Whether a number with a stop is the day or the month of a date: "5. 3. 2020"; `word` has its own stop."""
    month = _DAY.search(before) and _YEAR.match(word)
    return len(number) <= 2 and bool(_MONTH.fullmatch(word) or month)  # noqa: PLR2004


def _is_ordinal(before: str, number: str, word: str) -> bool:
    """Whether a number with a stop is the first, second ... in German: "3. März", "im 2. Halbjahr"."""
    folded = word.casefold()
    if len(number) > 2 or folded in known.STARTERS | known.PARTICLES:  # noqa: PLR2004
        return False
    counting = before.rsplit(maxsplit=1)[-1].casefold() in known.COUNTING or _ORDINAL.search(before)
    return folded in known.COUNTED or (word[:1].isupper() and bool(counting))


def _may_end(before: str, last: str, word: str, *, fresh: bool) -> bool:
    """Whether a full stop after the word `last` can be more than the mark of an abbreviation.

    `fresh` says that what follows is a word with which sentences begin, or nothing.
    """
    folded = last.casefold()
    pair = f"{''.join(before.casefold().split()[-1:]).rstrip('.')}.{folded}"  # z. B.
    unit = last in {"L", "ms"} or (len(last) == 1 and last.islower() and last != "u")
    if (unit and _UNIT.search(before)) or folded in known.LISTED:
        return True
    title = last.rpartition("-")[2] in known.TITLES
    titled = title and word[:1].isupper() and (not fresh or word.casefold() in known.NUMBERED)
    acronym = fresh and len(last) > 1 and last.isupper()  # "of non-boiled GEB. The"
    if (folded in known.NEVER and not acronym) or pair in known.NEVER or titled:
        return False
    if folded in known.TIMES:
        return word.casefold() not in known.DATED
    if folded in known.SOMETIMES:
        return fresh or word.casefold() in known.PARTICLES
    if _SPELT.search(last):
        return fresh
    named = _ELISION.sub("", "".join(before.casefold().split()[-1:])) in known.LETTERED
    year = folded in known.YEARS and before.rstrip()[-1:].isdecimal()
    return fresh or named or year or not _INITIALS.fullmatch(last)


def _pieces(text: str, start: int, end: int) -> Iterator[Span]:
    """The trimmed run, cut where it is longer than `LONGEST`."""
    while solid := _SOLID.search(text, start, end):
        first, start = solid.start(), end
        if end - first > LONGEST:
            limit = first + LONGEST
            space = max(text.rfind(" ", first, limit), text.rfind("\n", first, limit))
            start = space if space > first else limit
        yield Span(first, first + len(text[first:start].rstrip()))
