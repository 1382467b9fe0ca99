"""How a panel is polled on one sheet of options: who has voted, who is asked next about what, when it is enough.

A poll is a value that grows by one ballot at a time: what one ballot cannot change is taken over from the poll before,
so a ballot costs the same however many were cast.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Literal, Self

from benchwright.domain.campaign import Panel
from benchwright.domain.vote import Route, Rule, Tally, Vote, settled
from benchwright.domain.waves import Waves, size

UNAVAILABLE = "unavailable"  # why a checker that is down gave no answer
ASK_AGAIN = "ask_again"  # said by code of a checker that was down: its failure no longer counts
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
    once to a sheet, each time `again`: where a changed rule makes a vote matter that had been left out, or where it was
    down and is asked again; then its failure no longer counts.
    """

    sheet: int
    model: str
    run: int
    votes: Mapping[str, Vote]
    failure: str | None = None
    again: int = 0

    @property
    def turn(self) -> tuple[str, int]:
        """Whose it is."""
        return self.model, self.run


Cast = Mapping[tuple[str, int], tuple[Ballot, ...]]  # the ballots on a sheet by whose they are, in their order


def with_ballot(cast: Cast, ballot: Ballot) -> Cast:
    """One more ballot; one that was cast before in the same place gives way."""
    others = (one for one in cast.get(ballot.turn, ()) if one.again != ballot.again)
    return {**cast, ballot.turn: tuple(sorted((*others, ballot), key=lambda one: one.again))}


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

    def question(self, sheet: int, options: Iterable[str]) -> Question | None:
        """What it still lacks of the options."""
        missing = tuple(option for option in options if not self.answered(option))
        return Question(sheet, self.turn, missing, self.again) if missing else None


@dataclass(frozen=True)
class Terms:
    """The terms of a vote.

    `substitutes` are those who vote in the place of checkers that are down, by whose place it is.
    """

    panel: Panel
    rule: Rule
    waves: Waves
    substitutes: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Every model's first run in the panel's order, then every second one, and so on."""
        return tuple(Turn(model, run) for run in range(self.panel.runs) for model in self.panel.models)

    @cached_property
    def places(self) -> Mapping[tuple[str, int], int]:
        """Where a turn comes."""
        return {(turn.model, turn.run): place for place, turn in enumerate(self.turns)}

    @cached_property
    def spares(self) -> frozenset[str]:
        """Who may vote in another's place."""
        return frozenset(self.substitutes.values())


@dataclass(frozen=True, slots=True)
class Count:
    """How an option stands: its votes, how many turns may still bring one, its route once none of these matters."""

    tally: Tally
    lacking: int
    route: Route | None


Counts = Mapping[str, Count]  # by option id


def add(tally: Tally, vote: Vote | None) -> Tally:
    """One more vote, if it is one."""
    if vote is None:
        return tally
    if vote.keep is None:
        return Tally(tally.keep, tally.cast, tally.abstained + 1)
    return Tally(tally.keep + vote.keep, tally.cast + 1, tally.abstained)


@dataclass(frozen=True, slots=True)
class Wave:
    """What is owed next on a sheet, by places: the turns from `before` up to `end`; those before it are complete.

    `counts` are of the turns before. Where every option is settled, no question is left.
    """

    before: int
    end: int
    counts: Counts
    questions: Mapping[int, Question]


