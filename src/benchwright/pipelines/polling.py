"""How a panel is polled on one sheet of things: who has spoken, who is asked next about what, when it is enough.

A word about a thing is a vote, a grade or a category; a rule for such words counts them, and says when it is enough.

A poll is a value that grows by one ballot at a time: what one ballot cannot change is taken over from the poll before,
so a ballot costs the same however many were cast.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import Any, Generic, Literal, Self, TypeVar

from benchwright.domain.campaign import Panel
from benchwright.domain.quality import Word
from benchwright.domain.vote import Route, Vote
from benchwright.domain.waves import Waves, Weighing, size

UNAVAILABLE = "unavailable"  # why a checker that is down gave no answer
SettingOfWaves = Literal["runs", "eager", "frugal", "calls"]
Said = TypeVar("Said", bound=Word)
End = TypeVar("End")


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
class SheetAnswer(Generic[Said]):
    """One model's answer to one sheet: its words by the names of things; none where the answer failed.

    A sheet is the list of things put to the panel at once. A model may answer more than once to a sheet, each time
    `again`: where a changed rule makes a word matter that had been left out.
    """

    sheet: int
    model: str
    run: int
    words: Mapping[str, Said]
    failure: str | None = None
    again: int = 0

    @property
    def turn(self) -> tuple[str, int]:
        """Whose it is."""
        return self.model, self.run


Cast = Mapping[
    tuple[str, int], tuple[SheetAnswer[Said], ...]
]  # the ballots on a sheet by whose they are, in their order


def with_ballot(cast: Cast[Said], ballot: SheetAnswer[Said]) -> Cast[Said]:
    """One more ballot; one that was cast before in the same place gives way."""
    others = (one for one in cast.get(ballot.turn, ()) if one.again != ballot.again)
    return {**cast, ballot.turn: tuple(sorted((*others, ballot), key=lambda one: one.again))}


def next_number(ballots: Sequence[SheetAnswer[Any]]) -> int:
    """The number of a turn's next ballot on a sheet; one that was withdrawn leaves its place free."""
    return 1 + max((ballot.again for ballot in ballots), default=-1)


@dataclass(frozen=True, slots=True)
class Question:
    """What one turn is asked: to speak about these things of a sheet, after having answered about it `again` times."""

    sheet: int
    turn: Turn
    things: tuple[str, ...]
    again: int

    @property
    def about(self) -> str:
        """Which part of the item it is about, as answers name it."""
        return f"{self.sheet}.{self.again}" if self.again else str(self.sheet)


@dataclass(frozen=True, slots=True)
class Seat(Generic[Said]):
    """Whose turn it is, what was said in it, and how often the one who is to speak has answered."""

    turn: Turn
    said: tuple[SheetAnswer[Said], ...]
    again: int

    def is_done_with(self, thing: str) -> bool:
        """Whether the turn has brought a word about the thing, or failed."""
        return any(ballot.failure or thing in ballot.words for ballot in self.said)

    def word(self, thing: str) -> Said | None:
        """The turn's word about the thing."""
        return next((ballot.words[thing] for ballot in self.said if thing in ballot.words), None)

    def question(self, sheet: int, things: Iterable[str]) -> Question | None:
        """What it still lacks of the things."""
        missing = tuple(thing for thing in things if not self.is_done_with(thing))
        return Question(sheet, self.turn, missing, self.again) if missing else None


@dataclass(frozen=True)
class Terms(Generic[Said, End]):
    """On what terms a panel is polled.

    `substitutes` are those who speak in the place of models that are down, by whose place it is.
    """

    panel: Panel
    rule: Weighing[Said, Any, End]
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
        """Who may speak in another's place."""
        return frozenset(self.substitutes.values())


@dataclass(frozen=True, slots=True)
class Count(Generic[End]):
    """How a thing stands: its words counted, how many turns may still bring one, its end once none of these matters."""

    tally: Any
    lacking: int
    end: End | None


Counts = Mapping[str, Count[End]]  # by the names of things


@dataclass(frozen=True, slots=True)
class Wave(Generic[End]):
    """What is owed next on a sheet, by places: the turns from `before` up to `end`; those before it are complete.

    `counts` are of the turns before. Where every thing is settled, no question is left.
    """

    before: int
    end: int
    counts: Counts[End]
    questions: Mapping[int, Question]


