"""Deterministic gates: faults of an option that code can see, so that no vote is spent on it.

Each gate is a function of texts alone and has a name, which is recorded as the reason the option fell.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence

PLACEHOLDER = re.compile(
    r"""^\W*(?:n/?a|none|null|unknown|tbd|todo|text|string|option\s*\w?|answer\s*\w?|distractor\s*\w?|correct\ option
    |not\ (?:stated|specified|mentioned|given|applicable)|(?:all|none|both|neither)\ of\ the\ (?:above|options|others)
    |failed\ to\b.*|lorem\ ipsum.*|your\ \w+\ here|insert\b.*)\W*$""",
    re.IGNORECASE | re.VERBOSE,
)
NUMBER = re.compile(r"\d+(?:[.,  ]\d+)*")


def plain(text: str) -> str:
    """The text without case, accents of form, punctuation or spacing: what makes two options the same."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.findall(r"\w+(?:[.,]\d+)*", folded))


def numbers(text: str) -> set[str]:
    """The numbers in a text, without thousands separators or trailing zeros of form."""
    found = NUMBER.findall(unicodedata.normalize("NFKC", text))
    return {re.sub(r"[,   ](?=\d{3}(?!\d))", "", number).replace(",", ".") for number in found}


def fallen(text: str, evidence: Sequence[str], stem: str, others: Iterable[str]) -> str | None:
    """The name of the first gate at which an option falls; None where it passes all.

    `evidence` are the cited sentences, `others` the option texts that stand before it, of either kind.
    """
    words = plain(text)
    if not words or PLACEHOLDER.match(text):
        return "placeholder"
    if not evidence:
        return "no_evidence"
    if words in {plain(other) for other in others}:
        return "duplicate"
    if f" {words} " in f" {plain(stem)} ":
        return "in_stem"
    known = numbers(" ".join([*evidence, stem]))
    if not numbers(text) <= known:
        return "number_not_in_evidence"
    return None
