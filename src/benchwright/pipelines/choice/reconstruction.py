"""Reconstruction items (EpiQAL-C, arXiv 2601.03471, sections 3.3-3.6): conclusions of a discussion that is masked.

Reads from top to bottom like the method: conclusions out of the masked part, whether they are what it says, the
question, distractors. Whoever answers or checks an item sees the body alone. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from benchwright.agents.base import NOTHING_MASKED, Agent, Masked, Quoted
from benchwright.agents.choice import (
    ask_for_conclusion,
    check_evidence,
    check_reconstruction,
    check_stem,
    compare_conclusion,
    extract_conclusion,
    mislead,
    replace_distractors,
    review_item,
    review_option,
    review_stem,
)
from benchwright.agents.room import masked_room, room
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View
from benchwright.domain.item import Ending, Progress, Seed, discarded_ending
from benchwright.domain.source import Inputs, Sources
from benchwright.domain.text import plain
from benchwright.domain.vote import Route, Vote
from benchwright.pipelines.base import Due, Expected, Fault, Role, Served, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.choice import comparing
from benchwright.pipelines.choice import item_state as told
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.cards import Cards
from benchwright.pipelines.choice.comparing import THING
from benchwright.pipelines.choice.deciding import Deciding, Manner, for_writer
from benchwright.pipelines.choice.doubts import panel_doubts
from benchwright.pipelines.choice.expecting import (
    PASSAGE,
    QUESTION,
    expect_cards,
    expect_checks,
    expect_distractors,
    expect_evidence,
    expect_question,
    expect_refinement,
    expect_stem,
    panel_calls,
)
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.kind import CHOICE, ChoiceKind
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR, Option
from benchwright.pipelines.choice.refined_choice import RefinedSettings, harden
from benchwright.pipelines.choice.refining import REFINERS, Heard, find_quorum_faults
from benchwright.pipelines.choice.sections import mask_discussion
from benchwright.pipelines.choice.spread import turn_of
from benchwright.pipelines.choice.standing import OptionState
from benchwright.pipelines.choice.starters import starter
from benchwright.pipelines.polling import Cast, VotePoll, VoteTerms, waves_of, with_ballot
from benchwright.pipelines.slots import ANYWHERE, admit, slots
from benchwright.pipelines.sources import source_hashes
from benchwright.pipelines.template import Starter

PART = 300  # tokens of the masked part, some ten sentences, that a later item of a document is drawn from
TOPIC = "what the article concludes"
HOW = "by concluding from what the document reports, with general knowledge of the field; its Discussion is hidden"
ONCE = (extract_conclusion.agent.name, ask_for_conclusion.agent.name)  # whose failure ends an item, in their order
OF_DRAFT: Mapping[str, told.Fold] = {
    **told.SHARED,
    mislead.agent.name: told.with_round,
    check_reconstruction.agent.name: told.with_ballot,
}


class ReconstructionSettings(RefinedSettings):
    """The table `[reconstruction]` of a campaign file.

    `title` says whether the title of the article is shown: many a title states the finding, and the paper's passages
    have none. A recipe names it only where it is masked, so that campaigns of before stay what they are.
    """

    title: Literal["shown", "masked"] = Field(default="shown", exclude_if=lambda title: title == "shown")


@dataclass(frozen=True, slots=True)
class ReconstructionState:
    """An item as its answers tell it.

    `conclusions` are taken from the masked part, `sources` are what checkers say of them, each under the number of its
    own as its sheet, and `polls` the same for each in turn; `heard` is what was said to harden its stem.
    """

    draft: Draft
    conclusions: Answer | None = None
    sources: Mapping[int, Cast[Vote]] = field(default_factory=dict)
    polls: tuple[VotePoll, ...] = field(default=(), compare=False, repr=False)
    heard: Heard = field(default_factory=Heard)

    @property
    def extracted_conclusions(self) -> tuple[tuple[Mapping[str, Any], VotePoll], ...]:
        """The conclusions that were taken from the masked part, each with the votes on its source."""
        found = self.conclusions.value["conclusions"] if self.conclusions else ()
        return tuple(zip(found, self.polls, strict=True))

    @property
    def sound(self) -> list[Mapping[str, Any]]:
        """The conclusions that checkers do not reject."""
        return [one for one, poll in self.extracted_conclusions if poll.end(THING) is not Route.REJECT]

    def of_source(self, option: Option) -> tuple[VotePoll, ...]:
        """The votes on the source of a correct option; on each, where it was extracted from several."""
        both = self.extracted_conclusions if option.label == CORRECT else ()
        return tuple(poll for one, poll in both if plain(one["text"]) == plain(option.text))

    def doubt(self, option: Option) -> str:
        """What makes people decide about a correct option that no source confirms: checkers are divided, or too few."""
        polls = self.of_source(option)
        if not polls or any(poll.end(THING) is Route.KEEP for poll in polls):
            return ""
        few = all(poll.counts[THING].tally.cast < max(poll.terms.rule.quorum, 1) for poll in polls)
        who = "too few checkers can say" if few else "checkers are divided on"
        return f"{who} whether it is a conclusion of the article"

    def words(self, option: Option) -> tuple[str, ...]:
        """What checkers say of the source of a correct option."""
        votes = (vote for poll in self.of_source(option) for vote in poll.words(THING))
        return tuple(f"{vote.by} says of its source {vote.verdict}: {vote.reason}" for vote in votes)

    def source(self, option: Option) -> Masked:
        """What people see of the masked part: what a conclusion that is doubted was taken from, and only then."""
        if not self.doubt(option):
            return NOTHING_MASKED
        text = plain(option.text)
        spans = (
            span for one, _ in self.extracted_conclusions if plain(one["text"]) == text for span in one["discussion"]
        )
        return Masked(numbers=tuple(sorted({span["sentence"] for span in spans})))


def no_conclusion(*, extracted: bool) -> Ending:
    """How an item ends without a conclusion of its article."""
    if extracted:
        return discarded_ending("no conclusion of the article", "checkers reject what the writer extracted")
    return discarded_ending(f"{extract_conclusion.agent.name}: none", "the masked part draws no conclusion")


@dataclass(frozen=True)
class Reconstruction(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "reconstruction"
    kind: ClassVar[ChoiceKind] = CHOICE
    Settings: ClassVar[type[BaseModel]] = ReconstructionSettings
    roles: ClassVar[tuple[Role, ...]] = (
        Role(extract_conclusion.agent, duty="extract conclusions"),
        Role(compare_conclusion.agent, Served.PANEL, stand_ins=True, duty="compare"),
        Role(ask_for_conclusion.agent, duty="write question"),
        Role(
            check_stem.agent, Served.PANEL, stand_ins=True, duty="check question", like=check_reconstruction.agent.name
        ),
        Role(review_stem.agent, Served.PEOPLE, duty="review question"),
        Role(mislead.agent, duty="distract"),
        Role(replace_distractors.agent, duty="replace", like=mislead.agent.name),
        Role(check_reconstruction.agent, Served.PANEL, votes=True, stand_ins=True, duty="check"),
        Role(
            check_evidence.agent,
            Served.PANEL,
            stand_ins=True,
            duty="check evidence",
            like=check_reconstruction.agent.name,
        ),
        Role(review_option.of_reconstruction, Served.PEOPLE, duty="review"),
        *REFINERS,
    )
    agents: ClassVar[tuple[Agent, ...]] = tuple(role.agent for role in roles if role.served is not Served.CODE)
    question_step: ClassVar[str] = ask_for_conclusion.agent.name
    people: ClassVar[tuple[Agent, ...]] = (review_option.of_reconstruction, review_stem.agent, review_item.agent)
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.DOCUMENTS,)
    phases: ClassVar[tuple[str, ...]] = ("",)

    campaign: Campaign
    settings: ReconstructionSettings
    drawn_on: Mapping[str, str]

    @classmethod
    def find_faults(cls, settings: ReconstructionSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """A quorum of difficulty that its pool of models cannot reach."""
        return find_quorum_faults(settings.refine, panels)

    @classmethod
    def starter(cls) -> Starter:
        """Its lines in a first campaign file."""
        return starter(cls.name)

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Reconstruction":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = ReconstructionSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, source_hashes(None, settings.search, folder))

    @cached_property
    def panel_and_people(self) -> Deciding:
        """The panel and people."""
        return Deciding(self.campaign, self.settings, check_reconstruction.agent, HOW)

    @cached_property
    def terms(self) -> VoteTerms:
        """The terms on which checkers vote on the source of a conclusion."""
        role = compare_conclusion.agent.name
        return comparing.terms_of(self.campaign, role, waves_of(self.settings.waves, self.campaign.roles[role]))

    @cached_property
    def most(self) -> int:
        """Tokens of the masked part that a writer is shown at most."""
        return masked_room(room(self.campaign, self.agents))

    def sources(self) -> Mapping[str, str]:
        """What stands for the glossary."""
        return self.drawn_on

    def doubts(self) -> Sequence[str]:
        """What makes its votes and its difficulty doubtful."""
        return panel_doubts(self.campaign, self.roles)

    def shows(self, document: Document) -> View:
        """The body; discussion and conclusions are masked, and abstracts, which tell them too, are left out."""
        return mask_discussion(document, title=self.settings.title == "masked")

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """How many items are wanted."""
        return slots(self.campaign, len(sources))

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return admit(self.campaign, sources, progress)

    # ------------------------------------------------------------------------------------------------ what is known

    def expect(self) -> tuple[Expected, ...]:
        """What one attempt at an item takes of each role."""
        campaign, settings = self.campaign, self.settings
        right, panel = settings.most_correct, campaign.roles[compare_conclusion.agent.name]
        least, most = panel_calls(panel, campaign.rule, waves_of(settings.waves, panel))
        return (
            Expected(extract_conclusion.agent.name, (1, 1), PASSAGE + self.most, (QUESTION, right * 2 * QUESTION)),
            Expected(compare_conclusion.agent.name, (least, most * right), PASSAGE, (20, 80)),
            expect_question(ask_for_conclusion.agent),
            *expect_stem(campaign, settings),
            expect_distractors(mislead.agent, settings),
            expect_checks(check_reconstruction.agent, campaign, settings, right),
            *expect_evidence(campaign, settings, right, joins=True),
            expect_cards(review_option.of_reconstruction, campaign, settings, right),
            *expect_refinement(campaign, settings.refine, settings.most_distractors + right),
        )

    def begin(self, seed: Seed) -> ReconstructionState:
        """Nothing is known."""
        return ReconstructionState(self.panel_and_people.draft(seed))

    def fold(self, state: ReconstructionState, answer: Answer) -> ReconstructionState:
        """What is known after one more answer."""
        if answer.step in ONCE and answer.failure:
            return replace(state, draft=told.with_failure(state.draft, answer, ONCE))
        if answer.step in OF_DRAFT:
            return replace(state, draft=OF_DRAFT[answer.step](state.draft, answer))
        if answer.step == compare_conclusion.agent.name:
            return self.with_source(state, answer)
        if answer.step == ask_for_conclusion.agent.name:
            return self.drop_unsourced(replace(state, draft=told.with_question(state.draft, answer)))
        if answer.step == extract_conclusion.agent.name:
            return self.with_conclusions(replace(state, conclusions=told.latest(state.conclusions, answer)))
        return replace(state, heard=state.heard.plus(answer))

    def with_conclusions(self, state: ReconstructionState) -> ReconstructionState:
        """The conclusions are there, each with what was said about its source."""
        found = state.conclusions.value["conclusions"] if state.conclusions else ()
        numbers = range(1, len(found) + 1)
        polls = tuple(replace(comparing.poll(n, self.terms), said=state.sources.get(n, {})) for n in numbers)
        return self.drop_unsourced(replace(state, polls=polls))

    def with_source(self, state: ReconstructionState, answer: Answer) -> ReconstructionState:
        """What a checker says of the source of a conclusion."""
        one = comparing.ballot(answer, int(answer.about), comparing.SOURCE_SAYS)
        said = with_ballot(state.sources.get(one.sheet, {}), one)
        polls = tuple(poll.with_ballot(one, said) if poll.sheet == one.sheet else poll for poll in state.polls)
        return self.drop_unsourced(replace(state, sources={**state.sources, one.sheet: said}, polls=polls))

    def drop_unsourced(self, state: ReconstructionState) -> ReconstructionState:
        """The correct options, which are written once the question is: those that are not what their source says fall.

        One that was extracted twice stands by the better source.
        """
        draft, sound = state.draft, {plain(one["text"]) for one in state.sound}
        unsound = frozenset(plain(one["text"]) for one, _ in state.extracted_conclusions) - sound
        right = (state.conclusions,) if state.conclusions and draft.question else ()
        if (right, unsound) == (draft.right, draft.unsound):
            return state
        return replace(state, draft=told.gate_again(replace(draft, right=right, unsound=unsound)))

    # ------------------------------------------------------------------------------------------------ what is owed

    def plan(self, state: ReconstructionState) -> Sequence[Due] | Ending:
        """Conclusions, what checkers say of their source, the question for those that are what the article says.

        Then what becomes of the options.
        """
        draft, deciding = state.draft, self.panel_and_people
        if end := deciding.early_ending(draft, self.manner(state)):
            return end
        if state.conclusions is None:
            wanted = self.settings.wanted_correct(draft.seed)
            extract = extract_conclusion.Ask(self.part(draft.seed), wanted, deciding.language)
            return [deciding.due(extract_conclusion.agent, extract)]
        if owed := self.compare(state):
            return owed
        sound = state.sound  # under a changed rule perhaps others than those that the question was written for
        if not sound:
            return no_conclusion(extracted=bool(state.extracted_conclusions))
        if draft.question is None:
            texts = tuple(one["text"] for one in sound)
            numbers = tuple(dict.fromkeys(span["sentence"] for one in sound for span in one["evidence"]))
            question = ask_for_conclusion.Ask(texts, Quoted(numbers), deciding.language)
            return [deciding.due(ask_for_conclusion.agent, question)]
        return deciding.judge_stem(draft, self.manner(state), TOPIC) or deciding.plan(draft, self.manner(state))

    def part(self, seed: Seed) -> Masked:
        """Where a conclusion is taken from: all there is room for, or a part where others drew on the document before.

        Items do not know of each other: the same question would bring the same conclusion.
        """
        first = json.loads(seed.body)["focus"] == ANYWHERE
        return Masked(seed.id, self.most if first else min(self.most, PART))

    def compare(self, state: ReconstructionState) -> list[Due]:
        """What the checkers owe about the sources of conclusions; a wave each, where there is no other beside it."""
        owing = [(one, poll) for one, poll in state.extracted_conclusions if poll.wave.questions]
        return [due for one, poll in owing for due in self.of_source(one, poll, alone=len(owing) == 1)]

    def of_source(self, conclusion: Mapping[str, Any], poll: VotePoll, *, alone: bool) -> list[Due]:
        """What the checkers owe about the source of one conclusion."""
        agent, about = compare_conclusion.agent, str(poll.sheet)
        source = Masked(numbers=tuple(span["sentence"] for span in conclusion["discussion"]))
        ask = compare_conclusion.Ask(conclusion["text"], source, self.panel_and_people.language)
        wave = f"{agent.name}/{about}/{poll.wave.before}" if alone else ""
        turns = (question.turn for question in poll.wave.questions.values())
        return [Due(agent, ask, turn.model, about, turn.run, wave) for turn in turns]

    def card(self, state: ReconstructionState, step: str, about: str) -> Card | None:
        """What people see of an option, or of the item as a whole."""
        return Cards(self.panel_and_people, state.draft, self.manner(state), self.people[0], TOPIC).card(step, about)

    def body(self, state: ReconstructionState) -> Body | None:
        """The item as it stands."""
        return self.panel_and_people.body(state.draft, self.manner(state))

    def manner(self, state: ReconstructionState) -> Manner:
        """What is done about an item's options in this pipeline's way."""
        intended = self.settings.intended_share(state.draft.seed)
        return Manner(
            write=partial(self.write_distractors, state.draft),
            about=lambda: {"intended": intended},  # no class or topic: it is about what its article concludes
            doubt=state.doubt,
            heard=state.words,
            source=state.source,
            plant=partial(self.panel_and_people.plant, state.draft),
            harden=partial(harden, self.panel_and_people, self.settings.refine, state.draft, state.heard),
        )

    def write_distractors(self, draft: Draft, standings: Sequence[OptionState], wanted: int) -> Due:
        """The question for so many distractors, of kinds that are not there yet."""
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        right, taken = for_writer(standings)
        there = {s.option.confusion for s in wrong if s.fate is not Route.REJECT}
        ask = mislead.Ask(
            masked=Masked(draft.seed.id, self.most),
            question=draft.stem,
            correct=right,
            taken=taken,
            kinds=mislead.open_kinds(turn_of(mislead.KINDS, self.campaign.seed, draft.seed.slot), there)[:wanted],
            wanted=wanted,
            language=self.panel_and_people.language,
        )
        return self.panel_and_people.due_for_round(mislead.agent, ask, draft)
