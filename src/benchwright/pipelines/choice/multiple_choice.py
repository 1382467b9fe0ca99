"""Items with options: what every such pipeline does once the question stands.

Reads from top to bottom like the method: distractors, panel, people, selection, hardening of the stem (EpiQAL, arXiv
2601.03471, sections 3.5-3.6). How question and correct options come about is the pipeline's own. All of it is pure.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent, Quoted
from benchwright.agents.choice import check_option, review_option
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, Outline, View, whole
from benchwright.domain.ids import seeded, shuffled
from benchwright.domain.item import Progress, Seed, Verdict, discarded, kept
from benchwright.domain.opinion import WITHDRAW, ruling, standing
from benchwright.domain.vote import Route, Tally
from benchwright.pipelines.base import HUMAN, Due
from benchwright.pipelines.choice.drafts import draft
from benchwright.pipelines.choice.item_state import State, fold, sheets
from benchwright.pipelines.choice.kind import CHOICE, ChoiceKind
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option
from benchwright.pipelines.choice.standing import Standing, told
from benchwright.pipelines.polling import Poll, Question, SettingOfWaves, Wave, waves_of
from benchwright.pipelines.slots import admit
from benchwright.pipelines.template import Draft

DOCUMENT_LANGUAGE = "the language of the document"


class ChoiceSettings(BaseModel):
    """What a campaign may set of every pipeline of items with options."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    distractors: int = Field(default=3, ge=1, le=12)
    min_options: int = Field(default=3, ge=1, le=12)  # fewer kept options than this are no item
    no_correct: Literal["keep", "discard"] = "keep"  # an item without a kept correct option
    refills: int = Field(default=2, ge=0, le=10)  # further rounds of distractors
    waves: Annotated[int, Field(ge=1, le=100, strict=True)] | SettingOfWaves = "runs"  # in which the panel is asked


