"""Deterministic gates: faults of an option that code can see, so that no vote is spent on it.

Each gate is a function of texts alone and has a name, which is recorded as the reason the option fell. A gate fells
only what is certainly at fault: what it lets pass still meets the panel.
"""

import re
from collections.abc import Iterable, Sequence

from benchwright.domain.numbers import unstated_numbers
from benchwright.domain.text import plain, within

PLACEHOLDER = re.compile(
    r"""n\ ?a|none|null|nil|nan|unknown|tbd|todo|text|string|(?:option|answer|distractor)s?(?:\ \w\d?)?
    |(?:the\ )?(?:correct|right|wrong)\ (?:option|answer)|(?:not|none)\ (?:stated|specified|mentioned|given|applicable)
    |(?:all|none|both|neither|any)\ of\ the\ (?:above|options|others|answers)|(?:your|the)\ \w+\ here
    |insert\ (?:\w+\ ){0,2}(?:here|text|answer|option)|lorem\ ipsum.*
    |(?:failed|unable)\ to\ (?:generate|produce|parse|create|load|write|find)\b.*""",
    re.VERBOSE,
)


def failed_gate(text: str, evidence: Sequence[str], stem: str, others: Iterable[str]) -> str | None:
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
    if unstated_numbers(text, " ".join([*evidence, stem])):
        return "number_not_in_evidence"
    return None


def empty(text: str) -> bool:
    """Whether the text says nothing: no word at all, or words that stand where an answer should ("Option A")."""
    words = " ".join(re.findall(r"[^\W_]+", text.casefold()))
    return not words or PLACEHOLDER.fullmatch(words) is not None
