"""What people say about an option, and what follows from it: how many must agree, and who settles a conflict.

A person's words about one option are numbered; the last one stands. A later word is how one takes an earlier one back:
no answer is ever changed.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from benchwright.domain.answer import HUMAN, Answer

KEEP = "keep"
REJECT = "reject"
EDIT = "edit"  # keep it, in another wording
CANNOT_SAY = "cannot_say"
WITHDRAW = "withdraw"  # the word before no longer stands
NAME_MOST = 100  # characters
DECISIONS = (KEEP, REJECT, EDIT, CANNOT_SAY)


@dataclass(frozen=True, slots=True)
class Policy:
    """How people review: so many `opinions` on each option; `audit` is the share of clear cases put to them too.

    `blind` hides the votes, and what others said, until one has decided. Opinions that differ call for one more, by
    the `adjudicator` if one is named.
    """

    opinions: int = 1
    blind: bool = True
    audit: Fraction = Fraction(0)
    adjudicator: str = ""

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
        return f"{HUMAN}:{self.adjudicator}" if self.adjudicator else ""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One person's word about an option; `text` is the new wording of an edit."""

    by: str
    decision: str
    reason: str = ""
    text: str = ""
    word: int = 1

    @property
    def says(self) -> tuple[str, str]:
        """What it amounts to: two opinions agree where this is the same."""
        return self.decision, self.text

    @property
    def keeps(self) -> bool:
        """Whether the option stays, in whatever wording."""
        return self.decision in {KEEP, EDIT}

    def told(self) -> dict[str, str]:
        """The opinion as JSON values."""
        edited = {"text": self.text} if self.decision == EDIT else {}
        return {"by": self.by, "decision": self.decision, "reason": self.reason} | edited


@dataclass(frozen=True, slots=True)
class Ruling:
    """What the opinions on an option come to: the one that holds, or how many are `missing`.

    `conflict` says that enough were given and do not agree.
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


def opinion(answer: Answer) -> Opinion:
    """An answer as an opinion: `human:ada#2` is the second word of `human:ada`."""
    person, _, word = answer.by.partition("#")
    said = answer.value
    return Opinion(person, said["decision"], said["reason"], said.get("text", ""), int(word or 1))


def signed(person: str, words: int) -> str:
    """Who says the word that comes after so many of the same person."""
    return f"{person}#{words + 1}" if words else person


def standing(answers: Iterable[Answer]) -> tuple[Opinion, ...]:
    """The opinions that stand of all that was said about one option, by name."""
    words = sorted(map(opinion, answers), key=lambda said: (said.by, said.word))
    last = [list(of_one)[-1] for _, of_one in groupby(words, key=lambda said: said.by)]
    return tuple(said for said in last if said.decision != WITHDRAW)


def ruling(opinions: Sequence[Opinion], policy: Policy) -> Ruling:
    """What the opinions that stand come to.

    So many as the policy asks for decide if they agree. If not, the adjudicator does, or else further people, one by
    one, until more than half of all are of one mind. Who cannot say has given no opinion, and somebody else is asked.
    """
    heard = [said for said in opinions if said.decision != CANNOT_SAY]
    if len(heard) < policy.opinions:
        return Ruling(None, policy.opinions - len(heard))
    (most, votes), *others = Counter(said.says for said in heard).most_common()
    leading = next(said for said in heard if said.says == most)
    if not others:
        return Ruling(leading, 0)
    if policy.adjudicator:
        final = next((said for said in heard if said.by == policy.judge), None)
        return Ruling(final, int(final is None), conflict=True)
    settled = len(heard) > policy.opinions and 2 * votes > len(heard)
    return Ruling(leading, 0, conflict=True) if settled else Ruling(None, 1, conflict=True)


def may_say(person: str, opinions: Sequence[Opinion], policy: Policy) -> bool:
    """Whether the next opinion on an option can be this person's.

    Nobody is asked twice. A named adjudicator gets conflicts alone, where there can be any, and nobody else does.
    """
    if any(said.by == person for said in opinions):
        return False
    if not policy.adjudicator or (policy.opinions == 1 and not ruling(opinions, policy).conflict):
        return True
    return (person == policy.judge) == ruling(opinions, policy).conflict
