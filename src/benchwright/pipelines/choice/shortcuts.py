"""Shortcuts: how far rules get that read neither the document nor the question as it is meant.

A rule guesses `number` options of an item, each set of that size within its `pool` as likely as the next. So its
scores are expected values, exact fractions: nothing is drawn. Its chance is what guessing as many of *all* options of
the item scores. A set in which a rule lies well above its chance rewards the rule (EpiQAL-C: the longest option alone
has an Exact Match of 0.505, against 0.218).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, sqrt
from typing import Any

from benchwright.domain.statistics import Z95
from benchwright.domain.text import plain
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.option import CORRECT

LIMIT = Fraction(5, 100)  # a rule that scores more than this above its chance is worth a warning
SHOWN = 5  # items that a warning names
LEAST_LETTERS = 4  # shorter words that stem and option share say little
ABSOLUTE = re.compile(  # English: in other languages nothing is found, and the rule guesses among all
    r"\b(?:all|always|never|none|only|every|everyone|everything|nobody|nothing|must|cannot|impossible|invariably"
    r"|completely|entirely|totally|absolutely|exclusively|solely|without exception|no one|in no case)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Question:
    """An item as a test taker sees it, with its key: the places of the right ones among `options`, from 0 on."""

    id: str
    stem: str
    options: tuple[str, ...]
    key: frozenset[int]


@dataclass(frozen=True, slots=True)
class Guess:
    """So many options, at random out of those at the places in `pool`."""

    pool: frozenset[int]
    number: int


@dataclass(frozen=True, slots=True)
class Score:
    """Exact Match and F1 that can be expected of one item or, as means, of many; from 0 to 1."""

    exact: Fraction
    f1: Fraction


Rule = Callable[[Question], Guess]


def longest(item: Question) -> Guess:
    """The longest option in letters; of several equally long ones the first, as the published figure has it."""
    lengths = [len(text) for text in item.options]
    return Guess(frozenset({lengths.index(max(lengths))}), 1)


def first(item: Question) -> Guess:  # noqa: ARG001 - rules share one signature
    """The option that is shown first."""
    return Guess(frozenset({0}), 1)


def not_absolute(item: Question) -> Guess:
    """One of the options without an absolute word such as "always"; one of all where that leaves none."""
    bare = frozenset(place for place, text in enumerate(item.options) if not ABSOLUTE.search(text))
    return Guess(bare or everywhere(item), 1)


def clang(item: Question) -> Guess:
    """One of the options that share the most words with the stem (the clang of test construction)."""
    asked = long_words(item.stem)
    shared = [len(asked & long_words(text)) for text in item.options]
    return Guess(frozenset(place for place, number in enumerate(shared) if number == max(shared)), 1)


RULES: Mapping[str, Rule] = {"longest": longest, "first": first, "not_absolute": not_absolute, "clang": clang}
TITLES: Mapping[str, str] = {
    "longest": "the longest option",
    "first": "the option shown first",
    "not_absolute": "an option without absolute words",
    "clang": "the option that shares most words with the stem",
    "options_minus_k": "as many options as there are, less {k}",
    "always_one": "always one option",  # what "random" means in the papers
    "random": "as many options as items of the set have right, drawn apart from the item",
}


def long_words(text: str) -> frozenset[str]:
    """The words of a text that are long enough to tell."""
    return frozenset(word for word in plain(text).split() if len(word) >= LEAST_LETTERS)


def everywhere(item: Question) -> frozenset[int]:
    """The places of all options."""
    return frozenset(range(len(item.options)))


# ------------------------------------------------------------------------------------------------------- scores


def expect(guess: Guess, key: frozenset[int]) -> Score:
    """What a guess scores on the average."""
    pool, right, held = len(guess.pool), len(key), len(guess.pool & key)
    number = min(guess.number, pool)
    if not number + right:
        return Score(Fraction(1), Fraction(1))
    exact = Fraction(1, comb(pool, number)) if number == right == held else Fraction(0)
    return Score(exact, Fraction(2 * number * held, pool * (number + right)) if pool else Fraction(0))


def mean_score(scores: Sequence[Score]) -> Score:
    """The mean of some scores, at least one."""
    number = len(scores)
    exact, f1 = (sum((getattr(one, name) for one in scores), Fraction(0)) for name in ("exact", "f1"))
    return Score(exact / number, f1 / number)


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A rule on a set: its score and its chance, and the `carriers`, the items on which it beats its chance.

    `noise` is how far Exact Match may be above chance by luck: 1.96 standard deviations of it, were the right options
    any of the item's. The scores of the references have no chance beside them.
    """

    name: str
    title: str
    score: Score
    chance: Score | None = None
    noise: float = 0.0
    carriers: tuple[str, ...] = ()

    @property
    def above(self) -> Fraction:
        """How far it is above its chance, by the measure that shows it most."""
        if self.chance is None:
            return Fraction(0)
        return max(self.score.exact - self.chance.exact, self.score.f1 - self.chance.f1)

    @property
    def warns(self) -> bool:
        """Whether it is too far above chance."""
        return self.above > LIMIT

    def json(self) -> dict[str, Any]:
        """The row as JSON values; the items are named where it warns."""
        row: dict[str, Any] = {"exact_match": float(self.score.exact), "f1": float(self.score.f1)}
        if self.chance is None:
            return row
        row |= {"chance_exact_match": float(self.chance.exact), "chance_f1": float(self.chance.f1)}
        row |= {"noise_exact_match": self.noise, "above_chance": float(self.above)}
        return row | ({"items": list(self.carriers)} if self.warns else {})

    def warning(self, of: int) -> str:
        """What to look at, in a sentence."""
        named = ", ".join(name[:8] for name in self.carriers[:SHOWN])
        more = f" and {len(self.carriers) - SHOWN} more" if len(self.carriers) > SHOWN else ""
        return (
            f"shortcut: {self.title} scores {100 * float(self.above):.0f} points above chance"
            f" (Exact Match {float(self.score.exact):.3f} on {of} items; luck explains up to {100 * self.noise:.0f}"
            f" points): look at {named}{more}"
        )


