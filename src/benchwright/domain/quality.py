"""How good the voters of a panel are: what they say of things known to be right and wrong, and how far they agree.

A voter is a model that votes yes or no, grades, or names a category. Agreement is taken on each voter's first word
about a thing. Later runs are asked about disputed things only, where early stopping leaves the clear ones out, so they
would make every panel look divided. Grades are compared by how far they lie apart: weighted kappa, alpha on the ordinal
scale.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from benchwright.domain.agreement import (
    Agreement,
    Rating,
    Scale,
    Weights,
    cohen,
    fleiss,
    krippendorff,
    undefined_agreement,
)
from benchwright.domain.category import Category
from benchwright.domain.grade import Grade
from benchwright.domain.statistics import Rate, wilson
from benchwright.domain.vote import Vote

ENOUGH = 20  # words of one voter, or of a pair about the same things, before a flag is raised
STAMP = 0.95  # of a voter's words: as many of one kind are no judgement
TESTS = 10  # planted things of each kind, before they flag
SKILL = 0.1  # how much more often known right than known wrong things must be called right
CANNOT_SAY = "cannot_say"  # the word of whoever abstains and has no word of its own for it

Word = Vote | Grade | Category


class WordKind(StrEnum):
    """Which words a panel gives."""

    VOTES = "votes"  # yes or no
    GRADES = "grades"
    CATEGORIES = "categories"


KIND_OF: Mapping[type[Word], WordKind] = {Vote: WordKind.VOTES, Grade: WordKind.GRADES, Category: WordKind.CATEGORIES}


@dataclass(frozen=True, slots=True)
class Probe:
    """What a voter said of a planted thing: whether it is known to be right, and whether the voter called it right."""

    model: str
    right: bool
    called_right: bool


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    n: int
    of: int

    @property
    def rate(self) -> float | None:
        """As a fraction; None of nothing."""
        return self.n / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class Checker:
    """One model of a panel.

    `confirms` is the share of its votes cast that confirm what their things claim to be, `mean` its mean grade: the
    strictest has the lowest. `abstains` is of all its words; `favourite` is what it says most often, `said` how often.
    Of planted things it calls `true_positives` of the right and `false_positives` of the wrong ones right. `flag` says
    what is wrong with it.
    """

    model: str
    confirms: Share
    abstains: Share
    favourite: str
    said: Share
    true_positives: Share
    false_positives: Share
    flag: str
    mean: float | None = None

    @property
    def misses(self) -> Rate:
        """How many of the things that are known to be right it did not call right, with the ends of the interval."""
        return wilson(self.true_positives.of - self.true_positives.n, self.true_positives.of)

    @property
    def false_alarms(self) -> Rate:
        """How many of the things that are known to be wrong it called right, likewise."""
        return wilson(self.false_positives.n, self.false_positives.of)

    def json(self) -> dict[str, object]:
        """The voter as JSON values, with both of its error rates."""
        errors = {
            "known_right_called_wrong": asdict(self.misses),
            "known_wrong_called_right": asdict(self.false_alarms),
        }
        return asdict(self) | {"errors": errors}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two voters: on how many things both gave a word, on how many another one, and Cohen's kappa."""

    models: tuple[str, str]
    differ: Share
    kappa: Agreement
    flag: str


@dataclass(frozen=True, slots=True)
class Quality:
    """A panel, its strictest voter first; agreement on the words it gives.

    For yes/no votes `alpha_votes` is that on the votes which follow from the words; None where there are no such votes.
    """

    words: WordKind
    checkers: tuple[Checker, ...]
    pairs: tuple[Pair, ...]
    alpha: Agreement
    alpha_votes: Agreement | None
    kappa: Agreement

    @property
    def flags(self) -> tuple[str, ...]:
        """What is wrong with single voters and with pairs."""
        alone = (f"{one.model} {one.flag}" for one in self.checkers if one.flag)
        return (*alone, *(f"{' and '.join(pair.models)} {pair.flag}" for pair in self.pairs if pair.flag))


