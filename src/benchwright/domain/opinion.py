"""What people say about a part of an item, and what follows: how words become one, and who settles a conflict.

An opinion has values under the names of a card's inputs. A person's words about one part are numbered; the last one
stands. A later word is how one takes an earlier one back: no answer is ever changed.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Any

from benchwright.domain.answer import HUMAN, Answer

# Decisions about a part of an item.
DECISION = "decision"
KEEP = "keep"
REJECT = "reject"
EDIT = "edit"  # keep it, in another wording
DISCARD = "discard"  # of a whole item
WORDING = "text"  # what holds the wording of an edit
# Words that mean the same on every card.
REASON = "reason"  # the name of what nobody need agree on
CANNOT_SAY = "cannot_say"  # the value of an abstention
WITHDRAW = "withdraw"  # the word before no longer stands
WITHDRAWN: Mapping[str, Any] = {DECISION: WITHDRAW, REASON: "", WORDING: ""}  # the values of such a word
NAME_MOST = 100  # characters


class Combination(StrEnum):
    """How the words of several people become one."""

    AGREEMENT = "agreement"  # so many of one mind; a difference asks for a further person, or the adjudicator
    MAJORITY = "majority"  # more than half; a tie asks for a further person, or the adjudicator
    MEAN = "mean"  # the mean of numbers, unless they lie further apart than the bound
    EACH = "each"  # every word stands for itself, as when people are counted: nothing is put together


@dataclass(frozen=True, slots=True)
class Combine:
    """The rule by which words are put together: `over` these values, over all but the reason where none is named.

    Numbers of a mean may lie as far apart as `bound`.
    """

    how: Combination = Combination.AGREEMENT
    bound: int = 0
    over: tuple[str, ...] = ()


AGREED = Combine()


@dataclass(frozen=True, slots=True)
class Policy:
    """How people review: so many `opinions` on each part; `audit` is the share of clear cases put to them too.

    `blind` hides the votes, and what others said, until one has decided. Opinions that differ call for one more, by
    the `adjudicator` if one is named. With `reviewers`, nobody else but the adjudicator decides; who they are is no
    part of the recipe.
    """

    opinions: int = 1
    blind: bool = True
    audit: Fraction = Fraction(0)
    adjudicator: str = ""
    reviewers: tuple[str, ...] = ()

    def recipe(self) -> dict[str, object]:
        """The policy as JSON values."""
        return {
            "opinions": self.opinions,
            "blind": self.blind,
            "audit": str(self.audit),
            "adjudicator": self.adjudicator,
        }

    @property
    def judge(self) -> str:
        """Who settles conflicts, as answers name him; "" where whoever is free does."""
        return f"{HUMAN}:{fold_name(self.adjudicator)}" if self.adjudicator else ""

    def admits(self, person: str) -> bool:
        """Whether a person, as answers name them, may decide at all."""
        listed = {f"{HUMAN}:{fold_name(name)}" for name in self.reviewers}
        return not listed or person in {*listed, self.judge}


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's word about a part of an item: values by the names of its card's inputs.

    `by` signs it with the name as it was typed; `who` it is does not depend on case, spacing or width of letters.
    `first` is in brief what the same person said first, where this is not the same.
    """

    by: str
    values: Mapping[str, Any]
    word: int = 1
    first: str = ""

    @property
    def decision(self) -> str:
        """What it decides, of a card that asks for a decision."""
        return str(self.values.get(DECISION, ""))

    @property
    def reason(self) -> str:
        """Why, as far as the person says."""
        return str(self.values.get(REASON, ""))

    @property
    def text(self) -> str:
        """The new wording of an edit."""
        return str(self.values.get(WORDING, ""))

    @property
    def keeps(self) -> bool:
        """Whether what it is about stays, in whatever wording."""
        return self.decision in {KEEP, EDIT}

    @property
    def abstains(self) -> bool:
        """Whether the person cannot say: that is no opinion, and somebody else is asked."""
        return CANNOT_SAY in self.values.values()

    @property
    def withdraws(self) -> bool:
        """Whether it only takes the same person's word before it back."""
        return self.decision == WITHDRAW

    @property
    def who(self) -> str:
        """The person, the same however the name is typed."""
        return fold_name(self.by)

    @property
    def person(self) -> str:
        """The name of the person; "" of a mean."""
        return self.by.removeprefix(f"{HUMAN}:")

    @property
    def brief(self) -> str:
        """What it says in a word or some: its decision, or its values without texts of several words."""
        if self.decision:
            return self.decision
        short = [str(value) for _, value in self.weight() if len(str(value).split()) == 1]
        return " ".join(short) or "filled in"

    def weight(self, over: Sequence[str] = ()) -> tuple[tuple[str, Any], ...]:
        """What it amounts to: two opinions agree where this is the same. What is left empty does not count."""
        names = over or sorted(name for name in self.values if name != REASON)
        return tuple((name, self.values[name]) for name in names if self.values.get(name) not in {"", None})

    def json(self) -> dict[str, Any]:
        """The opinion as JSON values."""
        return (
            {"by": self.by}
            | {name: value for name, value in self.values.items() if name != WORDING or self.decision in {EDIT, ""}}
            | ({"first": self.first} if self.first else {})
        )


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the opinions on a part come to: the one that holds, or how many are `missing`.

    What holds of a mean is nobody's own: its values are the exact means, as fractions. `conflict` says that enough
    opinions were given and do not agree.
    """

    holds: Opinion | None
    missing: int
    conflict: bool = False


def is_name(name: str) -> bool:
    """Whether a person can sign answers with it."""
    return (
        bool(name)
        and name.isprintable()
        and name == name.strip()
        and not set(name) & set("/#")
        and len(name) <= NAME_MOST
    )


def fold_name(name: str) -> str:
    """A name as it stands for one person, whatever the case, the spacing and the width of its letters."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def opinion(answer: Answer) -> Opinion:
    """An answer as an opinion: `human:ada#2` is the second word of `human:ada`."""
    person, _, word = answer.by.partition("#")
    return Opinion(person, answer.value, int(word or 1))


