"""Distractors that nobody takes: judges' answers tell which, new ones take their place, the item is measured again.

An item is a row of option sets, the first as it was kept. A set that is easy, and of which judges never took some
distractor, leads to another in which new ones stand in their places. The first set that is hard by the mean of all its
measures is kept; without one, the first of all. All of it is pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchwright.agents.choice import answer_item
from benchwright.domain.campaign import Campaign
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.body import OptionSet
from benchwright.pipelines.choice.difficulty import Level
from benchwright.pipelines.choice.refining import Heard, Posed, RefineSettings, Refining
from benchwright.pipelines.choice.standing import OptionState

MOST_SAID = 2  # reasons of judges that a writer is told about one option


@dataclass(frozen=True, slots=True)
class Untaken:
    """Distractors that no judge took, each with what judges say against it, to be replaced."""

    options: tuple[OptionState, ...]
    told: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sets:
    """How far it has led: what judges owe, or what is to be replaced, or the options to keep.

    These may be `proven` hard by all measures; `seen` are the sets that were measured.
    """

    dues: tuple[Due, ...] = ()
    untaken: Untaken | None = None
    options: tuple[OptionState, ...] = ()
    proven: bool = False
    seen: tuple[OptionSet, ...] = ()


@dataclass(frozen=True, slots=True)
class Replacing:
    """An item whose options are measured: `item` is its id, `stem` its question."""

    campaign: Campaign
    settings: RefineSettings
    item: str
    stem: str
    language: str

    def walk(
        self, first: Sequence[OptionState], rounds: Sequence[Sequence[OptionState]], right: frozenset[str], heard: Heard
    ) -> Sets:
        """From the first set of options on, through those that rounds of writing have led to."""
        now = tuple(first)
        seen: tuple[OptionSet, ...] = ()
        if not self.settings.replace:
            return Sets(options=now)
        while True:
            number = len(seen)
            refining = self.measure(now, right, proven=number > 0)
            owed = refining.next_owed(heard)
            if isinstance(owed, tuple):
                return Sets(dues=owed)
            untaken = self.untaken(refining, now, right, heard)
            names = tuple(one.id for one in untaken.options)
            version = owed.difficulty.versions[0]
            seen = (*seen, OptionSet(tuple(one.id for one in now), version.score, owed.end.level.value, names))
            if owed.end.level is Level.HARD:
                return Sets(options=now, proven=number > 0, seen=seen)
            if owed.end.level is not Level.EASY or not names or number == self.settings.replace:
                break
            if number == len(rounds):
                return Sets(untaken=untaken)
            if not rounds[number]:
                break
            now = put_in(now, untaken.options, rounds[number])
        return Sets(options=tuple(first), seen=seen)

    def measure(self, options: Sequence[OptionState], right: frozenset[str], *, proven: bool) -> Refining:
        """The measure of a set of options, without any change of the stem."""
        posed = Posed(self.stem, tuple((one.id, one.text) for one in options), right, proven)
        return Refining(self.campaign, self.settings.model_copy(update={"rounds": 0}), posed, self.item, self.language)

    def untaken(
        self, refining: Refining, options: Sequence[OptionState], right: frozenset[str], heard: Heard
    ) -> Untaken:
        """The distractors of a set that no judge called right, though some answered."""
        said = heard.said.get((answer_item.agent.name, refining.first_question), {}).values()
        judged = [one.value["answers"] for one in sorted(said, key=lambda one: one.by) if not one.failure]
        wrong = [one for one in options if one.id not in right]
        found = tuple(one for one in wrong if judged and not any(each[one.id]["right"] for each in judged))
        return Untaken(found, tuple(f"{one.text} - {against(one.id, judged)}" for one in found))


def against(name: str, judged: Sequence[Mapping[str, Mapping[str, str]]]) -> str:
    """What judges say against an option, in some of their words."""
    return " ".join(dict.fromkeys(each[name]["reason"] for each in judged[:MOST_SAID]))


def put_in(
    options: Sequence[OptionState], untaken: Sequence[OptionState], new: Sequence[OptionState]
) -> tuple[OptionState, ...]:
    """The options with new ones in the places of untaken ones, as many as there are of both."""
    places = {old.id: one for old, one in zip(untaken, new, strict=False)}
    return tuple(places.get(one.id, one) for one in options)
