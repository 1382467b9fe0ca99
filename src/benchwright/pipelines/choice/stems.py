"""What becomes of a question before any option is written: a panel says whether it deserves options, then people do.

The rule, the waves and the people are those of options. What the panel rejects ends the item; what it leaves open, or
what a family vetoes, is put to people, who keep it, word it otherwise or discard the item. All of it is pure.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from benchwright.agents.base import Quoted
from benchwright.agents.choice import check_stem, review_stem
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import seeded_random
from benchwright.domain.item import Ending, discarded_ending
from benchwright.domain.opinion import EDIT, WITHDRAW, Opinion, Ruling, standing_opinions
from benchwright.domain.vote import Route, Vote
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.choice.body import StemCheck
from benchwright.pipelines.choice.comparing import THING
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.standing import decision, option_vote, people_route, vetoes_of, why_people, word
from benchwright.pipelines.polling import VotePoll

STEM = "stem"  # what answers of people about the question are about
REJECTED = "question rejected"


@dataclass(frozen=True, slots=True)
class StemState:
    """How a question stands between its panel and people; an `audited` one is put to them whatever the votes say."""

    poll: VotePoll
    opinions: tuple[Opinion, ...]
    people: Ruling
    audited: bool

    @property
    def route(self) -> Route | None:
        """Where the votes lead; None while the panel is being asked."""
        return None if self.poll.wave.questions else self.poll.end(THING)

    @property
    def fate(self) -> Route | None:
        """Keep or reject once that is certain; `human` while people owe a decision; None while the panel does."""
        return people_route(self.people) or (Route.HUMAN if self.audited and self.route else self.route)

    @property
    def votes(self) -> tuple[Vote, ...]:
        """The votes, by who cast them."""
        return tuple(sorted(self.poll.words(THING), key=lambda vote: vote.by))

    def check(self, written: str) -> StemCheck:
        """The same as it is stored; `written` is the wording of the writer, "" where it holds."""
        count = self.poll.counts[THING].tally
        return StemCheck(
            ratio=f"{count.keep}/{count.cast}",
            route=word(self.poll.end(THING)),
            votes=tuple(map(option_vote, self.votes)),
            lacks=tuple(map(str, self.poll.lacks(THING))),
            degraded=self.poll.stand_ins(THING),
            vetoes=vetoes_of(self.poll, THING),
            audited=self.audited,
            decisions=tuple(map(decision, self.opinions)),
            fate=word(self.fate),
            written=written,
        )


@dataclass(frozen=True, slots=True)
class Stems:
    """A campaign's panel and people, deciding on the question of a draft; `how` says in what way it is answered."""

    campaign: Campaign
    language: str
    how: str

    def state(self, draft: Draft) -> StemState | None:
        """How the question stands; None where no panel is asked."""
        if draft.stem_poll is None:
            return None
        opinions = standing_opinions(draft.stem_words)
        return StemState(draft.stem_poll, opinions, draft.stem_ruling, self.is_audited(draft))

    def is_audited(self, draft: Draft) -> bool:
        """Whether the question is in the sample that people see whatever the votes say."""
        share = self.campaign.review.audit
        return share > 0 and in_sample(share, self.campaign.seed, draft.seed.id, STEM)

    def next_owed(self, draft: Draft, topic: str) -> Sequence[Due] | Ending | None:
        """What the panel or people owe, or how the item ends; None once options may be written."""
        state = self.state(draft)
        if state is None:
            return None
        if owed := self.checks(draft, state.poll, topic):
            return owed
        if state.fate is Route.HUMAN:
            return self.reviews(draft, state, topic)
        if state.fate is Route.KEEP:
            return None
        if holds := state.people.holds:
            return discarded_ending("discarded by people", holds.reason)
        return discarded_ending(REJECTED, faults_told(state.votes))

    def checks(self, draft: Draft, poll: VotePoll, topic: str) -> list[Due]:
        """What the panel is asked in the wave that is owed."""
        agent = check_stem.agent
        ask = check_stem.Ask(draft.written_stem, topic, self.how, self.language)
        wave = f"{agent.name}/{STEM}/{poll.wave.before}"
        turns = (question.turn for question in poll.wave.questions.values())
        return [Due(agent, ask, turn.model, STEM, turn.run, wave) for turn in turns]

    def reviews(self, draft: Draft, state: StemState, topic: str) -> list[Due]:
        """The question to people, as often as opinions are missing; each opinion ever given has used up a ticket."""
        given = sum(answer.value["decision"] != WITHDRAW for answer in draft.stem_words)
        ask = self.review(draft, state, topic)
        keys = range(given, given + state.people.missing)
        return [Due(review_stem.agent, ask, HUMAN, STEM, run) for run in keys]

    def review(self, draft: Draft, state: StemState, topic: str) -> review_stem.Ask:
        """What people are asked about the question."""
        return review_stem.Ask(
            question=draft.written_stem,
            topic=topic,
            how=self.how,
            evidence=Quoted(draft.pieces),
            votes=tuple(
                f"{vote.by} says {vote.verdict}: {vote.reason} Its own answer: {vote.answer}" for vote in state.votes
            ),
            why=why_people(state.poll, THING) or f"audit of a question that the votes {word(state.route)}",
        )


def faults_told(votes: Sequence[Vote]) -> str:
    """What is wrong by the votes against a question: each fault with how many say so, and the first reason."""
    against = [vote for vote in votes if vote.keep is False]
    often = Counter(vote.verdict for vote in against)
    first = {vote.verdict: vote.reason for vote in reversed(against)}
    return "; ".join(f"{times} say {fault}: {first[fault]}" for fault, times in often.most_common())


def new_wording(draft: Draft) -> Opinion | None:
    """The word by which people gave the question another wording before options were written."""
    holds = draft.stem_ruling.holds if draft.stem_words else None
    return holds if holds and holds.decision == EDIT else None


@lru_cache(maxsize=4096)  # asked of every option at each answer
def in_sample(share: Fraction, seed: int, item: str, option: str) -> bool:
    """Whether an option is in the sample that people see whatever the votes say."""
    return seeded_random(seed, item, option, "audit").random() < share