@dataclass(frozen=True, slots=True)
class Shortcuts:
    """The items of a set, taken in one by one, of which only what the table needs is kept."""

    ids: list[str] = field(default_factory=list)
    sizes: list[tuple[int, int]] = field(default_factory=list)  # how many options an item has, how many are right
    found: dict[str, list[tuple[Score, Score]]] = field(default_factory=dict)  # by rule, with chance, item by item

    def take(self, item: Question) -> None:
        """Let every rule guess an item. Items without options are no items."""
        if not item.options:
            return
        self.ids.append(item.id)
        self.sizes.append((len(item.options), len(item.key)))
        for name, rule in RULES.items():
            guess = rule(item)
            chance = expect(Guess(everywhere(item), guess.number), item.key)
            self.found.setdefault(name, []).append((expect(guess, item.key), chance))

    def table(self) -> Sequence[Shortcut]:
        """All rules; none of no items."""
        return [*map(self.judge, RULES), self.judge_number(), *self.references()] if self.ids else []

    def judge(self, name: str) -> Shortcut:
        """A rule that reads the options."""
        return self.compare(name, TITLES[name], self.found[name])

    def judge_number(self) -> Shortcut:
        """The rule that knows how many options items have beside the right ones: the number that fits most items.

        Its chance is to guess as many as items of the set have right, whatever their options.
        """
        k = Counter(options - right for options, right in self.sizes).most_common(1)[0][0]
        guessed = (expect_number(options, max(options - k, 0), right) for options, right in self.sizes)
        return self.compare(
            "options_minus_k", TITLES["options_minus_k"].format(k=k), list(zip(guessed, self.by_share(), strict=True))
        )

    def references(self) -> Iterator[Shortcut]:
        """What is scored without looking at anything."""
        ones = [expect_number(options, 1, right) for options, right in self.sizes]
        yield Shortcut("always_one", TITLES["always_one"], mean_score(ones))
        yield Shortcut("random", TITLES["random"], mean_score(list(self.by_share())))

    def by_share(self) -> Iterator[Score]:
        """For each item what is scored by guessing as many options as other items have right, by their shares."""
        shares, items = Counter(right for _, right in self.sizes), len(self.sizes)
        known: dict[tuple[int, int], Score] = {}
        for options, right in self.sizes:
            if (options, right) not in known:
                drawn = [(expect_number(options, number, right), many) for number, many in shares.items()]
                exact, f1 = (
                    sum((getattr(one, of) * many for one, many in drawn), Fraction(0)) for of in ("exact", "f1")
                )
                known[options, right] = Score(exact / items, f1 / items)
            yield known[options, right]

    def compare(self, name: str, title: str, pairs: Sequence[tuple[Score, Score]]) -> Shortcut:
        """A rule beside its chance."""
        chances = [chance for _, chance in pairs]
        spread = sum(float(one.exact * (1 - one.exact)) for one in chances)
        carriers = (name for name, (one, by) in zip(self.ids, pairs, strict=True) if one.exact > by.exact)
        scored, chance = mean_score([one for one, _ in pairs]), mean_score(chances)
        return Shortcut(name, title, scored, chance, Z95 * sqrt(spread) / len(pairs), tuple(carriers))


def expect_number(options: int, number: int, right: int) -> Score:
    """What guessing so many of all options scores, where so many are right."""
    return expect(Guess(frozenset(range(options)), number), frozenset(range(right)))


def shortcuts(items: Iterable[Question]) -> Sequence[Shortcut]:
    """The table of some items."""
    found = Shortcuts()
    for item in items:
        found.take(item)
    return found.table()


def question_of(name: str, body: Body) -> Question:
    """A finished item as a test taker sees it, with its key."""
    options = body.options_in_item
    key = frozenset(place for place, one in enumerate(options) if one.label == CORRECT)
    return Question(name, body.question.question, tuple(one.text for one in options), key)
