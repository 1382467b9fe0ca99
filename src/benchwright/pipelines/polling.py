"""How a panel is polled on one sheet of options: who has voted, who is asked next about what, when it is enough."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

from benchwright.domain.campaign import Panel
from benchwright.domain.vote import Route, Rule, Tally, Vote, settled, tally
from benchwright.domain.waves import Waves, size

SettingOfWaves = Literal["runs", "eager", "frugal"]


def waves_of(setting: SettingOfWaves | int, panel: Panel) -> Waves:
    """What a campaign's setting means for a panel: `runs` is a wave for each run of all models, `eager` one wave."""
    named: Mapping[SettingOfWaves | int, Waves] = {"runs": panel.runs, "eager": 1}
    return named.get(setting, setting)


@dataclass(frozen=True, slots=True)
class Turn:
    """One model's one run on a sheet."""

    model: str
    run: int

    def __str__(self) -> str:
        """As it signs its votes."""
        return f"{self.model}#{self.run + 1}"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One checker's answer to one sheet: its votes by option id; none where the answer failed.

    A sheet is the list of options put to the panel after so many rounds of writing. A checker may answer more than
    once to a sheet: where a changed rule makes a vote matter that had been left out.
    """

    sheet: int
    model: str
    run: int
    votes: Mapping[str, Vote]
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What one turn is asked: to judge these options of a sheet, after having answered about it `again` times."""

    sheet: int
    turn: Turn
    options: tuple[str, ...]
    again: int

    @property
    def about(self) -> str:
        """Which part of the item it is about, as answers name it."""
        return f"{self.sheet}.{self.again}" if self.again else str(self.sheet)


@dataclass(frozen=True, slots=True)
class Wave:
    """What is owed next on a sheet. The `before` turns before it are complete."""

    sheet: int
    before: int
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Poll:
    """A sheet, the ids of its options, what has been said (of other sheets too), and the terms of the vote."""

    sheet: int
    options: tuple[str, ...]
    said: tuple[Ballot, ...]
    panel: Panel
    rule: Rule
    waves: Waves

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Every model's first run in the panel's order, then every second one, and so on."""
        return tuple(Turn(model, run) for run in range(self.panel.runs) for model in self.panel.models)

    @cached_property
    def heard(self) -> tuple[Sequence[Ballot], ...]:
        """What each turn has said of the sheet."""
        found: defaultdict[tuple[str, int], list[Ballot]] = defaultdict(list)
        for ballot in self.said:
            if ballot.sheet == self.sheet:
                found[ballot.model, ballot.run].append(ballot)
        return tuple(found[turn.model, turn.run] for turn in self.turns)

    def lacks(self, option: str, before: int | None = None) -> tuple[Turn, ...]:
        """The turns that may still bring a vote on the option; all from `before` on, if that is given."""
        there = self.heard[:before]
        open_ones = (turn for turn, said in zip(self.turns, there, strict=False) if not answered(said, option))
        return (*open_ones, *self.turns[len(there) :])

    def votes(self, option: str, before: int | None = None) -> tuple[Vote, ...]:
        """The votes on an option: of all turns, or of those `before`."""
        ballots = chain.from_iterable(self.heard[:before])
        return tuple(ballot.votes[option] for ballot in ballots if option in ballot.votes)

    def count(self, option: str, before: int | None = None) -> Tally:
        """The votes counted."""
        return tally(self.votes(option, before))

    def route(self, option: str, before: int | None = None) -> Route | None:
        """Where the option goes, once no outstanding vote can change that."""
        return settled(self.count(option, before), len(self.lacks(option, before)), self.rule)

    def wave(self) -> Wave | None:
        """The wave that is owed; None when every option is settled."""
        before = 0
        while unsettled := [option for option in self.options if self.route(option, before) is None]:
            counts = (self.count(option, before) for option in unsettled)
            end = before + size(self.waves, before, len(self.turns), counts, self.rule)
            if questions := tuple(self.questions(before, end, unsettled)):
                return Wave(self.sheet, before, questions)
            before = end
        return None

    def questions(self, start: int, end: int, options: Sequence[str]) -> Iterator[Question]:
        """What each of these turns still lacks of the options."""
        for turn, said in zip(self.turns[start:end], self.heard[start:end], strict=True):
            if missing := tuple(option for option in options if not answered(said, option)):
                yield Question(self.sheet, turn, missing, len(said))


def answered(said: Iterable[Ballot], option: str) -> bool:
    """Whether a turn has brought a vote on the option, or failed."""
    return any(ballot.failure or option in ballot.votes for ballot in said)
