"""Options that are known to be right or wrong, by which checkers are measured.

Planted ones are built by code and put among an item's own. Wrong is a correct option with one small edit (a number, a
unit, a direction, a negation, a place), or else a fact of no document. Right is the cited sentence itself, where a
sentence may state the answer. They ride along on questions that are asked anyway, get no route, and never reach the
set. Where no right one can be planted, those that people kept or rejected are known as well.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from benchwright.domain.answer import Answer
from benchwright.domain.ids import seeded_random
from benchwright.domain.opinion import KEEP, REJECT, standing_opinions
from benchwright.domain.quality import Probe
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option, option_id

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


# English only: in other languages numbers alone are edited.
PAIRS = (  # of which one word takes the place of the other
    ("increased", "decreased"), ("increase", "decrease"), ("increases", "decreases"), ("rose", "fell"),
    ("higher", "lower"), ("more", "fewer"), ("before", "after"), ("above", "below"), ("longer", "shorter"),
    ("older", "younger"), ("earlier", "later"), ("most", "fewest"), ("raises", "lowers"), ("raised", "lowered"),
)  # fmt: skip
DIRECTIONS = {word: other for pair in PAIRS for word, other in (pair, pair[::-1])}
UNITS = {
    "minutes": "hours",
    "hours": "days",
    "days": "weeks",
    "weeks": "months",
    "months": "years",
    "years": "months",
    "minute": "hour",
    "hour": "day",
    "day": "week",
    "week": "month",
    "month": "year",
    "year": "month",
    "kilometres": "metres",
    "metres": "kilometres",
    "km": "m",
    "mg": "g",
    "kg": "g",
    "ml": "litres",
    "litres": "ml",
}
AUXILIARY = re.compile(r"\b(was|were|is|are|did|do|does|has|have|had|can|could|may|will|would|should)\b(?! not\b)")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
PLACE = re.compile(rf"\b(in|at|from|near|of) (?!(?:{MONTHS})\b)([A-Z][a-z]{{3,}})\b")
PLACES = ("Ulvey", "Grenmoor", "Hadderfoss", "Tavel", "Lower Tarn")


def plant(
    options: Sequence[Option], share: float, seed: Sequence[object], *, stated: bool
) -> tuple[tuple[str, str], ...]:
    """The options by which a checker is tested, in a share of the items; `stated`: a sentence may be the answer."""
    chosen = seeded_random(*seed, "planted").random() < share
    return gold_options(options, *seed[1:], stated=stated) if chosen else ()


def gold_options(options: Sequence[Option], *seed: object, stated: bool = True) -> tuple[tuple[str, str], ...]:
    """A wrong option and perhaps a right one, (id, text), for an item with these correct options; none without any."""
    known = next((option for option in options if option.gate is None), None)
    if known is None:
        return ()
    cited = " ".join(span["text"] for option in options for span in option.evidence)
    wrong = edit_slightly(known.text, cited, *seed) or seeded_random("foreign", *seed).choice(FOREIGN)
    right = ((RIGHT, " ".join(known.evidence[0]["text"].split())),) if stated else ()
    return (*right, (WRONG, wrong))


def edit_slightly(text: str, cited: str, *seed: object) -> str | None:
    """The text with one small edit that makes it wrong, of a kind that the seed draws; None where none can be made."""
    found = (
        change_number(text, cited, *seed),
        swap_word(text, DIRECTIONS),
        swap_word(text, UNITS),
        negate(text),
        change_place(text, cited, *seed),
    )
    edits = [one for one in found if one]
    return seeded_random("edit", *seed).choice(edits) if edits else None


def swap_word(text: str, others: Mapping[str, str]) -> str | None:
    """The text with its first such word in exchange for the other one; None without any."""
    found = re.search(rf"\b(?:{'|'.join(map(re.escape, others))})\b", text)
    return text[: found.start()] + others[found[0]] + text[found.end() :] if found else None


def negate(text: str) -> str | None:
    """The text that says the opposite, by a "not" more or less; None where there is no place for one."""
    if re.search(r"\bnot ", text):
        return re.sub(r"\bnot ", "", text, count=1)
    return AUXILIARY.sub(r"\1 not", text, count=1) if AUXILIARY.search(text) else None


def change_place(text: str, cited: str, *seed: object) -> str | None:
    """The text with a place that does not exist for one that it names; None where it names none."""
    there = [place for place in PLACES if place not in f"{text} {cited}"]
    place = seeded_random("place", *seed).choice(there) if there else ""
    return PLACE.sub(rf"\1 {place}", text, count=1) if place and PLACE.search(text) else None


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


# ------------------------------------------------------------------------------------------------ what was said of them


def gold_verdicts(answers: Iterable[Answer], reviewer: str = "review_option") -> Iterator[Probe]:
    """What the checkers of an item said of options that are known to be right or wrong.

    What people decided is known, too, where nothing right was planted: their word is about what votes leave open, and a
    sample of the rest, so rates of it alone are no rates of all options.
    """
    answers = tuple(answers)
    said = [(answer.by.rpartition("#")[0], answer.value.get("verdicts", {})) for answer in answers]
    known = {RIGHT: True, WRONG: False}
    if not any(RIGHT in verdicts for _, verdicts in said):
        known |= known_by_people(answers, reviewer)
    for model, verdicts in said:
        for name, right in known.items():
            if name in verdicts:
                yield Probe(model, right, verdicts[name]["verdict"] == CORRECT)


def known_by_people(answers: Sequence[Answer], reviewer: str) -> dict[str, bool]:
    """Whether options are right, by their ids: those on which all people who decided are of one mind.

    A distractor that they reject may be right, or no sensible option: it is not known which.
    """
    words: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.step == reviewer:
            words.setdefault(answer.about, []).append(answer)
    labels = {name: label for answer in answers for name, label in labels_of(answer)}
    meaning = {(CORRECT, KEEP): True, (CORRECT, REJECT): False, (DISTRACTOR, KEEP): False}
    found = {}
    for name, said in words.items():
        decided = {opinion.decision for opinion in standing_opinions(said) if not opinion.abstains}
        place = labels.get(name), next(iter(decided), "")
        if len(decided) == 1 and place in meaning:
            found[name] = meaning[place]
    return found


def labels_of(answer: Answer) -> Iterator[tuple[str, str]]:
    """The names that the options of an answer may have, each with what it claims to be."""
    for entry in (*answer.value.get("options", ()), *answer.value.get("conclusions", ())):
        for label in (CORRECT, DISTRACTOR):
            yield option_id(label, entry["text"]), label
