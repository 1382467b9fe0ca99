"""A finder that needs no weights, the embedded default: every name that graphs know, by Aho-Corasick."""

import re
import sys
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple
from unicodedata import normalize

from benchwright.domain.extra import library
from benchwright.domain.knowledge import Named, singular, spellings
from benchwright.kg.mentions import Hit

TOKEN = re.compile(r"[^\W_]+|[.;:!?](?=\s)|[\n()\[\]]")
ACRONYM_MOST = 6  # letters up to which capitals tell a name from a word: AIDS, SARS, cat
SHORTEST = 3  # letters of a name that is looked for
GENERIC = frozenset(  # true of any disease: a mention of them says nothing
    ("condition", "disease", "disorder", "epidemic", "illness", "infection", "injury", "outbreak", "sign", "symptom")
) | {"syndrome", "infectious disease", "communicable disease"}


class Token(NamedTuple):
    """A word in its normal form, or a stop, with its place in the text."""

    key: str
    start: int
    end: int


class Spelt(NamedTuple):
    """A name as it was written, and what it names."""

    name: str
    kind: str


def tokens(text: str) -> list[Token]:
    """The words of a text in their normal form; a stop is kept, so that no name reaches over the end of a sentence."""
    found = []
    for match in TOKEN.finditer(text):
        key = singular(normalize("NFKC", match[0]).casefold()) if match[0][0].isalnum() else "|"
        found.append(Token(key, *match.span()))
    return found


def key_of(name: str) -> str:
    """The normal form of a name: the keys of its tokens."""
    return " ".join(token.key for token in tokens(name))


class Dictionary:
    """Finds names whatever their case and number; acronyms only as they are written."""

    words = sys.maxsize

    def __init__(self, named: Iterable[Named]) -> None:
        """Look for these names; what is too short or too general to mean anything is left out."""
        spelt: dict[str, dict[Spelt, None]] = {}
        for name, entity, _ in named:
            for spelling in spellings(name):
                key = key_of(spelling)
                if len(key) >= SHORTEST and key not in GENERIC and not key.isdecimal():
                    spelt.setdefault(key, {})[Spelt(spelling, entity.kind)] = None
        self._automaton: Any = library("ahocorasick", "the dictionary of names", "kg").Automaton()
        for key, names in spelt.items():
            self._automaton.add_word(f" {key} ", (key, tuple(names)))
        if spelt:
            self._automaton.make_automaton()
        self.about = f"a dictionary of {len(spelt):,} names (no GLiNER model is set)"
        self._empty = not spelt

    def find(self, texts: Sequence[str], labels: Sequence[str], threshold: float) -> list[list[Hit]]:
        """See `Finder`; a name that stands there is sure: its score is 1."""
        return [[] if self._empty or threshold > 1 else list(self._hits(text, set(labels))) for text in texts]

    def _hits(self, text: str, labels: set[str]) -> Iterable[Hit]:
        found = tokens(text)
        at = {place: n for n, place in enumerate(accumulate((len(one.key) + 1 for one in found), initial=1))}
        line = f" {' '.join(one.key for one in found)} "
        for last, (key, names) in self._automaton.iter(line):
            end = at[last + 1] - 1
            start = end - key.count(" ")
            said = text[found[start].start : found[end].end]
            kinds = {spelt.kind for spelt in names if spelt.kind in labels and can_mean(spelt.name, said)}
            yield from (Hit(found[start].start, found[end].end, kind, 1.0) for kind in sorted(kinds))


def can_mean(name: str, said: str) -> bool:
    """Whether what stands there can be this name: an acronym must have its capitals."""
    if len(name) > ACRONYM_MOST or sum(map(str.isupper, name)) < 2:  # noqa: PLR2004 - Rabies is no acronym, HIV is
        return True
    return said in {name, f"{name}s"}
