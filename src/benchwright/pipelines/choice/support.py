"""Whether the sentences that an option cites carry it: what checkers relied on, and a panel that sees these alone.

Every checker of options names the sentences that it relied on; code compares them with the cited ones. Another panel
gets the cited sentences of a correct option without the document. Where an answer has to join several places, the
panel is asked once more with the most needed sentence alone: if that carries the option, nothing is joined. All of it
is pure.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchwright.agents.base import Quoted
from benchwright.agents.choice import check_evidence
from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.vote import Route, Vote
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.body import EvidenceCheck
from benchwright.pipelines.choice.comparing import CARRIES, THING, poll_after
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.option import CORRECT, Option
from benchwright.pipelines.choice.standing import option_vote, word
from benchwright.pipelines.polling import VotePoll, VoteTerms

NOT_CARRIED = "the cited sentences do not carry it"
ONE_SUFFICES = "one of the cited sentences carries it alone, so nothing has to be joined"
ELSEWHERE = "no checker that confirms it relied on a sentence that its writer cites"


@dataclass(frozen=True, slots=True)
class Trial:
    """Some of the sentences that an option cites, and what the panel says of these alone."""

    numbers: tuple[int, ...]
    poll: VotePoll

    @property
    def route(self) -> Route | None:
        """Whether they carry the option; None while the panel is being asked."""
        return None if self.poll.wave.questions else self.poll.end(THING)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about the evidence of an option: its trials, first with all that it cites.

    Of the votes that confirm it and name sentences, `relied` counts those that name a cited one, and all.
    """

    trials: tuple[Trial, ...] = ()
    relied: tuple[int, int] = (0, 0)

    @property
    def fall(self) -> str:
        """Why the option falls; "" where it does not."""
        if self.trials and self.trials[0].route is Route.REJECT:
            return NOT_CARRIED
        return ONE_SUFFICES if len(self.trials) > 1 and self.trials[1].route is Route.KEEP else ""

    @property
    def doubt(self) -> str:
        """Why people decide about the option; "" where they need not."""
        elsewhere = ELSEWHERE if self.trials and self.relied[1] and not self.relied[0] else ""
        return "; ".join(filter(None, (self.open_trial, elsewhere)))

    @property
    def open_trial(self) -> str:
        """What the panel leaves open; "" where it leaves nothing open."""
        open_trial = next((one for one in self.trials if one.route is Route.HUMAN), None)
        if open_trial is None:
            return ""
        cited = "the cited sentences carry" if open_trial is self.trials[0] else "one cited sentence alone carries"
        return f"checkers leave open whether {cited} it"

    @property
    def words(self) -> tuple[str, ...]:
        """What the panel says, for people."""
        said = ((cite(trial.numbers), vote) for trial in self.trials for vote in trial.poll.words(THING))
        return tuple(f"{by.by} says of {cited} without the document {by.verdict}: {by.reason}" for cited, by in said)

    def checks(self) -> tuple[EvidenceCheck, ...]:
        """The same as it is stored."""
        return tuple(map(as_stored, self.trials))


def as_stored(trial: Trial) -> EvidenceCheck:
    """A trial as it is stored."""
    count, votes = trial.poll.counts[THING].tally, sorted(trial.poll.words(THING), key=lambda vote: vote.by)
    return EvidenceCheck(
        sentences=trial.numbers,
        ratio=f"{count.keep}/{count.cast}",
        route=word(trial.poll.end(THING)),
        votes=tuple(map(option_vote, votes)),
    )


def cite(numbers: Sequence[int]) -> str:
    """Sentences by their numbers, as the document shows them."""
    return ", ".join(f"[{number}]" for number in numbers)


def reliance(votes: Sequence[Vote], option: Option) -> tuple[int, int]:
    """Of the votes that confirm an option and name sentences, how many name a cited one, and how many there are."""
    cited = {span["sentence"] for span in option.evidence}
    naming = [vote for vote in votes if vote.keep and vote.cites]
    return sum(not cited.isdisjoint(vote.cites) for vote in naming), len(naming)


@dataclass(frozen=True)
class Support:
    """A campaign's panel on evidence, which is asked where it is `on`; `joins`: an answer has to join sentences."""

    on: bool
    terms: VoteTerms
    seed: int
    language: str
    how: str
    joins: bool

    def judge(self, draft: Draft, option: Option, poll: VotePoll) -> Evidence:
        """What is known of an option's evidence; the panel speaks about correct ones that votes do not reject."""
        relied, end = reliance(poll.words(option.id), option), poll.end(option.id)
        asked = self.on and option.label == CORRECT and not poll.wave.questions and end is not Route.REJECT
        return Evidence(tuple(self.trials(draft, option)) if asked else (), relied)

    def trials(self, draft: Draft, option: Option) -> Iterator[Trial]:
        """All cited sentences, then perhaps the most needed one alone."""
        numbers = tuple(sorted({span["sentence"] for span in option.evidence}))
        first = self.trial(draft, option, numbers)
        yield first
        if self.joins and len(numbers) > 1 and first.route is Route.KEEP:
            yield self.trial(draft, option, (self.most_needed(draft, option, numbers),))

    def trial(self, draft: Draft, option: Option, numbers: tuple[int, ...]) -> Trial:
        """What was said about these sentences."""
        return Trial(numbers, poll_after(draft.evidence.get(part_of(option, numbers), ()), self.terms, CARRIES))

    def most_needed(self, draft: Draft, option: Option, numbers: tuple[int, ...]) -> int:
        """The sentence that most checkers need; of equals, one by the seed."""
        answers = draft.evidence.get(part_of(option, numbers), ())
        needed = Counter(number for answer in answers for number in answer.value.get("needed", ()))
        return max(seeded_shuffle(numbers, self.seed, draft.seed.id, option.id), key=lambda number: needed[number])

    def next_owed(self, draft: Draft, options: Sequence[Option]) -> list[Due]:
        """What the panel is asked next about these options; a wave, where it is one trial alone."""
        if not self.on:
            return []
        owing = [(one, trial) for one in options for trial in self.trials(draft, one) if trial.poll.wave.questions]
        return [due for one, trial in owing for due in self.dues(draft, one, trial, alone=len(owing) == 1)]

    def dues(self, draft: Draft, option: Option, trial: Trial, *, alone: bool) -> list[Due]:
        """The questions of one trial's wave."""
        agent, about = check_evidence.agent, part_of(option, trial.numbers)
        ask = check_evidence.Ask(draft.stem, option.text, Quoted(trial.numbers), self.how, self.language)
        wave = f"{agent.name}/{about}/{trial.poll.wave.before}" if alone else ""
        turns = (question.turn for question in trial.poll.wave.questions.values())
        return [Due(agent, ask, turn.model, about, turn.run, wave) for turn in turns]


def part_of(option: Option, numbers: Sequence[int]) -> str:
    """What an answer about these sentences of an option is about."""
    return "-".join((option.id, *map(str, numbers)))
