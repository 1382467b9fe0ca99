"""Recall items (EpiQAL-A, arXiv 2601.03471, sections 3.3-3.5): explicit facts, one or more right answers.

Reads from top to bottom like the method: class, topic, question, correct options, distractors, panel, people,
selection. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents import (
    check_option,
    choose_class,
    choose_topic,
    design_distractors,
    review_option,
    write_correct_options,
    write_question,
)
from benchwright.agents.base import Agent, Passage, Quoted
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Outline
from benchwright.domain.ids import seeded, shuffled
from benchwright.domain.item import Progress, Seed, Verdict, discarded, kept
from benchwright.domain.opinion import WITHDRAW, ruling, standing
from benchwright.domain.option import CORRECT, DISTRACTOR, Option
from benchwright.domain.vote import Route, Tally
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.planted import planted
from benchwright.pipelines.polling import Poll, Question, SettingOfWaves, Wave, waves_of
from benchwright.pipelines.recall_standing import Standing, told
from benchwright.pipelines.recall_state import State, fold, sheets
from benchwright.pipelines.slots import admit
from benchwright.pipelines.spread import Preference, preference
from benchwright.pipelines.taxonomy import Taxonomy, Topic, TopicClass, load_taxonomy, numbered

BEGINNING = 4  # sentences that the writer of a question looks at first
NEARBY = 4  # sentences on either side of the answer's that a writer of distractors looks at first
DOCUMENT_LANGUAGE = "the language of the document"


class RecallSettings(BaseModel):
    """The table `[recall]` of a campaign file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    taxonomy: str = "epidemiology"
    topics: Literal["model", "balanced"] = "model"
    distractors: int = Field(default=3, ge=1, le=12)
    min_options: int = Field(default=3, ge=1, le=12)  # fewer kept options than this are no item
    no_correct: Literal["keep", "discard"] = "keep"  # an item without a kept correct option
    refills: int = Field(default=2, ge=0, le=10)  # further rounds of distractors
    waves: Annotated[int, Field(ge=1, le=100, strict=True)] | SettingOfWaves = "runs"  # in which the panel is asked
    planted: float = Field(default=0.0, ge=0, le=1)  # share of the items in which checkers are tested