@dataclass(frozen=True, slots=True)
class Measures:
    """How words of one kind are compared; `thing` is what is voted on, in a word."""

    words: WordKind
    thing: str
    range: tuple[int, ...] = ()  # of grades, gaps included

    @property
    def scale(self) -> Scale:
        """That of alpha."""
        return "ordinal" if self.words is WordKind.GRADES else "nominal"

    @property
    def weights(self) -> Weights:
        """Those of Cohen's kappa."""
        return "quadratic" if self.words is WordKind.GRADES else "unweighted"

    def things(self, number: int) -> str:
        """So many things."""
        return f"{number} {self.thing}s"


def qualities(words: Iterable[Word], probes: Sequence[Probe], thing: str) -> tuple[Quality, ...]:
    """Measure the panels of a campaign, one for each kind of words; planted things are of the first."""
    by_kind: dict[WordKind, list[Word]] = {}
    for word in words:
        by_kind.setdefault(KIND_OF[type(word)], []).append(word)
    kinds = sorted(by_kind, key=list(WordKind).index) or ([WordKind.VOTES] if probes else [])
    return tuple(quality(by_kind.get(kind, []), () if n else probes, thing) for n, kind in enumerate(kinds))


def quality(words: Sequence[Word], probes: Sequence[Probe], thing: str) -> Quality:
    """Measure every voter that has said something. All words are of one kind."""
    signed = [(*signature(word), word) for word in words]
    models = sorted({model for model, _, _ in signed} | {probe.model for probe in probes})
    by = measures(words, thing)
    first = {(word.about, model): word for model, run, word in signed if run == 1}
    units = [[first.get((about, model)) for model in models] for about in sorted({name for name, _ in first})]
    values = [[value_of(word) for word in unit] for unit in units]
    votes = [[word.keep if isinstance(word, Vote) else None for word in unit] for unit in units]
    of_model = {name: [word for model, _, word in signed if model == name] for name in models}
    checkers = [
        checker(name, of_model[name], [p for p in probes if p.model == name], common(of_model, name, by), by)
        for name in models
    ]
    return Quality(
        words=by.words,
        checkers=tuple(sorted(checkers, key=strictness)),
        pairs=tuple(pair((models[a], models[b]), [(v[a], v[b]) for v in values], by) for a, b in both(models)),
        alpha=krippendorff(values, by.scale),
        alpha_votes=krippendorff(votes) if by.words is WordKind.VOTES else None,
        kappa=fleiss_of_all(values, models),
    )


def fleiss_of_all(values: Sequence[Sequence[Rating | None]], models: Sequence[str]) -> Agreement:
    """Fleiss's kappa, which rests on what all have rated; where that leaves it undefined, who rated least is named."""
    whole = table(values)
    found, rated = fleiss(whole), [sum(value is not None for value in column) for column in zip(*values, strict=True)]
    if found.value is not None or len(models) < 2 or len(whole) == len(values):  # noqa: PLR2004 - raters
        return found
    least = min(range(len(models)), key=lambda number: rated[number])
    who = f"{models[least]} rated {rated[least]} of {len(values)}"
    why = f"all have rated only {len(whole)}, each the same" if whole else "nothing was rated by all raters"
    return undefined_agreement(f"{why}: {who}", len(whole))


def measures(words: Sequence[Word], thing: str) -> Measures:
    """How these words are compared."""
    grades = [word.grade for word in words if isinstance(word, Grade) and word.grade is not None]
    kind = KIND_OF[type(words[0])] if words else WordKind.VOTES
    return Measures(kind, thing, tuple(range(min(grades), max(grades) + 1)) if grades else ())


def signature(word: Word) -> tuple[str, int]:
    """Whose word it is: the model, and which of its runs, from 1."""
    model, _, run = word.by.rpartition("#")
    return model, int(run)


def value_of(word: Word | None) -> Rating | None:
    """What a voter says of a thing; None for an abstention or where there is no word."""
    if word is None:
        return None
    if isinstance(word, Vote):
        return None if word.keep is None else word.verdict or ("yes" if word.keep else "no")
    return word.grade if isinstance(word, Grade) else word.value


