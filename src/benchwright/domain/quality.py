"""How good the checkers of a panel are: what they say of options known to be right and wrong, and how far they agree.

Agreement is taken on each checker's first vote on an option. Later runs are asked about disputed options only, where
early stopping leaves the clear ones out, so they would make every panel look divided.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchwright.domain.agreement import Agreement, cohen, fleiss, krippendorff

ENOUGH = 20  # verdicts of one checker, or of a pair on the same options, before a flag is raised
STAMP = 0.95  # of a checker's verdicts: as many of one kind are no judgement
TESTS = 10  # planted options of each kind, before they flag
SKILL = 0.1  # how much more often known right than known wrong options must be called correct
CORRECT = "correct"


@dataclass(frozen=True, slots=True)
class Word:
    """One checker's verdict on one option in one run (from 1); `keep` None is an abstention."""

    option: str
    model: str
    run: int
    verdict: str
    keep: bool | None


@dataclass(frozen=True, slots=True)
class Probe:
    """What a checker said of a planted option; `right` is what the option is known to be."""

    model: str
    right: bool
    verdict: str


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

    `confirms` is the share of its votes cast that confirm the label (the strictest checker has the lowest), `abstains`
    of all its verdicts; `favourite` is what it says most often, `said` how often. Of planted options it calls
    `true_positives` of the right and `false_positives` of the wrong ones correct. `flag` says what is wrong with it.
    """

    model: str
    confirms: Share
    abstains: Share
    favourite: str
    said: Share
    true_positives: Share
    false_positives: Share
    flag: str


@dataclass(frozen=True, slots=True)
class Pair:
    """Two checkers: on how many options both gave a verdict, on how many another one, and Cohen's kappa."""

    models: tuple[str, str]
    differ: Share
    kappa: Agreement
    flag: str


@dataclass(frozen=True, slots=True)
class Quality:
    """A panel, its strictest checker first; agreement on verdicts, and alpha on the votes that follow from them."""

    checkers: tuple[Checker, ...]
    pairs: tuple[Pair, ...]
    alpha: Agreement
    alpha_votes: Agreement
    kappa: Agreement

    @property
    def flags(self) -> tuple[str, ...]:
        """What is wrong with single checkers and with pairs."""
        alone = (f"{one.model} {one.flag}" for one in self.checkers if one.flag)
        return (*alone, *(f"{' and '.join(pair.models)} {pair.flag}" for pair in self.pairs if pair.flag))


def quality(words: Sequence[Word], probes: Sequence[Probe]) -> Quality:
    """Measure every checker that has said something."""
    models = sorted({word.model for word in words} | {probe.model for probe in probes})
    checkers = [
        checker(name, [w for w in words if w.model == name], [p for p in probes if p.model == name]) for name in models
    ]
    first = {(word.option, word.model): word for word in words if word.run == 1}
    units = [[first.get((option, model)) for model in models] for option in sorted({name for name, _ in first})]
    verdicts = [[said_of(word) for word in unit] for unit in units]
    return Quality(
        checkers=tuple(sorted(checkers, key=strictness)),
        pairs=tuple(pair((models[a], models[b]), [(v[a], v[b]) for v in verdicts]) for a, b in both(models)),
        alpha=krippendorff(verdicts),
        alpha_votes=krippendorff([[None if w is None else w.keep for w in unit] for unit in units]),
        kappa=fleiss(table(verdicts)),
    )


def said_of(word: Word | None) -> str | None:
    """A verdict; None for an abstention or where there is none."""
    return None if word is None or word.keep is None else word.verdict


def both(models: Sequence[str]) -> Iterable[tuple[int, int]]:
    """The places of any two models."""
    return combinations(range(len(models)), 2)


def table(verdicts: Iterable[Sequence[str | None]]) -> list[list[int]]:
    """The options on which all gave a verdict, by how many gave which."""
    whole = [Counter(unit) for unit in verdicts if None not in unit]
    kinds = sorted({str(verdict) for unit in whole for verdict in unit})
    return [[unit[kind] for kind in kinds] for unit in whole]


def strictness(one: Checker) -> tuple[float, str]:
    """What sorts the strictest checker first."""
    rate = one.confirms.rate
    return 1.0 if rate is None else rate, one.model


def checker(model: str, words: Sequence[Word], probes: Sequence[Probe]) -> Checker:
    """Measure one checker."""
    cast = [word for word in words if word.keep is not None]
    verdicts = Counter(word.verdict for word in words)
    favourite, most = verdicts.most_common(1)[0] if verdicts else ("", 0)
    said = Share(most, len(words))
    hits, alarms = (called_correct([probe for probe in probes if probe.right == right]) for right in (True, False))
    return Checker(
        model=model,
        confirms=Share(sum(word.keep is True for word in cast), len(cast)),
        abstains=Share(len(words) - len(cast), len(words)),
        favourite=favourite,
        said=said,
        true_positives=hits,
        false_positives=alarms,
        flag=stamp(favourite, said) or unskilled(hits, alarms),
    )


def called_correct(probes: Sequence[Probe]) -> Share:
    """How many planted options a checker called correct."""
    return Share(sum(probe.verdict == CORRECT for probe in probes), len(probes))


def stamp(favourite: str, said: Share) -> str:
    """What is wrong with a checker that says the same to everything."""
    if said.of < ENOUGH or said.n < STAMP * said.of:
        return ""
    return f"is a rubber stamp: it says {favourite!r} to {said.n} of {said.of} options"


def unskilled(hits: Share, alarms: Share) -> str:
    """What is wrong with a checker that does not tell right from wrong."""
    if min(hits.of, alarms.of) < TESTS or hits.n / hits.of - alarms.n / alarms.of >= SKILL:
        return ""
    known = f"{alarms.n} of {alarms.of} options known to be wrong, {hits.n} of {hits.of} known to be right"
    return f"does not tell right from wrong: it calls correct {known}"


def pair(models: tuple[str, str], verdicts: Iterable[tuple[str | None, str | None]]) -> Pair:
    """Compare two checkers."""
    common = [(a, b) for a, b in verdicts if a is not None and b is not None]
    differ = Share(sum(a != b for a, b in common), len(common))
    never = differ.of >= ENOUGH and not differ.n
    flag = f"never disagree, on {differ.of} options: the one adds nothing to the other" if never else ""
    return Pair(models, differ, cohen([a for a, _ in common], [b for _, b in common]), flag)
