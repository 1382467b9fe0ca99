"""A rule for votes under which a family of models that says no in all of its runs keeps a thing from being kept.

Models of one family err alike, so what all of them reject may be a fault that the others do not see: people decide.
One vote is no pattern, so a family needs two. What the rule rejects stays rejected, whoever said so.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from benchwright.domain.campaign import Model, Panel
from benchwright.domain.vote import Route, Rule, Tally, Vote, certain_route

LEAST = 2  # votes of a family, all of them no, that are a veto


@dataclass(frozen=True, slots=True)
class FamilyTally(Tally):
    """A tally that also knows what each family said: `said` holds its name, its votes of no, and whether all are."""

    said: tuple[tuple[str, int, bool], ...] = ()

    @property
    def vetoing(self) -> tuple[str, ...]:
        """The families of which all that was said is no, often enough."""
        return tuple(name for name, noes, only in self.said if only and noes >= LEAST)


@dataclass(frozen=True)
class FamilyRule:
    """A rule with vetoes; `turns` are how many votes each family may cast, `families` whose each model is."""

    rule: Rule
    turns: tuple[tuple[str, int], ...]
    families: Mapping[str, str] = field(hash=False)

    @classmethod
    def of(cls, rule: Rule, panel: Panel, models: Mapping[str, Model]) -> Self:
        """The rule for a panel; a model without a family is a family of its own."""
        families = {name: model.family or name for name, model in models.items()}
        names = [families[name] for name in panel.models]
        return cls(rule, tuple((name, names.count(name) * panel.runs) for name in dict.fromkeys(names)), families)

    @property
    def quorum(self) -> int:
        """That of the rule."""
        return self.rule.quorum

    @property
    def nothing(self) -> FamilyTally:
        """The count of no votes."""
        return FamilyTally(0, 0)

    def add(self, count: FamilyTally, vote: Vote) -> FamilyTally:
        """A count with one more vote in it."""
        model = vote.by.rpartition("#")[0]
        return add_word(count, self.families.get(model, model), keep=vote.keep)

    def certain_end(self, count: FamilyTally, outstanding: int) -> Route | None:
        """The route, once no outstanding vote can change it; None while one still could.

        It may stay open a little longer than it would have to: whose the outstanding votes are is not known here.
        """
        end = certain_route(Tally(count.keep, count.cast, count.abstained), outstanding, self.rule)
        if end in {Route.REJECT, Route.HUMAN}:
            return end
        if any(self.outstanding(name, count, outstanding) == 0 for name in count.vetoing):
            return Route.HUMAN if end is Route.KEEP or self.is_above(count, outstanding) else None
        return None if end is None or self.may_be_vetoed(count, outstanding) else end

    def is_above(self, count: FamilyTally, outstanding: int) -> bool:
        """Whether no outstanding vote can lead to a rejection."""
        worst = Tally(count.keep, count.cast + outstanding)
        return certain_route(worst, 0, replace(self.rule, quorum=0)) is not Route.REJECT

    def may_be_vetoed(self, count: FamilyTally, outstanding: int) -> bool:
        """Whether a family may yet come to say no in all of its runs, or has done so."""
        said = {name: (noes, only) for name, noes, only in count.said}
        for name in dict.fromkeys((*said, *(name for name, _ in self.turns))):
            noes, only = said.get(name, (0, True))
            if only and noes + self.outstanding(name, count, outstanding) >= LEAST:
                return True
        return False

    def outstanding(self, family: str, count: FamilyTally, outstanding: int) -> int:
        """How many votes a family may yet cast at most; one that only stands in may cast any."""
        turns = dict(self.turns).get(family)
        noes = next((noes for name, noes, only in count.said if name == family and only), 0)
        return outstanding if turns is None else max(0, min(outstanding, turns - noes))

    def favourable(self, count: FamilyTally, more: int) -> Iterator[FamilyTally]:
        """What so many further votes can make of a count: those by which they would settle it the soonest.

        A vote of keep counts most where its family has only said no, or nothing; votes of no where they make a veto.
        """
        heard = {name for name, _, only in count.said if not only}
        silent = [name for name, _ in self.turns if name not in heard]
        for cast in range(more + 1):
            for keeps in range(cast + 1):
                for first in ("", *silent):
                    yield self.with_votes(count, keeps, cast - keeps, first, [one for one in silent if one != first])

    def with_votes(self, count: FamilyTally, keeps: int, noes: int, first: str, silent: list[str]) -> FamilyTally:
        """A count with so many more votes: of no by `first`, of keep by one silent family after the other."""
        for number in range(keeps):
            count = add_word(count, silent[number] if number < len(silent) else "", keep=True)
        for _ in range(noes):
            count = add_word(count, first, keep=False)
        return count


def add_word(count: FamilyTally, family: str, *, keep: bool | None) -> FamilyTally:
    """A count with one more vote of a family, or its abstention; of a family without a name only the sum is kept."""
    said = {name: (noes, only) for name, noes, only in count.said}
    noes, only = said.get(family, (0, True))
    if family:
        said[family] = (noes + (keep is False), only and keep is False)
    words = tuple(sorted((name, *word) for name, word in said.items()))
    if keep is None:
        return FamilyTally(count.keep, count.cast, count.abstained + 1, words)
    return FamilyTally(count.keep + keep, count.cast + 1, count.abstained, words)