def word_text(word: Word) -> str:
    """A word as text; an abstention has one too."""
    value = value_of(word)
    own = word.verdict if isinstance(word, Vote) else ""
    return own or (CANNOT_SAY if value is None else str(value))


def common(of_model: Mapping[str, Sequence[Word]], name: str, by: Measures) -> frozenset[str]:
    """What all others say to nearly everything: whoever says that of most things judges as they do.

    Most of the things that are graded or sorted may well be alike. Those that are voted on are mixed on purpose.
    """
    heard = Counter(word_text(word) for model, words in of_model.items() if model != name for word in words)
    often = {value for value, times in heard.items() if times >= STAMP * heard.total()}
    return frozenset() if by.words is WordKind.VOTES else frozenset(often)


def both(models: Sequence[str]) -> Iterable[tuple[int, int]]:
    """The places of any two models."""
    return combinations(range(len(models)), 2)


def table(values: Iterable[Sequence[Rating | None]]) -> list[list[int]]:
    """The things about which all gave a word, by how many gave which."""
    whole = [Counter(unit) for unit in values if None not in unit]
    kinds = sorted({value for unit in whole for value in unit}, key=str)
    return [[unit[kind] for kind in kinds] for unit in whole]


def strictness(one: Checker) -> tuple[float, str]:
    """What sorts the strictest voter first, and those without a vote or a grade last."""
    rate = one.confirms.rate if one.mean is None else one.mean
    return float("inf") if rate is None else rate, one.model


def checker(
    model: str, words: Sequence[Word], probes: Sequence[Probe], others: frozenset[str], by: Measures
) -> Checker:
    """Measure one voter; `others` is what all others say to nearly everything."""
    cast = [word for word in words if value_of(word) is not None]
    votes = [word.keep for word in cast if isinstance(word, Vote)]
    grades = [word.grade or 0 for word in cast if isinstance(word, Grade)]
    favourite, most = Counter(map(word_text, words)).most_common(1)[0] if words else ("", 0)
    said = Share(most, len(words))
    hits, alarms = (called_right([probe for probe in probes if probe.right == right]) for right in (True, False))
    return Checker(
        model=model,
        confirms=Share(sum(keep is True for keep in votes), len(votes)),
        abstains=Share(len(words) - len(cast), len(words)),
        favourite=favourite,
        said=said,
        true_positives=hits,
        false_positives=alarms,
        flag=("" if favourite in others else stamp(favourite, said, by)) or fault_of_skill(hits, alarms, by),
        mean=float(Fraction(sum(grades), len(grades))) if grades else None,
    )


def called_right(probes: Sequence[Probe]) -> Share:
    """How many planted things a voter called right."""
    return Share(sum(probe.called_right for probe in probes), len(probes))


def stamp(favourite: str, said: Share, by: Measures) -> str:
    """What is wrong with a voter that says the same to everything."""
    if said.of < ENOUGH or said.n < STAMP * said.of:
        return ""
    return f"is a rubber stamp: it says {favourite!r} to {said.n} of {by.things(said.of)}"


def fault_of_skill(hits: Share, alarms: Share, by: Measures) -> str:
    """What is wrong with a voter that does not tell right from wrong."""
    if min(hits.of, alarms.of) < TESTS or hits.n / hits.of - alarms.n / alarms.of >= SKILL:
        return ""
    known = f"{alarms.n} of {by.things(alarms.of)} known to be wrong, {hits.n} of {hits.of} known to be right"
    return f"does not tell right from wrong: it calls correct {known}"


def pair(models: tuple[str, str], values: Iterable[tuple[Rating | None, Rating | None]], by: Measures) -> Pair:
    """Compare two voters."""
    both_said = [(a, b) for a, b in values if a is not None and b is not None]
    differ = Share(sum(a != b for a, b in both_said), len(both_said))
    never = differ.of >= ENOUGH and not differ.n
    flag = f"never disagree, on {by.things(differ.of)}: the one adds nothing to the other" if never else ""
    kappa = cohen([a for a, _ in both_said], [b for _, b in both_said], by.range or None, by.weights)
    return Pair(models, differ, kappa, flag)
