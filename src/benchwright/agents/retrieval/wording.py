"""What code demands of a query and of the texts that are written for it."""

import re
from collections.abc import Iterable

from benchwright.domain.text import plain

# Words that point at a text which the reader of a query does not have.
POINTING = re.compile(
    r"\b(?:this|the|that|these|above|following|given|provided) "
    r"(?:passage|text|document|article|report|paragraph|excerpt|summary|study|table|figure|author|authors)\b"
    r"|\b(?:mentioned|described|stated|discussed) (?:above|here|in the)\b|\bas (?:mentioned|described|stated)\b"
    r"|\baccording to (?:the|this) (?:passage|text|document|article|report|authors?)\b",
    re.IGNORECASE,
)
INVENTED = ("Keldo", "Tivra", "Hadrun", "Orsa")  # names that only the worked examples of the prompts use
SHORT = 4  # letters: shorter words of a name, such as "of", name nothing


def pointer(text: str) -> str:
    """The words by which a text points at another one that its reader does not have; "" where it stands alone."""
    found = POINTING.search(text)
    return found[0] if found else ""


def longest_copy(text: str, source: str) -> tuple[str, ...]:
    """The longest run of words that both have, as they are compared: without case and punctuation."""
    words, others = plain(text).split(), plain(source).split()
    places: dict[str, list[int]] = {}
    for place, word in enumerate(others):
        places.setdefault(word, []).append(place)
    best, run = (0, 0), dict[int, int]()  # where the longest one ends, how long it is; by where runs end in `others`
    for end, word in enumerate(words, 1):
        run = {place: run.get(place - 1, 0) + 1 for place in places.get(word, ())}
        longest = max(run.values(), default=0)
        best = (end, longest) if longest > best[1] else best
    return tuple(words[best[0] - best[1] : best[0]])


def bare_name(event: str) -> str:
    """The name of an event type without what stands in brackets: the sort of its cause, or who falls ill."""
    return re.sub(r"\s*\([^)]*\)", "", event).strip() or event


def names_something(text: str, event: str, source: str) -> bool:
    """Whether a text names its event by a word of its name, or something that its source names by a capital."""
    words = set(plain(text).split())
    of_event = {word for word in plain(bare_name(event)).split() if len(word) >= SHORT}
    if any(word.startswith(one[: max(SHORT, len(one) - 2)]) for one in of_event for word in words):
        return True
    names = set(re.findall(r"(?<=[a-z0-9,;:] )[A-Z][\w-]{2,}", source)) | set(re.findall(r"\b[A-Z]{2,}\w*", source))
    return any(plain(name) in words for name in names)


def repeated(texts: Iterable[tuple[str, str]]) -> str:
    """Which of some named texts say the same, in words; "" where each is another one."""
    seen: dict[str, str] = {}
    for name, text in texts:
        other = seen.setdefault(plain(text), name)
        if other != name:
            return f"{other} and {name} are the same text: write another one"
    return ""


def invented(text: str, source: str) -> str:
    """A name of the worked examples that a text has and its source has not; "" for none."""
    return next((name for name in INVENTED if name in text and name not in source), "")
