"""Texts compared: what makes two of them the same, and whether one stands in the other."""

import re
import unicodedata
from functools import lru_cache

INITIALS = (2, 10)  # letters of an abbreviation
MARK = re.compile(
    r"""(?P<point>(?<=\d)[.,](?=\d))          # 3.5 is neither 35 nor 3 and 5
    |(?P<dash>(?<=\d)[-\u2212](?=\d))      # 12-15
    |(?P<minus>(?<!\w)[-\u2212](?=\d)|(?<=\w)[-\u2212](?!\w))  # -5, HIV-
    |[\W_]""",
    re.VERBOSE,
)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text without case, Unicode form, punctuation or spacing: what makes two texts the same.

    Signs that change the meaning stay: HIV+ is not HIV-, and neither is < 5 the same as 5 or 5 %.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(MARK.sub(letters_of_mark, folded).split())


def letters_of_mark(mark: re.Match[str]) -> str:
    """What remains of a character that is no letter or digit."""
    char, kind = mark[0], unicodedata.category(mark[0])
    if mark["minus"]:
        return " \u2212 "
    if mark["point"] or kind[0] == "M":  # vowel signs of many scripts are marks
        return char
    if kind == "Cf":  # soft hyphens, joiners
        return ""
    return f" {char} " if not mark["dash"] and (kind in {"Sm", "Sc"} or char in "%‰") else " "


def within(words: str, text: str) -> bool:
    """Whether the words, both sides plain, occur in the text as they stand."""
    return f" {words} " in f" {text} "


def plural(number: int, thing: str) -> str:
    """A number with its noun."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def abbreviates(name: str) -> bool:
    """Whether a name is an abbreviation: one word, short, with two capitals at least (HTLV-1, RVFv)."""
    least, most = INITIALS
    return " " not in name.strip() and least <= len(name) <= most and sum(map(str.isupper, name)) >= least
