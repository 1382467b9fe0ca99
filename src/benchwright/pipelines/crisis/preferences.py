"""What people say who compare a model's answer with another one: win, tie or lose, with intervals and checks.

RESPONSE (arXiv 2503.11348, section 4.4) counts these by time frame and criterion. Its release has neither intervals nor
a check whether the place on the page mattered; both are here.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from benchwright.agents.crisis.prefer_answer import CRITERIA
from benchwright.domain.agreement import Agreement, krippendorff
from benchwright.domain.statistics import Rate, fisher, sign_test, wilson
from benchwright.pipelines.crisis.body import GOLD, Judged, Preference

Word = Literal["win", "tie", "lose"]
WORDS: tuple[Word, ...] = ("win", "tie", "lose")
SIGNIFICANT = 0.05  # a p below this is flagged


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one person says of one answer of a model by one criterion; `shown_first`: it stood first on the page.

    `card` names the comparison, so that the words of several people about it can be held together.
    """

    card: str
    person: str
    model: str
    time: str
    criterion: str
    word: Word
    shown_first: bool | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Whether the place on the page had to do with the outcome: wins and losses of answers shown first and second.

    `p` is Fisher's exact two-sided p, ties left out; None where it cannot be told.
    """

    first: tuple[int, int]
    second: tuple[int, int]
    p: float | None

    @property
    def flag(self) -> str:
        """What is wrong; "" for nothing."""
        if self.p is None or self.p >= SIGNIFICANT:
            return ""
        (a, b), (c, d) = self.first, self.second
        return f"the place on the page matters: shown first {a} won and {b} lost, shown second {c} won and {d} lost"


@dataclass(frozen=True, slots=True)
class Tally:
    """Outcomes of one sort: a rate for each word, the p of the sign test without ties, the place on the page."""

    n: int
    win: Rate
    tie: Rate
    lose: Rate
    p: float | None
    place: Place


def tally(outcomes: Sequence[Outcome]) -> Tally:
    """Outcomes counted."""
    counts, n = Counter(one.word for one in outcomes), len(outcomes)
    win, tie, lose = (wilson(counts[word], n) for word in WORDS)
    return Tally(n, win, tie, lose, sign_test(win.n, lose.n), place_of(outcomes))


def place_of(outcomes: Iterable[Outcome]) -> Place:
    """Wins and losses by the place on the page, as far as it is known."""
    counts = Counter((one.shown_first, one.word) for one in outcomes)
    first, second = ((counts[there, "win"], counts[there, "lose"]) for there in (True, False))
    return Place(first, second, fisher(first, second))


def agreement(outcomes: Iterable[Outcome]) -> Agreement:
    """Krippendorff's alpha of people over comparisons and criteria."""
    units: dict[tuple[str, str], dict[str, str]] = {}
    for one in outcomes:
        units.setdefault((one.card, one.criterion), {})[one.person] = one.word
    people = sorted({person for unit in units.values() for person in unit})
    return krippendorff([[unit.get(person) for person in people] for unit in units.values()])


# ---------------------------------------------------------------------------------------------- from judged questions


def outcomes_of(item: str, found: Judged) -> Iterator[Outcome]:
    """What people say of the models' answers to a question, each against the people's answer."""
    for one in found.preferences:
        if not one.attention:
            model = one.second if one.first == GOLD else one.first
            for criterion in CRITERIA:
                word = word_of(one, model, criterion)
                yield Outcome(f"{item}/{model}", one.by, model, found.asked.time, criterion, word, one.first == model)


def word_of(one: Preference, model: str, criterion: str) -> Word:
    """Whether a model's answer wins."""
    side = one.better[criterion]
    if side == "tie":
        return "tie"
    return "win" if {"first": one.first, "second": one.second}[side] == model else "lose"


def failed_checks(one: Preference) -> bool:
    """Whether a person fell for an answer that makes no sense, by any criterion."""
    return any(word_of(one, GOLD, criterion) == "lose" for criterion in CRITERIA)


@dataclass(frozen=True, slots=True)
class Attention:
    """How a person did in comparisons whose outcome is known."""

    passed: int
    failed: int

    @property
    def counts(self) -> bool:
        """Whether the words of the person count: fewer than half of the checks failed."""
        return not self.failed or self.failed < self.passed


def attention(preferences: Iterable[Preference]) -> Mapping[str, Attention]:
    """Everybody's checks, by the person's name."""
    failed: dict[str, list[bool]] = {}
    for one in preferences:
        if one.attention:
            failed.setdefault(one.by, []).append(failed_checks(one))
    return {who: Attention(found.count(False), found.count(True)) for who, found in sorted(failed.items())}
