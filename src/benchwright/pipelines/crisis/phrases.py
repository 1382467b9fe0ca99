"""Words by which a question says its time, language by language; and which words of the gold it gives away.

English is checked; of other languages nothing is claimed, and their questions are told as unchecked.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from benchwright.agents.crisis.time import TIME_FRAMES, TimeFrame
from benchwright.domain.text import plain

OK, UNCHECKED = "ok", "unchecked"
ENGLISH = ("english", "en")
FEW = "few|several|many|some|couple of|two|three|four|five|six|seven|eight|ten|[2-9]|10"
# What says each time, tried in this order, each with what the one before has left: "a few weeks" is a month.
PHRASES: Mapping[TimeFrame, tuple[str, ...]] = {
    "month": (
        "months?",
        rf"(?:{FEW})\s+(?:\w+\s+)?weeks",
        "in the weeks",
        "(?:coming|upcoming|following|next|subsequent) weeks",
        "weeks (?:after|later|following|into|on)",
        r"long[-\s]?(?:term|run)",
        "(?:30|thirty) days",
        "permanent(?:ly)?",
        "future",
        "eventually",
    ),
    "week": (
        "week(?:'s|s)?",
        rf"(?:{FEW})\s+(?:\w+\s+)?days",
        "days (?:after|later|following|into|on)",
        r"(?:with)?in (?:the )?(?:\w+ )?days",
        "(?:coming|upcoming|following|next|subsequent) days",
    ),
    "immediate": (
        "immediate(?:ly)?",
        "right (?:away|after|now|when|then|as)",
        "(?:all )?at once",
        "straight away",
        "first",
        "initial(?:ly)?",
        "as soon as",
        "prompt(?:ly)?",
        "instant(?:ly)?",
        "just (?:after|now)",
        "urgent(?:ly)?",
        "emergency action",
        "quick(?:ly|est)?",
        "minutes|hours?|moments?",
        "now",
        "without delay",
        "on the spot",
    ),
}
PATTERNS = {time: re.compile(rf"\b(?:{'|'.join(found)})\b", re.IGNORECASE) for time, found in PHRASES.items()}
RUN = 4  # words in a row that are the same are a quotation
SMALL = 4  # letters, from which on a word carries meaning enough to be compared


def is_english(*languages: str) -> bool:
    """Whether the first language that is named is English; where none is, English is taken for granted."""
    named = next((one for one in languages if one), "english").strip().lower()
    return named in ENGLISH or named.startswith("en-")


def times_named(question: str) -> tuple[TimeFrame, ...]:
    """The time frames that an English question speaks of, in their order."""
    rest, found = question, set()
    for time, pattern in PATTERNS.items():
        if pattern.search(rest):
            found.add(time)
            rest = pattern.sub(" ", rest)
    return tuple(time for time in TIME_FRAMES if time in found)


def fault_of_time(question: str, time: TimeFrame) -> str:
    """Why an English question does not stand in its time frame; "" where it does."""
    named = times_named(question)
    if not named:
        return f"no words say that it asks about the time '{time}'"
    # "the first step after a week" speaks of a week: beside a later time the words for right away say nothing.
    later = tuple(one for one in named if one != "immediate") or named
    other = next((one for one in later if one != time), "")
    return f"its words speak of the time '{other}', not '{time}'" if other else ""


def leak(question: str, gold: Sequence[str], share: float) -> str:
    """Which words of a gold text a question gives away, "" where these are few.

    A run of words that is quoted counts, or a share of the words that carry meaning. Such words stand in many good
    questions (water, shelter), so a leak sends a question to people and never rejects it.
    """
    own = plain(question)
    for text in gold:
        words = plain(text).split()
        if quoted := next((run for run in runs(words) if f" {run} " in f" {own} "), ""):
            return f"it quotes {quoted!r}"
        heavy = {word for word in words if len(word) >= SMALL}
        shared = sorted(heavy & set(own.split()))
        if len(heavy) > 1 and len(shared) >= share * len(heavy):
            return f"it shares with the gold: {', '.join(shared)}"
    return ""


def leak_of_meaning(gold: Sequence[str], cosines: Sequence[float], by: str, above: float) -> str:
    """The gold text that a question is nearest to in meaning, "" where none is nearer than `above`.

    It finds what words do not show: the gold in other words. It sends a question to people too, and never rejects it.
    """
    near, text = max(zip(cosines, gold, strict=True), default=(0.0, ""))
    return f"its meaning is near the gold: {text!r} (cosine {near:.2f} by {by})" if near > above else ""


def runs(words: Sequence[str]) -> Iterator[str]:
    """Each run of words that counts as a quotation."""
    return (" ".join(words[place : place + RUN]) for place in range(len(words) - RUN + 1))
