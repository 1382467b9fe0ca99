"""How a panel is polled on one sheet of options: who has voted, who is asked next about what, when it is enough."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from benchwright.domain.campaign import Panel
from benchwright.domain.vote import Route, Rule, Tally, Vote, settled, tally
from benchwright.domain.waves import Waves, size

UNAVAILABLE = "unavailable"  # why a checker that is down gave no answer
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
    once to a sheet: where a changed rule makes a vote matter that had been left out, or where it was down and is asked
    again; then its failure no longer counts.
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


@dataclass(frozen=True, slots=True)
class Seat:
    """Whose turn it is, what was said in it, and how often the one who is to speak has answered."""

    turn: Turn
    said: tuple[Ballot, ...]
    again: int

    def answered(self, option: str) -> bool:
        """Whether the turn has brought a vote on the option, or failed."""
        return any(ballot.failure or option in ballot.votes for ballot in self.said)

    def vote(self, option: str) -> Vote | None:
        """The turn's vote on the option."""
        return next((ballot.votes[option] for ballot in self.said if option in ballot.votes), None)


@dataclass(frozen=True)
class Poll:
    """A sheet, the ids of its options, what has been said (of other sheets too), and the terms of the vote.

    `substitutes` are those who vote in the place of checkers that are down, by whose place it is.
    """

    sheet: int
    options: tuple[str, ...]
    said: tuple[Ballot, ...]
    panel: Panel
    rule: Rule
    waves: Waves
    substitutes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Every model's first run in the panel's order, then every second one, and so on."""
        return tuple(Turn(model, run) for run in range(self.panel.runs) for model in self.panel.models)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Who speaks in each turn, and what was said in it."""
        found: defaultdict[tuple[str, int], list[Ballot]] = defaultdict(list)
        for ballot in self.said:
            if ballot.sheet == self.sheet:
                found[ballot.model, ballot.run].append(ballot)
        return tuple(self.seat(turn, found) for turn in self.turns)

    def seat(self, turn: Turn, found: Mapping[tuple[str, int], Sequence[Ballot]]) -> Seat:
        """One turn: the model's own, or its substitute's as far as the model was down."""
        own, stand_in = found[turn.model, turn.run], self.substitutes.get(turn.model)
        if not stand_in or all(ballot.failure != UNAVAILABLE for ballot in own):
            return Seat(turn, tuple(own), len(own))
        others = found[stand_in, turn.run]
        said = (*(ballot for ballot in own if ballot.failure != UNAVAILABLE), *others)
        return Seat(Turn(stand_in, turn.run), said, len(others))

    @cached_property
    def said_of(self) -> Mapping[str, tuple[tuple[Vote | None, bool], ...]]:
        """By option, what each turn says of it, and whether it is done with it: looked up once, asked often."""
        return {name: tuple((seat.vote(name), seat.answered(name)) for seat in self.seats) for name in self.options}

    def lacks(self, option: str, before: int | None = None) -> tuple[Turn, ...]:
        """The turns that may still bring a vote on the option; all from `before` on, if that is given."""
        there = self.said_of[option][:before]
        open_ = (seat.turn for seat, (_, done) in zip(self.seats, there, strict=False) if not done)
        return (*open_, *self.turns[len(there) :])

    def votes(self, option: str, before: int | None = None) -> tuple[Vote, ...]:
        """The votes on an option: of all turns, or of those `before`."""
        return tuple(vote for vote, _ in self.said_of[option][:before] if vote)

    def stand_ins(self, option: str) -> tuple[str, ...]:
        """The votes on an option that substitutes gave, as "theirs for whose"."""
        found = zip(self.turns, self.said_of[option], strict=True)
        return tuple(f"{vote.by} for {turn}" for turn, (vote, _) in found if vote and vote.by != str(turn))

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
        for seat in self.seats[start:end]:
            if missing := tuple(option for option in options if not seat.answered(option)):
                yield Question(self.sheet, seat.turn, missing, seat.again)