def author_of_word(person: str, words: int) -> str:
    """Who says the word that comes after so many of the same person."""
    return f"{person}#{words + 1}" if words else person


def standing_opinions(answers: Iterable[Answer]) -> tuple[Opinion, ...]:
    """The opinions that stand of all that was said about one part, by name."""
    words = sorted(map(opinion, answers), key=lambda said: (said.who, said.word))
    of_each = [list(of_one) for _, of_one in groupby(words, key=lambda said: said.who)]
    return tuple(mark_change(said[0], said[-1]) for said in of_each if not said[-1].withdraws)


def mark_change(first: Opinion, last: Opinion) -> Opinion:
    """A person's last word, with their first where that was another."""
    return last if last.weight() == first.weight() else replace(last, first=first.brief)


def blind_opinions(answers: Iterable[Answer], policy: Policy) -> tuple[Opinion, ...]:
    """What agreement is measured on: the first word of each person about one part, in the order of `answers`.

    A later word was given in the knowledge of what others said. So is an adjudicator's about what others decided on.
    Who could not say has given no opinion.
    """
    found: dict[str, Opinion] = {}
    for said in map(opinion, answers):
        if said.who == policy.judge and any(who != policy.judge for who in found):
            continue
        found.setdefault(said.who, said)
    return tuple(said for said in found.values() if not said.abstains)


def rule_on(opinions: Sequence[Opinion], policy: Policy, combine: Combine = AGREED) -> Ruling:
    """What the opinions that stand come to, once there are so many as the policy asks for.

    Where they do not settle it the adjudicator does, or else a further person. Who cannot say has given no opinion,
    and somebody else is asked.
    """
    heard = [said for said in opinions if not said.abstains]
    if len(heard) < policy.opinions:
        return Ruling(None, policy.opinions - len(heard))
    return RULES[combine.how](heard, policy, combine)


def by_agreement(heard: Sequence[Opinion], policy: Policy, combine: Combine) -> Ruling:
    """All are of one mind; else the adjudicator, or further people until more than half of all are of one mind."""
    leading, votes = foremost(heard, combine)
    if votes == len(heard):
        return Ruling(leading, 0)
    more_than_half = len(heard) > policy.opinions and 2 * votes > len(heard)
    return of_conflict(heard, policy, leading if more_than_half else None)


def by_majority(heard: Sequence[Opinion], policy: Policy, combine: Combine) -> Ruling:
    """More than half are of one mind; else the adjudicator, or a further person."""
    leading, votes = foremost(heard, combine)
    return Ruling(leading, 0) if 2 * votes > len(heard) else of_conflict(heard, policy, None)


def by_mean(heard: Sequence[Opinion], policy: Policy, combine: Combine) -> Ruling:
    """The mean of the numbers; the adjudicator's, or that with a further person's, where they lie too far apart."""
    numbers: dict[str, list[int]] = {}
    for said in heard:
        for name, value in said.weight(combine.over):
            if isinstance(value, int):
                numbers.setdefault(name, []).append(value)
    found = Opinion("", {name: Fraction(sum(given), len(given)) for name, given in numbers.items()})
    if all(max(given) - min(given) <= combine.bound for given in numbers.values()):
        return Ruling(found, 0)
    return of_conflict(heard, policy, found if len(heard) > policy.opinions else None)


def by_none(_heard: Sequence[Opinion], _policy: Policy, _combine: Combine) -> Ruling:
    """Each word stands for itself: what holds has no values, and no two words are in conflict."""
    return Ruling(Opinion("", {}), 0)


def foremost(heard: Sequence[Opinion], combine: Combine) -> tuple[Opinion, int]:
    """An opinion that most share, and how many do."""
    (most, votes), *_ = Counter(said.weight(combine.over) for said in heard).most_common()
    return next(said for said in heard if said.weight(combine.over) == most), votes


def of_conflict(heard: Sequence[Opinion], policy: Policy, found: Opinion | None) -> Ruling:
    """A conflict: a named adjudicator's word holds, or else what was `found`; one more is missing where none does."""
    holds = next((said for said in heard if said.who == policy.judge), None) if policy.adjudicator else found
    return Ruling(holds, int(holds is None), conflict=True)


RULES: Mapping[Combination, Callable[[Sequence[Opinion], Policy, Combine], Ruling]] = {
    Combination.AGREEMENT: by_agreement,
    Combination.MAJORITY: by_majority,
    Combination.MEAN: by_mean,
    Combination.EACH: by_none,
}


def may_say(person: str, opinions: Sequence[Opinion], policy: Policy, combine: Combine = AGREED) -> bool:
    """Whether the next opinion on a part can be this person's.

    Nobody is asked twice. A named adjudicator gets conflicts alone, where there can be any, and nobody else does.
    """
    if any(said.who == person for said in opinions):
        return False
    conflict = rule_on(opinions, policy, combine).conflict
    if not policy.adjudicator or (policy.opinions == 1 and not conflict):
        return True
    return (person == policy.judge) == conflict