@dataclass(frozen=True)
class Poll:
    """A sheet, the ids of its options, what was said about it, and the terms of the vote."""

    sheet: int
    options: tuple[str, ...]
    said: Cast
    terms: Terms

    def heard(self, ballot: Ballot, said: Cast) -> Self:
        """The poll with this ballot among what was `said`.

        A first ballot in a turn of its own changes nothing but that turn; anything else is counted anew.
        """
        poll = replace(self, said=said)
        place = self.terms.places.get(ballot.turn)
        own = ballot.turn not in self.said and ballot.model not in self.terms.spares
        plain = own and ballot.failure != UNAVAILABLE
        if "wave" in self.__dict__ and plain and place is not None and place >= self.wave.before:
            poll.__dict__.update(self.taken_over(place, Seat(self.terms.turns[place], (ballot,), 1)))
        return poll

    def taken_over(self, place: int, seat: Seat) -> dict[str, object]:
        """What is known of this poll, when one that had not spoken has taken its seat: seats, counts and wave."""
        seats = (*self.seats[:place], seat, *self.seats[place + 1 :])
        counts, wave = self.counted(self.counts, filter(seat.answered, self.options), (seat,)), self.wave
        if place in wave.questions:
            others = {at: one for at, one in wave.questions.items() if at != place}
            left = seat.question(self.sheet, wave.questions[place].options)
            wave = self.walk(replace(wave, questions=others | ({place: left} if left else {})), seats)
        return {"seats": seats, "counts": counts, "wave": wave}

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """Who speaks in each turn, and what was said in it."""
        return tuple(map(self.seat, self.terms.turns))

    def seat(self, turn: Turn) -> Seat:
        """One turn: the model's own, or its substitute's as far as the model was down."""
        own, stand_in = self.said.get((turn.model, turn.run), ()), self.terms.substitutes.get(turn.model)
        if not stand_in or all(ballot.failure != UNAVAILABLE for ballot in own):
            return Seat(turn, own, len(own))
        others = self.said.get((stand_in, turn.run), ())
        said = (*(ballot for ballot in own if ballot.failure != UNAVAILABLE), *others)
        return Seat(Turn(stand_in, turn.run), said, len(others))

    @cached_property
    def counts(self) -> Counts:
        """Every option as it stands by all that was said."""
        return self.counted(self.before_all, self.options, self.seats)

    @property
    def before_all(self) -> Counts:
        """Every option before anything was said."""
        everyone = len(self.terms.turns)
        return dict.fromkeys(
            self.options, Count(Tally(0, 0), everyone, settled(Tally(0, 0), everyone, self.terms.rule))
        )

    def counted(self, counts: Mapping[str, Count], options: Iterable[str], seats: Iterable[Seat]) -> Counts:
        """These counts of these options after these seats as well."""
        seats = tuple(seats)
        return {**counts, **{name: self.after(counts[name], name, seats) for name in options}}

    def after(self, count: Count, option: str, seats: Iterable[Seat]) -> Count:
        """An option's count after these seats as well."""
        heard = [seat.vote(option) for seat in seats if seat.answered(option)]
        tally, lacking = reduce(add, heard, count.tally), count.lacking - len(heard)
        return Count(tally, lacking, count.route or settled(tally, lacking, self.terms.rule))

    def route(self, option: str) -> Route | None:
        """Where the option goes, once no outstanding vote can change that."""
        return self.counts[option].route

    def lacks(self, option: str) -> tuple[Turn, ...]:
        """The turns that may still bring a vote on the option."""
        return tuple(seat.turn for seat in self.seats if not seat.answered(option))

    def votes(self, option: str) -> tuple[Vote, ...]:
        """The votes on an option, in the order of turns."""
        return tuple(vote for seat in self.seats if (vote := seat.vote(option)))

    def stand_ins(self, option: str) -> tuple[str, ...]:
        """The votes on an option that substitutes gave, as "theirs for whose"."""
        found = zip(self.terms.turns, (seat.vote(option) for seat in self.seats), strict=True)
        return tuple(f"{vote.by} for {turn}" for turn, vote in found if vote and vote.by != str(turn))

    @cached_property
    def wave(self) -> Wave:
        """The wave that is owed; one without questions when every option is settled."""
        return self.walk(Wave(0, 0, self.before_all, {}), self.seats)

    def walk(self, wave: Wave, seats: tuple[Seat, ...]) -> Wave:
        """From a wave on, the first that owes anything."""
        while not wave.questions:
            open_before = [name for name in self.options if wave.counts[name].route is None]
            counts = self.counted(wave.counts, open_before, seats[wave.before : wave.end])
            unsettled = [name for name in open_before if counts[name].route is None]
            if not unsettled:
                return Wave(wave.end, wave.end, counts, {})
            tallies = (counts[name].tally for name in unsettled)
            end = wave.end + size(self.terms.waves, wave.end, len(seats), tallies, self.terms.rule)
            asked = ((at, seats[at].question(self.sheet, unsettled)) for at in range(wave.end, end))
            wave = Wave(wave.end, end, counts, {at: question for at, question in asked if question})
        return wave
