"""What all phases share: who is asked in which language, what was said, how panels and people come to a word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from benchwright.agents.base import Agent
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import seeded_random
from benchwright.domain.item import Seed
from benchwright.domain.opinion import AGREED, WITHDRAW, Combine, Opinion, Policy, Ruling, rule_on, standing_opinions
from benchwright.domain.vote import Vote
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.crisis.body import Said
from benchwright.pipelines.crisis.ontology import Ontology
from benchwright.pipelines.crisis.settings import CrisisSettings
from benchwright.pipelines.polling import (
    Cast,
    SheetAnswer,
    Terms,
    VotePoll,
    VoteTerms,
    waves_of,
    with_ballot,
)
from benchwright.pipelines.texts import embed_texts

VOTE_OF: Mapping[str, bool | None] = {"yes": True, "no": False, "cannot_say": None}
SCENE_LANGUAGE = "the language of the scene"


@dataclass(frozen=True, slots=True)
class State:
    """What is known of an item: its seed, and all that was said about it, by role, part and author.

    `polls` are those that were counted of this state, by role and sheet: a plan looks at each several times.
    """

    seed: Seed
    said: Mapping[tuple[str, str, str], Answer]
    polls: dict[tuple[str, int], VotePoll] = field(default_factory=dict, compare=False, repr=False)

    def with_answer(self, answer: Answer) -> "State":
        """The state with one more answer; the same in whatever order answers come."""
        return State(self.seed, {**self.said, (answer.step, answer.about, answer.by): answer})

    def find(self, agent: Agent, about: str = "") -> Answer | None:
        """The answer of whoever serves a role alone."""
        return next(iter(self.of_role(agent, about)), None)

    def of_role(self, agent: Agent, about: str) -> tuple[Answer, ...]:
        """All answers in a role about a part, by their authors."""
        return tuple(self.said[key] for key in sorted(self.said) if key[0] == agent.name and key[1] == about)


@dataclass(frozen=True)
class Making:
    """A campaign's settings and labels, with what phases need of them."""

    campaign: Campaign
    settings: CrisisSettings
    ontology: Ontology

    @property
    def language(self) -> str:
        """What is written in."""
        return SCENE_LANGUAGE if self.campaign.language == "document" else self.campaign.language

    @property
    def embeds(self) -> bool:
        """Whether a model embeds texts."""
        return embeds(self.campaign)

    def due(self, agent: Agent, ask: Any, about: str = "", run: int = 0) -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.campaign.roles[agent.name].models[0], about, run)

    def draw(self, share: float | Fraction, *parts: object) -> bool:
        """Whether chance, which depends on the campaign's seed and these parts alone, falls on so large a share."""
        return share > 0 and seeded_random(self.campaign.seed, *parts).random() < share

    # ------------------------------------------------------------------------------------------------------ panels

    def terms(self, agent: Agent) -> VoteTerms:
        """The terms on which a panel votes."""
        panel = self.campaign.roles[agent.name]
        stand_ins = {name: self.campaign.models[name].substitute for name in panel.models}
        return Terms(panel, self.campaign.rule, waves_of(self.settings.waves, panel), stand_ins)

    def poll(self, state: State, agent: Agent, sheet: int, things: Sequence[str]) -> VotePoll:
        """What a panel has said of the things of a sheet."""
        if (known := state.polls.get((agent.name, sheet))) is not None:
            return known
        cast: Cast[Vote] = {}
        for (step, about, _), answer in sorted(state.said.items()):
            if step == agent.name and int(about.partition(".")[0]) == sheet:
                cast = with_ballot(cast, ballot(answer))
        poll = state.polls[agent.name, sheet] = VotePoll(sheet, tuple(things), cast, self.terms(agent))
        return poll

    # ------------------------------------------------------------------------------------------------------ people

    def ruling(self, state: State, agent: Agent, about: str, opinions: int = 0, combine: Combine = AGREED) -> Ruling:
        """What people come to about a part; so many opinions are asked for, or as many as the campaign says."""
        return rule_on(standing_opinions(state.of_role(agent, about)), self.policy(opinions), combine)

    def policy(self, opinions: int = 0) -> Policy:
        """How people review."""
        policy = self.campaign.review
        return replace(policy, opinions=opinions) if opinions else policy

    def ask_people(self, state: State, agent: Agent, ask: Any, about: str, missing: int) -> list[Due]:
        """So many questions to people. Each opinion ever given has used up one ticket: a later one has another key."""
        given = sum(answer.value.get("decision") != WITHDRAW for answer in state.of_role(agent, about))
        return [Due(agent, ask, HUMAN, about, run) for run in range(given, given + missing)]


def embeds(campaign: Campaign) -> bool:
    """Whether a model of the campaign embeds texts."""
    panel = campaign.roles.get(embed_texts.name)
    return bool(panel and panel.models)


def ballot(answer: Answer) -> SheetAnswer[Vote]:
    """A checker's answer as a ballot."""
    model, _, run = answer.by.rpartition("#")
    sheet, _, again = answer.about.partition(".")
    words = {} if answer.failure else votes(answer)
    return SheetAnswer(int(sheet), model, int(run) - 1, words, answer.failure, int(again or 0))


def votes(answer: Answer) -> dict[str, Vote]:
    """A checker's verdicts as votes, by what they are about."""
    value = answer.value
    verdicts: Mapping[str, Any] = value.get("verdicts") or {"class": value}
    return {
        name: Vote(name, answer.by, VOTE_OF[one["verdict"]], one["reason"], one["verdict"])
        for name, one in verdicts.items()
    }


def as_said(found: Iterable[Vote]) -> tuple[Said, ...]:
    """Votes as bodies hold them, by their authors."""
    return tuple(Said(vote.by, vote.verdict, vote.reason) for vote in sorted(found, key=lambda vote: vote.by))


def decisions(opinions: Iterable[Opinion]) -> tuple[Said, ...]:
    """What people said, as bodies hold it."""
    return tuple(Said(one.by, one.decision, one.reason) for one in opinions)