@dataclass(frozen=True)
class Poll(Generic[Said, End]):
    """A sheet, the names of its things, what was said about it, and the terms."""

    sheet: int
    things: tuple[str, ...]
    said: Cast[Said]
    terms: Terms[Said, End]

    def with_ballot(self, ballot: SheetAnswer[Said], said: Cast[Said]) -> Self:
        """The poll with this ballot among what was `said`.

        A first ballot in a turn of its own changes nothing but that turn; anything else is counted anew.
        """
        poll = replace(self, said=said)
        place = self.terms.places.get(ballot.turn)
        own = ballot.turn not in self.said and ballot.model not in self.terms.spares
        plain = own and ballot.failure != UNAVAILABLE
        if "wave" in self.__dict__ and plain and place is not None and place >= self.wave.before:
            seat = Seat(self.terms.turns[place], (ballot,), next_number((ballot,)))
            poll.__dict__.update(self.take_over_seat(place, seat))
        return poll

    def take_over_seat(self, place: int, seat: Seat[Said]) -> dict[str, object]:
        """What is known of this poll, when one that had not spoken has taken its seat: seats, counts and wave."""
        seats = (*self.seats[:place], seat, *self.seats[place + 1 :])
        counts, wave = self.count_seats(self.counts, filter(seat.is_done_with, self.things), (seat,)), self.wave
        if place in wave.questions:
            others = {at: one for at, one in wave.questions.items() if at != place}
            left = seat.question(self.sheet, wave.questions[place].things)
            wave = self.walk(replace(wave, questions=others | ({place: left} if left else {})), seats)
        return {"seats": seats, "counts": counts, "wave": wave}

    @cached_property
    def seats(self) -> tuple[Seat[Said], ...]:
        """Who speaks in each turn, and what was said in it."""
        return tuple(map(self.seat, self.terms.turns))

    def seat(self, turn: Turn) -> Seat[Said]:
        """One turn: the model's own, or its substitute's as far as the model was down."""
        own, stand_in = self.said.get((turn.model, turn.run), ()), self.terms.substitutes.get(turn.model)
        if not stand_in or all(ballot.failure != UNAVAILABLE for ballot in own):
            return Seat(turn, own, next_number(own))
        others = self.said.get((stand_in, turn.run), ())
        said = (*(ballot for ballot in own if ballot.failure != UNAVAILABLE), *others)
        return Seat(Turn(stand_in, turn.run), said, next_number(others))

    @cached_property
    def counts(self) -> Counts[End]:
        """Every thing as it stands by all that was said."""
        return self.count_seats(self.before_all, self.things, self.seats)

    @property
    def before_all(self) -> Counts[End]:
        """Every thing before anything was said."""
        rule, everyone = self.terms.rule, len(self.terms.turns)
        return dict.fromkeys(self.things, Count(rule.nothing, everyone, rule.certain_end(rule.nothing, everyone)))

    def count_seats(self, counts: Counts[End], things: Iterable[str], seats: Iterable[Seat[Said]]) -> Counts[End]:
        """These counts of these things after these seats as well."""
        seats = tuple(seats)
        return {**counts, **{name: self.after(counts[name], name, seats) for name in things}}

    def after(self, count: Count[End], thing: str, seats: Iterable[Seat[Said]]) -> Count[End]:
        """A thing's count after these seats as well."""
        heard = [seat.word(thing) for seat in seats if seat.is_done_with(thing)]
        tally, lacking = reduce(self.terms.rule.add, filter(None, heard), count.tally), count.lacking - len(heard)
        end = self.terms.rule.certain_end(tally, lacking) if count.end is None else count.end
        return Count(tally, lacking, end)

    def end(self, thing: str) -> End | None:
        """What becomes of the thing, once no outstanding word can change that."""
        return self.counts[thing].end

    def lacks(self, thing: str) -> tuple[Turn, ...]:
        """The turns that may still bring a word about the thing."""
        return tuple(seat.turn for seat in self.seats if not seat.is_done_with(thing))

    def words(self, thing: str) -> tuple[Said, ...]:
        """The words about a thing, in the order of turns."""
        return tuple(word for seat in self.seats if (word := seat.word(thing)))

    def stand_ins(self, thing: str) -> tuple[str, ...]:
        """The words about a thing that substitutes gave, as "theirs for whose"."""
        found = zip(self.terms.turns, (seat.word(thing) for seat in self.seats), strict=True)
        return tuple(f"{word.by} for {turn}" for turn, word in found if word and word.by != str(turn))

    @cached_property
    def wave(self) -> Wave[End]:
        """The wave that is owed; one without questions when every thing is settled."""
        return self.walk(Wave(0, 0, self.before_all, {}), self.seats)

    def walk(self, wave: Wave[End], seats: tuple[Seat[Said], ...]) -> Wave[End]:
        """From a wave on, the first that owes anything."""
        while not wave.questions:
            open_before = [name for name in self.things if wave.counts[name].end is None]
            counts = self.count_seats(wave.counts, open_before, seats[wave.before : wave.end])
            unsettled = [name for name in open_before if counts[name].end is None]
            if not unsettled:
                return Wave(wave.end, wave.end, counts, {})
            tallies = (counts[name].tally for name in unsettled)
            end = wave.end + size(self.terms.waves, wave.end, len(seats), tallies, self.terms.rule)
            asked = ((at, seats[at].question(self.sheet, unsettled)) for at in range(wave.end, end))
            wave = Wave(wave.end, end, counts, {at: question for at, question in asked if question})
        return wave


# Polls by yes/no votes.
VoteTerms = Terms[Vote, Route]
VotePoll = Poll[Vote, Route]
