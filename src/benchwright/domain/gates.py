"""Deterministic gates: faults of an option that code can see, so that no vote is spent on it.

Each gate is a function of texts alone and has a name, which is recorded as the reason the option fell. A gate fells
only what is certainly at fault: what it lets pass still meets the panel.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache

from benchwright.domain.numbers import unstated

PLACEHOLDER = re.compile(
    r"""n\ ?a|none|null|nil|nan|unknown|tbd|todo|text|string|(?:option|answer|distractor)s?(?:\ \w\d?)?
    |(?:the\ )?(?:correct|right|wrong)\ (?:option|answer)|(?:not|none)\ (?:stated|specified|mentioned|given|applicable)
    |(?:all|none|both|neither|any)\ of\ the\ (?:above|options|others|answers)|(?:your|the)\ \w+\ here
    |insert\ (?:\w+\ ){0,2}(?:here|text|answer|option)|lorem\ ipsum.*
    |(?:failed|unable)\ to\ (?:generate|produce|parse|create|load|write|find)\b.*""",
    re.VERBOSE,
)
MARK = re.compile(
    r"""(?P<point>(?<=\d)[.,](?=\d))          # 3.5 is neither 35 nor 3 and 5
    |(?P<dash>(?<=\d)[-\u2212](?=\d))      # 12-15
    |(?P<minus>(?<!\w)[-\u2212](?=\d)|(?<=\w)[-\u2212](?!\w))  # -5, HIV-
    |[\W_]""",
    re.VERBOSE,
)


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text without case, Unicode form, punctuation or spacing: what makes two options the same.

    Signs that change the meaning stay: HIV+ is not HIV-, and neither is < 5 the same as 5 or 5 %.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(MARK.sub(meant, folded).split())


def meant(mark: re.Match[str]) -> str:
    """What remains of a character that is no letter or digit."""
    char, kind = mark[0], unicodedata.category(mark[0])
    if mark["minus"]:
        return " \u2212 "
    if mark["point"] or kind[0] == "M":  # vowel signs of many scripts are marks
        return char
    if kind == "Cf":  # soft hyphens, joiners
        return ""
    return f" {char} " if not mark["dash"] and (kind in {"Sm", "Sc"} or char in "%‰") else " "


def fallen(text: str, evidence: Sequence[str], stem: str, others: Iterable[str]) -> str | None:
    """The name of the first gate at which an option falls; None where it passes all.

    `evidence` are the cited sentences, `others` the option texts that stand before it, of either kind.
    """
    words, cited = plain(text), plain(" ".join(evidence))
    if empty(text) and not (words and within(words, cited)):
        return "placeholder"
    if not evidence:
        return "no_evidence"
    if words in map(plain, others):
        return "duplicate"
    if any(map(str.isalpha, words)) and within(words, plain(stem)):
        return "in_stem"
    if unstated(text, " ".join([*evidence, stem])):
        return "number_not_in_evidence"
    return None


def empty(text: str) -> bool:
    """Whether the text says nothing: no word at all, or words that stand where an answer should ("Option A")."""
    words = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    return not words or PLACEHOLDER.fullmatch(words) is not None


def within(words: str, text: str) -> bool:
    """Whether the words, both sides plain, occur in the text as they stand."""
    return f" {words} " in f" {text} "
