"""Where a quotation stands in a text: exactly, or but for what quoting changes; with offsets into the text.

Agents cite sentence numbers, which code turns into spans; this is for quotations that somebody typed: of another data
set, a person, or a part of a document that is told apart from the rest. It never guesses: each word and number of the
quotation must stand in the text, in its order and with nothing between.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from benchwright.domain.document import Span
from benchwright.domain.text import MARK, letters_of_mark

LEAST = 3  # words of a piece beside an ellipsis: shorter ones stand anywhere
ELLIPSIS = re.compile(r"[\[(]?\s*(?:\.\s?\.\s?\.[\s.]*|\u2026+)\s*[\])]?")
REFERENCE = re.compile(r"\[\d+(?:\s*[,\u2013-]\s*\d+)*\]")  # marks such as [8] and [3, 5-7], which quotations leave out
CLUSTER = re.compile(r"(?s)[\x00-\x7f]+(?![\u0300-\u036f])|.[\u0300-\u036f]*")  # plain letters; one with accents


@dataclass(frozen=True, slots=True)
class Located:
    """Where it stands: one span, or one for each piece between ellipses. `exact` is letter by letter."""

    spans: tuple[Span, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Laid:
    """A text as its words in plain form: `line` has one blank around each, `starts` where in it each word begins.

    `begins` and `ends` are the offsets of the words in the text itself.
    """

    line: str
    starts: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def find(self, words: str, after: int) -> Span | None:
        """The first place of these words, plain, that begins at or after an offset of the text."""
        word = bisect_left(self.begins, after)
        place = self.line.find(f" {words} ", self.starts[word] - 1) if word < len(self.starts) else -1
        if place < 0:
            return None
        first = bisect_right(self.starts, place + 1) - 1
        last = bisect_right(self.starts, place + len(words)) - 1
        return Span(self.begins[first], self.ends[last])


def locate(quote: str, text: str) -> Located | None:
    """The first place of a quotation; None where it does not stand in the text.

    Apart from letter by letter it is found whatever the case, Unicode form, spacing, dashes and quotation marks, with
    pieces left out where it says so by an ellipsis, and without the numbers of references in square brackets.
    """
    if found := exactly(quote.strip(), text):
        return Located((found,), exact=True)
    pieces = [line(piece) for piece in ELLIPSIS.split(quote)]
    wanted = [piece for piece in pieces if piece]
    if not wanted or (len(wanted) > 1 and min(len(piece.split()) for piece in wanted) < LEAST):
        return None
    spans = in_order(wanted, lay_out(text)) or in_order(wanted, lay_out(text, references=False))
    return Located(spans, exact=False) if spans else None


def exactly(quote: str, text: str) -> Span | None:
    """The first place where it stands letter by letter and cuts no word."""
    if not line(quote):
        return None
    start = text.find(quote)
    while start >= 0:
        end = start + len(quote)
        cuts_first = quote[0].isalnum() and start > 0 and text[start - 1].isalnum()
        if not cuts_first and not (quote[-1].isalnum() and text[end : end + 1].isalnum()):
            return Span(start, end)
        start = text.find(quote, start + 1)
    return None


def in_order(pieces: list[str], text: Laid) -> tuple[Span, ...] | None:
    """The places of all pieces, each behind the one before; None where one is missing."""
    spans: list[Span] = []
    for piece in pieces:
        found = text.find(piece, spans[-1].end if spans else 0)
        if found is None:
            return None
        spans.append(found)
    return tuple(spans)


@lru_cache(maxsize=256)
def line(text: str) -> str:
    """The plain words of a quotation."""
    return " ".join(word for word, _, _ in words(text))


@lru_cache(maxsize=16)
def lay_out(text: str, *, references: bool = True) -> Laid:
    """Lay a text out word by word; without `references` the marks of them are passed over."""
    found = words(text)
    if not references:
        gone = {n for mark in REFERENCE.finditer(text) for n in range(*mark.span())}
        found = [word for word in found if word[1] not in gone]
    starts = accumulate((len(word) + 1 for word, _, _ in found), initial=1)
    joined = " ".join(word for word, _, _ in found)
    return Laid(f" {joined} ", tuple(starts)[:-1], tuple(word[1] for word in found), tuple(word[2] for word in found))


@lru_cache(maxsize=16)
def words(text: str) -> list[tuple[str, int, int]]:
    """The plain words of a text, each with the offsets of its begin and end."""
    folded, begins, ends = fold(text)
    return [(word, begins[start], ends[end - 1]) for word, start, end in tokens(folded)]


def fold(text: str) -> tuple[str, list[int], list[int]]:
    """The text without case and Unicode form; of each of its characters where in the text it begins and ends."""
    parts: list[str] = []
    begins: list[int] = []
    ends: list[int] = []
    for cluster in CLUSTER.finditer(text):
        start, end = cluster.span()
        plain_run = cluster[0].isascii()
        part = cluster[0].lower() if plain_run else form(cluster[0])
        parts.append(part)
        begins.extend(range(start, end) if plain_run else [start] * len(part))
        ends.extend(range(start + 1, end + 1) if plain_run else [end] * len(part))
    return "".join(parts), begins, ends


def form(letter: str) -> str:
    """A letter with its accents in the one form that `plain` gives it."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", letter).casefold())


def tokens(folded: str) -> Iterator[tuple[str, int, int]]:
    """The words and signs that `plain` would leave of a folded text, with their places in it."""
    said = list(folded)
    for mark in MARK.finditer(folded):
        said[mark.start()] = letters_of_mark(mark)
    origin = [place for place, part in enumerate(said) for _ in part]
    for word in re.finditer(r"\S+", "".join(said)):
        yield word[0], origin[word.start()], origin[word.end() - 1] + 1
