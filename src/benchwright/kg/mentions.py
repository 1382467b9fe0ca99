"""Where a document mentions something of a kind: windows that cut neither words nor mentions, offsets into its text."""

import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby, takewhile
from typing import NamedTuple, Protocol

from benchwright.domain.document import Document, Span

WORD = re.compile(r"\w+(?:[-_]\w+)*|\S")  # what GLiNER counts as a word
LONG = 16  # characters of a word that are about one more token each time
OVERLAP = 24  # words that two windows share where a sentence is longer than one: twice the longest span of GLiNER
BATCH = 16  # windows shown to a model at once


class Hit(NamedTuple):
    """Characters `start` to `end` of one window's text."""

    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True, slots=True)
class Mention:
    """Characters `start` (included) to `end` (excluded) of the document's text, as something of the kind `label`."""

    start: int
    end: int
    text: str
    label: str
    score: float


class Finder(Protocol):
    """Anything that finds mentions in short texts."""

    @property
    def about(self) -> str:
        """What it is, for the run's record."""
        ...

    @property
    def words(self) -> int:
        """How much one text may measure (`measure`)."""
        ...

    def find(self, texts: Sequence[str], labels: Sequence[str], threshold: float) -> list[list[Hit]]:
        """The hits of each text, of these labels, with at least this score."""
        ...


def find(
    document: Document, finder: Finder, labels: Sequence[str] = ("disease",), threshold: float = 0.9
) -> tuple[Mention, ...]:
    """All mentions in the document, in their order, none inside another."""
    spans = [span for section in document.sections for span in section.sentences]
    shown = list(windows(document.text, spans, finder.words))
    found: list[Mention] = []
    for first in range(0, len(shown), BATCH):
        batch = shown[first : first + BATCH]
        texts = [document.text[window.start : window.end] for window in batch]
        for window, hits in zip(batch, finder.find(texts, labels, threshold), strict=True):
            found += [place_hit(document.text, window, hit) for hit in hits if hit.score >= threshold]
    return apart(found)


def place_hit(text: str, window: Span, hit: Hit) -> Mention:
    """A window's hit as a mention in the whole text."""
    start, end = window.start + hit.start, window.start + hit.end
    return Mention(start, end, text[start:end], hit.label, hit.score)


def apart(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """The longest of those that overlap, then the surest; so what a window's edge cut gives way to the whole."""
    kept: list[Mention] = []  # by their place
    for mention in sorted(mentions, key=lambda found: (found.start - found.end, -found.score, found.start)):
        place = bisect(kept, mention.start, key=lambda other: other.start)
        if (not place or kept[place - 1].end <= mention.start) and (
            place == len(kept) or mention.end <= kept[place].start
        ):
            kept.insert(place, mention)
    return tuple(kept)


def measure(word: str) -> int:
    """About how many tokens a word takes, with 1 for most."""
    return 1 + len(word) // LONG


def windows(text: str, sentences: Sequence[Span], most: int) -> Iterator[Span]:
    """Runs of whole sentences that measure at most `most`; a longer sentence is shown in runs of words that overlap."""
    start = end = filled = 0
    for sentence in sentences:
        words = list(WORD.finditer(text, sentence.start, sentence.end))
        size = sum(measure(word[0]) for word in words)
        if filled and filled + size > most:
            yield Span(start, end)
            filled = 0
        if size > most:
            yield from pieces(words, most)
        elif size:
            start, end, filled = (start if filled else sentence.start), sentence.end, filled + size
    if filled:
        yield Span(start, end)


def pieces(words: Sequence[re.Match[str]], most: int) -> Iterator[Span]:
    """One long sentence in runs of whole words; each begins with the last words of the one before.

    A single word that is too large is shown to nobody: no name is so long.
    """
    for fits, group in groupby(words, key=lambda word: measure(word[0]) <= most):
        run, first = list(group) if fits else [], 0
        while first < len(run):
            sizes = accumulate(measure(word[0]) for word in run[first:])
            last = first + sum(1 for _ in takewhile(lambda size: size <= most, sizes))
            yield Span(run[first].start(), run[last - 1].end())
            first = last if last == len(run) else max(first + 1, last - min(OVERLAP, most // 2))