@dataclass(frozen=True)
class MultipleChoice(ABC):
    """Such a pipeline, bound to a campaign."""

    name: ClassVar[str]
    kind: ClassVar[ChoiceKind] = CHOICE
    Settings: ClassVar[type[BaseModel]]
    agents: ClassVar[tuple[Agent, ...]]
    stem_step: ClassVar[str]
    checker: ClassVar[Agent]

    campaign: Campaign
    settings: ChoiceSettings

    @classmethod
    def draft(cls) -> Draft:
        """Its lines in a first campaign file."""
        return draft(cls.name)

    @abstractmethod
    def plan_question(self, state: State) -> Sequence[Due] | Verdict:
        """What is owed until question and correct options stand; nothing once they do."""

    @abstractmethod
    def write_distractors(self, state: State, standings: Sequence[Standing], wanted: int) -> Due:
        """The question for so many more distractors."""

    @abstractmethod
    def about(self, state: State) -> Mapping[str, Any]:
        """What is said of an item beside its question and options: its class and its topic, perhaps more."""

    @abstractmethod
    def sources(self) -> Mapping[str, str]:
        """Hashes of the files it draws on, prompts aside."""

    @property
    def language(self) -> str:
        """What the writers are told to write in."""
        return DOCUMENT_LANGUAGE if self.campaign.language == "document" else self.campaign.language

    @property
    def check_step(self) -> str:
        """The step in which the panel votes on options."""
        return self.checker.name

    def shows(self, document: Document) -> View:
        """What of a document is seen: all of it, unless the pipeline masks some."""
        return whole(document)

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
            return [self.write_distractors(state, standings, missing)]
        people = [self.reviews(state, s, standings) for s in standings if s.fate is Route.HUMAN]
        if owed := votes or [due for dues in people for due in dues]:
            return owed
        if missing := self.missing(state, [s for s in standings if s.fate is not Route.REJECT]):
            return [self.write_distractors(state, standings, missing)]
        return self.finish(state, standings)

    def due(self, agent: Agent, ask: Any, about: str = "", run: int = 0) -> Due:
        """A question to the one model of a role."""
        return Due(agent, ask, self.campaign.roles[agent.name].models[0], about, run)

    def polls(self, state: State) -> tuple[Poll, ...]:
        """The sheets of options that the panel gets, with what it has said."""
        panel = self.campaign.roles[self.check_step]
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
        if poll is None or option.gate:  # one that fell as a duplicate has the name of the first, which is on a sheet
            return Standing(option, (), Tally(0, 0), Route.REJECT)
        before = wave.before if wave and wave.sheet == poll.sheet else None
        votes = tuple(sorted(poll.votes(option.id, before), key=lambda vote: vote.by))
        count, route = poll.count(option.id, before), poll.route(option.id, before)
        lacks, degraded = tuple(map(str, poll.lacks(option.id, before))), poll.stand_ins(option.id)
        opinions = standing(said for name, said in state.decisions if name == option.id)
        people = ruling(opinions, self.campaign.review)
        asked = self.sampled(state, option) or (route is not Route.REJECT and bool(self.doubt(state, option)))
        return Standing(option, votes, count, route, lacks, degraded, opinions, people, asked)

    def sampled(self, state: State, option: Option) -> bool:
        """Whether an option is in the sample that people see whatever the votes say."""
        share = self.campaign.review.audit
        return share > 0 and seeded(self.campaign.seed, state.seed.id, option.id, "audit").random() < share

    def missing(self, state: State, alive: Sequence[Standing]) -> int:
        """How many distractors are to be written beside those alive; 0 when no round is left."""
        there = sum(standing.option.label == DISTRACTOR for standing in alive)
        return max(0, self.settings.distractors - there) if state.rounds <= self.settings.refills else 0

    def check(self, state: State, asked: Question) -> Due:
        """The blind question to one checker, its options in an order of its own."""
        named = {option.id: option.text for option in state.options}
        options = [(name, named[name]) for name in asked.options] + self.planted(state, asked)
        turn = asked.turn
        order = shuffled(options, self.campaign.seed, state.seed.id, asked.about, turn.model, turn.run)
        ask = check_option.Ask(stem(state), check_option.lettered(order), self.language)
        return Due(self.checker, ask, turn.model, asked.about, turn.run)

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
            votes=self.heard(state, standing),
            others=tuple(other.text for other in standings if other is not standing and not other.option.gate),
            why=self.why(state, standing),
        )

    def heard(self, state: State, standing: Standing) -> tuple[str, ...]:
        """What checkers say of an option, as people read it."""
        return tuple(f"{vote.by} says {vote.verdict}: {vote.reason}" for vote in standing.votes)

    def why(self, state: State, standing: Standing) -> str:
        """For what reason people are asked; there may be two."""
        votes, route = "", standing.route
        if route is Route.HUMAN:
            few = standing.count.cast < max(self.campaign.rule.quorum, 1)
            votes = "too few votes" if few else "the votes are divided"
        reasons = "; ".join(filter(None, (votes, self.doubt(state, standing.option))))
        return reasons or f"audit of an option that the votes {'keep' if route is Route.KEEP else 'reject'}"

    def hopeless(self, state: State, standings: Sequence[Standing], began: Sequence[Standing]) -> Verdict | None:
        """The end of an item that no outstanding vote can save: the panel is asked nothing more about it.

        The panel's votes alone say so, as they were when its wave `began`: so it matters neither who of the wave nor
        who of the people answers first.
        """
        alive = [s.option.label for s in began if s.route is not Route.REJECT or s.audited]
        if state.rounds <= self.settings.refills:  # distractors may yet be written
            alive += [DISTRACTOR] * self.settings.min_options
        fault = self.fault(state.seed, alive)
        return discarded(*fault, self.final(state, standings, ())) if fault else None

    def fault(self, seed: Seed, labels: Sequence[str]) -> tuple[str, str] | None:
        """Why kept options of these labels make no item, cause and detail; None where they do."""
        if CORRECT not in labels and self.settings.no_correct == "discard":
            return "no correct option kept", ""
        shown = [label for label in labels if label != CORRECT or not self.withholds(seed)]
        if len(shown) < self.settings.min_options:
            return "too few options", f"{len(shown)} options left, {self.settings.min_options} needed"
        return None

    def finish(self, state: State, standings: Sequence[Standing]) -> Sequence[Due] | Verdict:
        """The item's end: discarded with the cause, or kept with its options in their stored order.

        The stem of what will be kept may first be hardened, which can owe more.
        """
        stand = [s for s in standings if s.fate is Route.KEEP]
        chosen = [s for s in stand if s.option.label != CORRECT or not self.withholds(state.seed)]
        order = shuffled([s.id for s in chosen], self.campaign.seed, state.seed.id, "options")
        if fault := self.fault(state.seed, [s.option.label for s in stand]):
            return discarded(*fault, self.final(state, standings, order))
        texts = {s.id: s.text for s in chosen}
        right = tuple(s.id for s in chosen if s.option.label == CORRECT)
        hardened = self.harden(state, [(name, texts[name]) for name in order], right)
        if not isinstance(hardened, Mapping):
            return hardened
        return kept("kept" if right else "kept without a correct option", self.final(state, standings, order, hardened))

    def harden(
        self, state: State, options: Sequence[tuple[str, str]], right: tuple[str, ...]
    ) -> Sequence[Due] | Mapping[str, Any]:
        """What is owed to harden the stem, or what that changes in the item's final form."""
        return {}

    def withholds(self, seed: Seed) -> bool:
        """Whether the item's correct options are left out on purpose, so that none of its options is right."""
        return False

    def doubt(self, state: State, option: Option) -> str:
        """What makes people decide about an option that its votes keep; "" where nothing does."""
        return ""

    def planted(self, state: State, asked: Question) -> list[tuple[str, str]]:
        """The options by which a checker is tested, among those of its question."""
        return []

    def so_far(self, state: State) -> dict[str, Any] | None:
        """The item as it stands, its options in no order yet; None before it has a question."""
        return self.final(state, self.standings(state), ()) if state.question else None

    def final(
        self,
        state: State,
        standings: Sequence[Standing],
        order: Sequence[str],
        more: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The item as export and review read it; `more` goes over it."""
        body = {
            **self.about(state),
            "question": state.question,
            "options": [told(s) for s in standings],
            "order": list(order),
        }
        return body | dict(more or {})


def stem(state: State) -> str:
    """The question's text."""
    return str(state.question["question"]) if state.question else ""


def for_writer(standings: Sequence[Standing]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The texts of the correct options as a writer of distractors sees them, and all others that it must not repeat.

    A correct option that fell or was rejected is none: it is shown as taken.
    """
    right = [s for s in standings if s.option.label == CORRECT and s.fate is not Route.REJECT]
    others = (text for s in standings if s not in right for text in (s.option.text, s.text))
    return tuple(s.text for s in right), tuple(dict.fromkeys(others))


def cited(options: Sequence[Option]) -> tuple[int, ...]:
    """The numbers of the sentences that options cite."""
    return tuple(span["sentence"] for option in options for span in option.evidence)
