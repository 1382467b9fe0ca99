"""Flaws of an item's wording that give an answer away or make it unclear: the field's rules for item writing, as code.

Each is a function of texts alone. A flaw is told to the writer once, as it may be a false alarm; it never fells an
option. The rules are those on which guides agree (Haladyna, Downing & Rodriguez 2002, Applied Measurement in Education
15(3)), as far as code can see them; their word lists are English.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.agents.choice.leaks import root, words
from benchwright.agents.choice.wording import POINTER

# What is asked for is what is not so; a negation in a clause beside it is none ("the reason for not waiting").
NEGATION = re.compile(
    r"^(?:in [^,;]*, )?(?:which|what|who|whom|where|when|why|how)\b[^,;]{0,60}?"
    r"\b(?:is|are|was|were|did|do|does|has|have|had|can|could|will|would|should)(?: not\b|n['\u2019]t\b)|\bNOT\b"
    r"|\bexcept(?:ing)?\b|\bleast likely\b|\bcannot be\b"
    r"|\bwhich\b[^,;]{0,30}\b(?:neither|none)\b",
)
ABSOLUTE = re.compile(
    r"\b(?:always|never|only|completely|entirely|exclusively|solely|impossible|invariably)\b"
    r"|^(?:all|every|none|no)\b",
    re.IGNORECASE,
)
ABOVE = re.compile(
    r"\b(?:all|none|both|neither|any|either)(?: of)? (?:the |these |those )?"
    r"(?:above|options?|answers?|choices|others|[A-F] (?:and|or|nor) [A-F])\b|\b[A-F] (?:and|or) [A-F]\b",
    re.IGNORECASE,
)
MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
DATED = re.compile(rf"\b(?:{MONTHS})\b|\b(?:1[89]|20)\d\d\b", re.IGNORECASE)
NUMERIC = re.compile(r"^\W*(?:about |approximately |around |over |under )?\d")
SEVERAL = 3  # words of the question that betray a right option which is a sentence
SHORT = 6  # words of an option that is a value and no sentence
FAR, LEAST = 1.5, 15  # the right option is longest by far: so many times the next, and so many characters more
NAMES = ("pointer", "negation", "absolute", "above", "unit", "stem_word", "longest")


@dataclass(frozen=True, slots=True)
class Flaw:
    """A flaw by its name, and what to do about it."""

    name: str
    advice: str


def stem_flaws(stem: str) -> Iterator[Flaw]:
    """What is wrong with a question by itself."""
    if found := POINTER.search(stem):
        advice = f"the question says {found[0]!r}: ask about the matter itself, without a pointer to where it stands"
        yield Flaw("pointer", advice)
    if found := NEGATION.search(stem[:1].lower() + stem[1:]):
        yield Flaw("negation", f"the question says {found[0]!r}: ask for what is so, not for what is not")


def option_flaws(stem: str, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Flaw]:
    """What is wrong with the options of a question; what only a comparison shows needs options of both kinds."""
    for text in (*right, *wrong):
        if ABOVE.search(text):
            yield Flaw("above", f"{text!r} speaks of other options: write an answer that stands by itself")
    if not (right and wrong):
        return
    yield from absolute_words(right, wrong)
    yield from different_kinds(right, wrong)
    yield from shared_words(stem, right, wrong)
    yield from longest_option(right, wrong)


def absolute_words(right: Sequence[str], wrong: Sequence[str]) -> Iterator[Flaw]:
    """Words without exception in options of one kind alone."""
    for own, other in ((right, wrong), (wrong, right)):
        found = [text for text in own if ABSOLUTE.search(text)]
        if found and not any(map(ABSOLUTE.search, other)):
            yield Flaw("absolute", f"{found[0]!r} is absolute, unlike the options of the other kind: say it otherwise")
            return


def kind_of(text: str) -> str:
    """What sort of value a short option is: a date, a percentage, a number; "" for words and sentences."""
    if len(text.split()) > SHORT:
        return ""
    if DATED.search(text):
        return "a date"
    if NUMERIC.match(text):
        return "a percentage" if re.search(r"%|\bper ?cent", text, re.IGNORECASE) else "a number"
    return ""


def different_kinds(right: Sequence[str], wrong: Sequence[str]) -> Iterator[Flaw]:
    """Options that are another sort of value than the right ones."""
    wanted = {kind_of(text) for text in right}
    if strange := next((text for text in wrong if kind_of(text) not in wanted), None):
        sort = kind_of(strange) or "words"
        yield Flaw("unit", f"{strange!r} is {sort}, unlike the right options: write all as the same sort of value")


def shared_words(stem: str, right: Sequence[str], wrong: Sequence[str]) -> Iterator[Flaw]:
    """A longer word of the question in each right option and in no wrong one; of sentences, several such words."""
    asked = {root(word) for word in words(stem)} - {""}
    common = set.intersection(*({root(word) for word in words(text)} for text in right)) & asked
    used = {root(word) for text in wrong for word in words(text)}
    found = sorted(common - used)
    if found and len(found) >= (1 if all(len(text.split()) <= SHORT for text in right) else SEVERAL):
        said = next(word for word in words(right[0]) if root(word) == found[0])
        yield Flaw("stem_word", f"only the right option says {said!r}, as the question does: use it in all or none")


def longest_option(right: Sequence[str], wrong: Sequence[str]) -> Iterator[Flaw]:
    """Right options that are longer by far than any wrong one."""
    shortest, most = min(map(len, right)), max(map(len, wrong))
    if shortest >= FAR * most and shortest - most >= LEAST:
        yield Flaw("longest", "the right option is the longest by far: write all about as long and as detailed")
