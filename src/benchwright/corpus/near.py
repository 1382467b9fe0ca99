"""Near-duplicate questions: the same words asked again, with other trimmings."""
# ruff: noqa: RUF001, SIM905 - the minus sign and dashes are meant; word lists read best as words

import re
from collections import defaultdict
from unicodedata import normalize

THRESHOLD = 0.7

_TOKEN = re.compile(r"\d+(?:[.,:/]\d+)*|[<>≤≥=±%]|[\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]\w*(?:[+−-](?![\w−-]))?")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))|['’]s\b")  # 1,000 is 1000, and the dog's is the dog
# Words that ask, refer to the source or only join. What negates, compares or orders is not among them.
_TRIMMINGS = frozenset(
    "a an the this that these those such its their his her it they he she ones "
    "of in on at to for by with as within through via and or "
    "is are was were be been being do does did done has have had having will would can could might shall should "
    "what which who whom whose how please name list identify select choose give state describe "
    "study studies article articles passage text paper report reports document authors author researchers "
    "investigators according reported described mentioned stated noted given provided presented indicated documented "
    "shown observed found identified detected determined used using use employed utilized utilised "
    "following specific specifically particular exact respectively".split(),
)
_SAME = {"percent": "%", "percentage": "%", "proportion": "%", "fraction": "%"}


class Near:
    """Texts under their keys, and which of them are near-duplicates of another text.

    Two texts are near-duplicates when, without the words that only trim a question, they have the same words (in
    whatever case and number), equally often, and their pairs of neighbouring words have a Jaccard similarity of at
    least `threshold`. So one exchanged number, place or group always tells two questions apart, however long they
    are; so does the exchange of two roles. The list of trimmings is English: in other languages every word counts.
    """

    def __init__(self, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._entries: dict[tuple[str, ...], list[tuple[str, frozenset[tuple[str, str]]]]] = defaultdict(list)

    def add(self, key: str, text: str) -> None:
        """Remember the text under the key."""
        words = _words(text)
        self._entries[tuple(sorted(words))].append((key, _pairs(words)))

    def similar(self, text: str) -> list[str]:
        """The keys of the near-duplicates among the remembered texts, in the order of their adding."""
        words = _words(text)
        pairs = _pairs(words)
        entries = self._entries.get(tuple(sorted(words)), [])
        return [key for key, others in entries if _jaccard(pairs, others) >= self._threshold]


def _words(text: str) -> list[str]:
    """The words that carry the question; all of them, where all are trimmings."""
    text = normalize("NFKC", text)
    tokens = _TOKEN.findall(_GROUPED.sub("", text))
    names = not text.isupper()  # hepatitis A and the WHO are no trimmings, unless everything is in capitals
    carrying = [
        token
        for place, token in enumerate(tokens)
        if token.casefold() not in _TRIMMINGS or (names and place and token.isupper())
    ]
    return [_singular(token.casefold()) for token in carrying or tokens]


def _singular(word: str) -> str:
    """The word without the ending of a plural; crude, but the same for every text."""
    if word in _SAME:
        return _SAME[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")):  # noqa: PLR2004
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ruses", "rus"), ("s", "")):
        if word.endswith(ending):
            return word.removesuffix(ending) + instead
    return word


def _pairs(words: list[str]) -> frozenset[tuple[str, str]]:
    """Neighbouring words, with the one word of a very short text paired with nothing."""
    return frozenset(zip(words, words[1:] or [""], strict=False))


def _jaccard(one: frozenset[tuple[str, str]], other: frozenset[tuple[str, str]]) -> float:
    together = len(one | other)
    return len(one & other) / together if together else 1.0
