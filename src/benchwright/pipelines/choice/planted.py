"""Planted options: known to be right or wrong, put among an item's own to see whether checkers notice.

Built by code from what the item itself cites. Right is the cited sentence itself; wrong is a correct option with
another number in it, or else a fact of no document. They ride along on questions that are asked anyway, get no route,
and never reach the set.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from benchwright.domain.answer import Answer
from benchwright.domain.ids import seeded_random
from benchwright.domain.quality import Probe
from benchwright.pipelines.choice.option import CORRECT, Option

RIGHT, WRONG = "planted-right", "planted-wrong"  # under these ids stand the verdicts on them
FOREIGN = (  # of places that do not exist: no document states them
    "the night ferry between Osk Harbour and Lower Tarn",
    "forty-one bell founders of the Grenmoor valley",
    "the salt works at Brenn Ness, closed since the flood",
    "the lighthouse keepers' choir of Ulvey Island",
    "a toll of two copper marks at the Hadderfoss bridge",
    "the wool auction that Tavel holds every leap year",
)
NUMBER = re.compile(r"(?<![\w.,·-])\d{1,4}(?![\w%]*\d|[.,·]\d)(?!\w)")  # plain, and no part of a name or date
SHIFTS = range(2, 30)


def gold_options(options: Sequence[Option], *seed: object) -> tuple[tuple[str, str], ...]:
    """A right and a wrong option, (id, text), for an item with these correct options; none where that cannot be."""
    known = next((option for option in options if option.gate is None), None)
    if known is None:
        return ()
    sentence = " ".join(known.evidence[0]["text"].split())
    cited = " ".join(span["text"] for option in options for span in option.evidence)
    wrong = change_number(known.text, cited, *seed) or seeded_random("foreign", *seed).choice(FOREIGN)
    return (RIGHT, sentence), (WRONG, wrong)


def change_number(text: str, cited: str, *seed: object) -> str | None:
    """The text with its first number changed to one that the cited sentences do not hold; None without a number."""
    found = NUMBER.search(text)
    if not found:
        return None
    held = set(re.findall(r"\d+", f"{cited} {text}"))
    shifts = seeded_random("number", *seed).sample(SHIFTS, len(SHIFTS))
    others = (str(int(found[0]) + shift) for shift in shifts)
    other = next((number for number in others if number not in held), None)
    return None if other is None else text[: found.start()] + other + text[found.end() :]


def gold_verdicts(answers: Iterable[Answer]) -> Iterator[Probe]:
    """What the checkers of an item said of its planted options."""
    for answer in answers:
        verdicts = answer.value.get("verdicts", {})
        for name in (RIGHT, WRONG):
            if name in verdicts:
                yield Probe(answer.by.rpartition("#")[0], name == RIGHT, verdicts[name]["verdict"] == CORRECT)