@dataclass(frozen=True)
class Recall:
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "recall"
    Settings: ClassVar[type[BaseModel]] = RecallSettings
    stem_step: ClassVar[str] = write_question.agent.name
    agents: ClassVar[tuple[Agent, ...]] = (
        choose_class.agent,
        choose_topic.agent,
        write_question.agent,
        write_correct_options.agent,
        design_distractors.agent,
        check_option.agent,
        review_option.agent,
    )

    campaign: Campaign
    settings: RecallSettings
    taxonomy: Taxonomy

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Recall":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = RecallSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, load_taxonomy(settings.taxonomy, folder))

    @property
    def language(self) -> str:
        """What the writers are told to write in."""
        return DOCUMENT_LANGUAGE if self.campaign.language == "document" else self.campaign.language

    def sources(self) -> Mapping[str, str]:
        """The hash of the taxonomy."""
        return {"taxonomy": self.taxonomy.id}

    def admit(self, outlines: Sequence[Outline], progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return admit(self.campaign, outlines, progress)

    def fold(self, seed: Seed, answers: Sequence[Answer]) -> State:
        """What is known about an item."""
        return fold(seed, answers)

    def plan(self, state: State) -> Sequence[Due] | Verdict:
        """What is owed next, or how the item ends."""
        if state.stopped:
            return discarded(state.stopped, state.detail)
        if state.duplicate_of:
            return discarded("near-duplicate question", f"of item {state.duplicate_of}")
        return self.plan_question(state) or self.plan_options(state)

    def plan_question(self, state: State) -> list[Due]:
        """Class, topic, question, correct options: each once, one after the other."""
        if state.topic_class is None and len(self.taxonomy.classes) > 1:  # of one class there is nothing to choose
            ask: Any = choose_class.Ask(numbered(self.taxonomy.classes), self.language)
            return [self.due(choose_class.agent, ask)]
        topics = self.topic_class(state).topics
        if state.topic is None:
            return [self.due(choose_topic.agent, choose_topic.Ask(numbered(topics), self.language))]
        if state.question is None:
            focus = json.loads(state.seed.body)["focus"]
            passage = Passage(state.seed.id, BEGINNING)
            ask = write_question.Ask(str(self.topic(state)), focus, passage, (), self.language)
            return [self.due(write_question.agent, ask)]
        if not state.written:
            quotes = Quoted(tuple(span["sentence"] for span in state.question["evidence"]))
            ask = write_correct_options.Ask(stem(state), quotes, self.language)
            return [self.due(write_correct_options.agent, ask)]
        return []

    def topic_class(self, state: State) -> TopicClass:
        """The class taken from the item's choice of class: the model's best, or the one whose turn it is."""
        return self.taxonomy.classes[self.class_number(state) - 1]

    def class_number(self, state: State) -> int:
        """The number of the item's class."""
        choice = state.topic_class or {"best": 1, "suitable": [1]}
        return self.preference(state).topic_class(choice["suitable"]) if self.balanced else int(choice["best"])

    def topic(self, state: State) -> Topic:
        """The topic taken from the item's choice of topic."""
        choice = state.topic or {}
        if self.balanced:
            number = self.preference(state).topic(self.class_number(state), choice["suitable"])
        else:
            number = int(choice["best"])
        return self.topic_class(state).topics[number - 1]

    @property
    def balanced(self) -> bool:
        """Whether items are spread over the taxonomy."""
        return self.settings.topics == "balanced"

    def preference(self, state: State) -> Preference:
        """The order in which the item would take classes and topics.

        A next try at a slot keeps to its topic where it is made of another document, and takes another on the same.
        """
        passed = 0 if self.campaign.quota.target is not None else state.seed.attempt
        return preference(self.taxonomy, self.campaign.seed, state.seed.slot, passed)

    def plan_options(self, state: State) -> Sequence[Due] | Verdict:
        """Distractors and votes, in rounds while the panel leaves too few; then people; then the end.

        People decide on all that is put to them before their rejections send the item back to the writer, so the
        order of their decisions changes nothing.
        """
        polls = self.polls(state)
        wave = next(filter(None, (poll.wave() for poll in polls)), None)
        standings = self.standings(state, polls)
        if end := self.hopeless(state, standings, self.standings(state, polls, wave) if wave else standings):
            return end
        votes = [self.check(state, question) for question in wave.questions] if wave else []
        if votes and any(standing.votes for standing in standings):
            return votes
        if missing := self.missing(state, [s for s in standings if s.route is not Route.REJECT]):
            return [self.distractors(state, standings, missing)]
        people = [self.reviews(state, s, standings) for s in standings if s.fate is Route.HUMAN]
        if owed := votes or [due for dues in people for due in dues]:
            return owed
        if missing := self.missing(state, [s for s in standings if s.fate is not Route.REJECT]):
            return [self.distractors(state, standings, missing)]
        return self.verdict(state, standings)

    def due(self, agent: Agent, ask: Any, about: str = "", run: int = 0) -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.campaign.roles[agent.name].models[0], about, run)

    def polls(self, state: State) -> tuple[Poll, ...]:
        """The sheets of options that the panel gets, with what it has said."""
        panel = self.campaign.roles[check_option.agent.name]
        waves = waves_of(self.settings.waves, panel)
        said = state.ballots
        stand_ins = {name: self.campaign.models[name].substitute for name in panel.models}
        return tuple(
            Poll(sheet, tuple(o.id for o in options), said, panel, self.campaign.rule, waves, stand_ins)
            for sheet, options in sheets(state)
        )

    def standings(self, state: State, polls: Sequence[Poll] = (), wave: Wave | None = None) -> tuple[Standing, ...]:
        """Every option, fallen ones included, as it stands; or as it stood when this wave began."""
        poll_of = {option: poll for poll in polls or self.polls(state) for option in poll.options}
        return tuple(self.standing(state, option, poll_of.get(option.id), wave) for option in state.options)

    def standing(self, state: State, option: Option, poll: Poll | None, wave: Wave | None) -> Standing:
        """One option's votes and route, and what people say."""
        if poll is None:  # it fell at a gate
            return Standing(option, (), Tally(0, 0), Route.REJECT)
        before = wave.before if wave and wave.sheet == poll.sheet else None
        votes = tuple(sorted(poll.votes(option.id, before), key=lambda vote: vote.by))
        count, route = poll.count(option.id, before), poll.route(option.id, before)
        lacks, degraded = tuple(map(str, poll.lacks(option.id, before))), poll.stand_ins(option.id)
        opinions = standing(said for name, said in state.decisions if name == option.id)
        people = ruling(opinions, self.campaign.review)
        return Standing(option, votes, count, route, lacks, degraded, opinions, people, self.audited(state, option))

    def audited(self, state: State, option: Option) -> bool:
        """Whether an option is in the sample that is put to people whatever the votes say."""
        share = self.campaign.review.audit
        return share > 0 and seeded(self.campaign.seed, state.seed.id, option.id, "audit").random() < share

    def missing(self, state: State, alive: Sequence[Standing]) -> int:
        """How many distractors are to be written beside those alive; 0 when no round is left."""
        there = sum(standing.option.label == DISTRACTOR for standing in alive)
        return max(0, self.settings.distractors - there) if state.rounds <= self.settings.refills else 0

    def distractors(self, state: State, standings: Sequence[Standing], wanted: int) -> Due:
        """The question for so many distractors; what people reworded is told in their words, and taken in both."""
        right = tuple(s.text for s in standings if s.option.label == CORRECT)
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        ask = design_distractors.Ask(
            question=stem(state),
            nearby=Quoted(cited(state.labelled(CORRECT)), NEARBY),
            correct=right,
            taken=(*(s.option.text for s in wrong), *(s.text for s in wrong if s.text != s.option.text)),
            wanted=wanted,
            language=self.language,
        )
        # A sample of its own: where the round before brought nothing, question and reply would be the same.
        return self.due(design_distractors.agent, ask, str(state.rounds + 1), state.rounds)

    def check(self, state: State, asked: Question) -> Due:
        """The blind question to one checker, its options in an order of its own."""
        named = {option.id: option.text for option in state.options}
        options = [(name, named[name]) for name in asked.options] + self.planted(state, asked)
        turn = asked.turn
        order = shuffled(options, self.campaign.seed, state.seed.id, asked.about, turn.model, turn.run)
        ask = check_option.Ask(stem(state), check_option.lettered(order), self.language)
        return Due(check_option.agent, ask, turn.model, asked.about, turn.run)

    def planted(self, state: State, asked: Question) -> list[tuple[str, str]]:
        """The options by which a checker is tested, among those of its first question about the item's first sheet."""
        first = asked.turn.run == asked.again == 0 and asked.sheet == min(poll.sheet for poll in self.polls(state))
        chosen = seeded(self.campaign.seed, state.seed.id, "planted").random() < self.settings.planted
        return list(planted(state.labelled(CORRECT), state.seed.id)) if first and chosen else []

    def reviews(self, state: State, standing: Standing, standings: Sequence[Standing]) -> list[Due]:
        """The question to people about an option, as often as opinions are missing.

        Each opinion ever given, whether it stands or not, has used up one ticket: a later one has another key.
        """
        said = [answer for name, answer in state.decisions if name == standing.option.id]
        given = sum(answer.value["decision"] != WITHDRAW for answer in said)
        ask = self.review(state, standing, standings)
        keys = range(given, given + standing.people.missing)
        return [Due(review_option.agent, ask, HUMAN, standing.option.id, run) for run in keys]

    def review(self, state: State, standing: Standing, standings: Sequence[Standing]) -> review_option.Ask:
        """What people are asked about an option."""
        option = standing.option
        return review_option.Ask(
            question=stem(state),
            option=option.text,
            claim="correct option" if option.label == CORRECT else "distractor",
            evidence=Quoted(cited([option])),
            votes=tuple(f"{vote.by} says {vote.verdict}: {vote.reason}" for vote in standing.votes),
            others=tuple(other.text for other in standings if other is not standing and not other.option.gate),
            why=self.why(standing),
        )

    def why(self, standing: Standing) -> str:
        """For what reason people are asked."""
        if standing.route is not Route.HUMAN:
            return f"audit of an option that the votes {'keep' if standing.route is Route.KEEP else 'reject'}"
        few = standing.count.cast < max(self.campaign.rule.quorum, 1)
        return "too few votes" if few else "the votes are divided"

    def hopeless(self, state: State, standings: Sequence[Standing], began: Sequence[Standing]) -> Verdict | None:
        """The end of an item that no outstanding vote can save: the panel is asked nothing more about it.

        The panel's votes alone say so, as they were when its wave `began`: so it matters neither who of the wave nor
        who of the people answers first.
        """
        alive = [s.option.label for s in began if s.route is not Route.REJECT or s.audited]
        if state.rounds <= self.settings.refills:  # distractors may yet be written
            alive += [DISTRACTOR] * self.settings.min_options
        fault = self.fault(alive)
        return discarded(*fault, self.final(state, standings, ())) if fault else None

    def fault(self, labels: Sequence[str]) -> tuple[str, str] | None:
        """Why options of these labels make no item, cause and detail; None where they do."""
        if CORRECT not in labels and self.settings.no_correct == "discard":
            return "no correct option kept", ""
        if len(labels) < self.settings.min_options:
            return "too few options", f"{len(labels)} options left, {self.settings.min_options} needed"
        return None

    def verdict(self, state: State, standings: Sequence[Standing]) -> Verdict:
        """The item's end: kept with its options in their stored order, or discarded with the cause."""
        stand = [s for s in standings if s.fate is Route.KEEP]
        answers = [s.id for s in stand if s.option.label == CORRECT]
        order = shuffled([s.id for s in stand], self.campaign.seed, state.seed.id, "options")
        body = self.final(state, standings, order)
        if fault := self.fault([s.option.label for s in stand]):
            return discarded(*fault, body)
        return kept("kept" if answers else "kept without a correct option", body)

    def so_far(self, state: State) -> dict[str, Any] | None:
        """The item as it stands, its options in no order yet; None before it has a question."""
        return self.final(state, self.standings(state), ()) if state.question else None

    def final(self, state: State, standings: Sequence[Standing], order: Sequence[str]) -> dict[str, Any]:
        """The item as export and review read it."""
        return {
            "class": self.topic_class(state).name,
            "topic": self.topic(state).name,
            "question": state.question,
            "options": [told(s) for s in standings],
            "order": list(order),
        }


def stem(state: State) -> str:
    """The question's text."""
    return str(state.question["question"]) if state.question else ""


def cited(options: Sequence[Option]) -> tuple[int, ...]:
    """The numbers of the sentences that options cite."""
    return tuple(span["sentence"] for option in options for span in option.evidence)
