"""Recall items (EpiQAL-A, arXiv 2601.03471, sections 3.3-3.5): explicit facts, one or more right answers.

Reads from top to bottom like the method: class, topic, question, correct options, distractors. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from benchwright.agents.base import Agent, Passage, Quoted
from benchwright.agents.choice import (
    check_evidence,
    check_option,
    check_stem,
    choose_class,
    choose_topic,
    design_distractors,
    review_item,
    review_option,
    review_stem,
    write_correct_options,
    write_question,
)
from benchwright.agents.choice.design_distractors import CONFUSIONS
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View, whole
from benchwright.domain.item import Ending, Progress, Seed
from benchwright.domain.source import Inputs, Sources
from benchwright.pipelines.base import Due, Expected, Fault, Role, Served, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.choice import item_state as told
from benchwright.pipelines.choice.body import Body
from benchwright.pipelines.choice.cards import Cards
from benchwright.pipelines.choice.deciding import ChoiceSettings, Deciding, Manner, cited_numbers
from benchwright.pipelines.choice.doubts import panel_doubts
from benchwright.pipelines.choice.expecting import (
    expect_cards,
    expect_checks,
    expect_choice,
    expect_distractors,
    expect_evidence,
    expect_options,
    expect_question,
    expect_stem,
)
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.kind import CHOICE, ChoiceKind
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.spread import turn_of
from benchwright.pipelines.choice.standing import OptionState
from benchwright.pipelines.choice.starters import starter
from benchwright.pipelines.choice.taxonomy import Taxonomy, load_taxonomy
from benchwright.pipelines.choice.topics import Chosen, Topics, with_choice
from benchwright.pipelines.slots import admit, focus_section, slots
from benchwright.pipelines.template import Starter

BEGINNING = 4  # sentences that the writer of a question looks at first
RIGHT_MOST = 3  # correct options that an estimate reckons with
NEARBY = 4  # sentences on either side of the answer's that a writer of distractors looks at first
HOW = "by a fact that the document states"
ONCE = (  # the steps whose failure ends an item, in their order
    choose_class.agent.name,
    choose_topic.agent.name,
    write_question.agent.name,
    write_correct_options.agent.name,
)
OF_DRAFT: Mapping[str, told.Fold] = {
    **told.SHARED,
    write_question.agent.name: told.with_question,
    write_correct_options.agent.name: told.with_right,
    design_distractors.agent.name: told.with_round,
    check_option.agent.name: told.with_ballot,
}


class RecallSettings(ChoiceSettings):
    """The table `[recall]` of a campaign file."""

    taxonomy: str = "epidemiology"
    topics: Literal["model", "balanced"] = "model"
    every_correct: bool = False  # an item shows each right option that the document states, however many these are

    def shown_correct(self, seed: Seed) -> int | None:
        """How many right options an item shows: as many as are intended, or all as published."""
        return None if self.every_correct else super().shown_correct(seed)


@dataclass(frozen=True, slots=True)
class RecallState:
    """An item as its answers tell it."""

    chosen: Chosen
    draft: Draft


@dataclass(frozen=True)
class Recall(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "recall"
    kind: ClassVar[ChoiceKind] = CHOICE
    Settings: ClassVar[type[BaseModel]] = RecallSettings
    roles: ClassVar[tuple[Role, ...]] = (
        Role(choose_class.agent, duty="choose class"),
        Role(choose_topic.agent, duty="choose topic"),
        Role(write_question.agent, duty="write question"),
        Role(check_stem.agent, Served.PANEL, stand_ins=True, duty="check question", like=check_option.agent.name),
        Role(review_stem.agent, Served.PEOPLE, duty="review question"),
        Role(write_correct_options.agent, duty="write correct options"),
        Role(design_distractors.agent, duty="distract"),
        Role(check_option.agent, Served.PANEL, votes=True, stand_ins=True, duty="check"),
        Role(check_evidence.agent, Served.PANEL, stand_ins=True, duty="check evidence", like=check_option.agent.name),
        Role(review_option.agent, Served.PEOPLE, duty="review"),
    )
    agents: ClassVar[tuple[Agent, ...]] = tuple(role.agent for role in roles)
    question_step: ClassVar[str] = write_question.agent.name
    people: ClassVar[tuple[Agent, ...]] = (review_option.agent, review_stem.agent, review_item.agent)
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.DOCUMENTS,)
    phases: ClassVar[tuple[str, ...]] = ("",)

    campaign: Campaign
    settings: RecallSettings
    taxonomy: Taxonomy

    @classmethod
    def find_faults(cls, settings: RecallSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:  # noqa: ARG003
        """None that its settings alone do not show."""
        return ()

    @classmethod
    def starter(cls) -> Starter:
        """Its lines in a first campaign file."""
        return starter(cls.name)

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Recall":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = RecallSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, load_taxonomy(settings.taxonomy, folder))

    @cached_property
    def panel_and_people(self) -> Deciding:
        """The panel and people."""
        return Deciding(self.campaign, self.settings, check_option.agent, HOW, joins=False)

    @cached_property
    def topics(self) -> Topics:
        """The choice of class and topic."""
        return Topics(self.campaign, self.taxonomy, self.settings.topics == "balanced", self.panel_and_people.language)

    def sources(self) -> Mapping[str, str]:
        """The hash of the taxonomy."""
        return {"taxonomy": self.taxonomy.id}

    def doubts(self) -> Sequence[str]:
        """What makes its votes and its difficulty doubtful."""
        return panel_doubts(self.campaign, self.roles)

    def shows(self, document: Document) -> View:
        """All of a document."""
        return whole(document)

    def wanted_items(self, phase: str, sources: Sources) -> int:
        """How many items are wanted."""
        return slots(self.campaign, len(sources))

    def admit(self, sources: Sources, progress: Progress) -> Sequence[Seed]:
        """The items that begin next."""
        return admit(self.campaign, sources, progress)

    def expect(self) -> tuple[Expected, ...]:
        """What one attempt at an item takes of each role."""
        settings, classes = self.settings, self.taxonomy.classes
        return (
            *([expect_choice(choose_class.agent, classes)] if len(classes) > 1 else []),
            expect_choice(choose_topic.agent, classes[0].topics),
            expect_question(write_question.agent),
            *expect_stem(self.campaign, settings),
            expect_options(write_correct_options.agent, RIGHT_MOST),
            expect_distractors(design_distractors.agent, settings),
            expect_checks(check_option.agent, self.campaign, settings, RIGHT_MOST),
            *expect_evidence(self.campaign, settings, RIGHT_MOST, joins=False),
            expect_cards(review_option.agent, self.campaign, settings, RIGHT_MOST),
        )

    def begin(self, seed: Seed) -> RecallState:
        """Nothing is known."""
        return RecallState(Chosen(seed), self.panel_and_people.draft(seed))

    def fold(self, state: RecallState, answer: Answer) -> RecallState:
        """What is known after one more answer."""
        if answer.step in ONCE and answer.failure:
            return replace(state, draft=told.with_failure(state.draft, answer, ONCE))
        if answer.step in OF_DRAFT:
            return replace(state, draft=OF_DRAFT[answer.step](state.draft, answer))
        return replace(state, chosen=with_choice(state.chosen, answer))

    def plan(self, state: RecallState) -> Sequence[Due] | Ending:
        """Class, topic, question, correct options: each once, one after the other; then what becomes of the options."""
        draft, deciding = state.draft, self.panel_and_people
        if end := deciding.early_ending(draft, self.manner(state)) or self.topics.ending(state.chosen):
            return end
        if choice := self.topics.next_choice(state.chosen):
            return [deciding.due(*choice)]
        if draft.question is None:
            question = self.question(draft.seed, str(self.topics.topic(state.chosen)))
            return [deciding.due(write_question.agent, question)]
        if owed := deciding.judge_stem(draft, self.manner(state), str(self.topics.topic(state.chosen))):
            return owed
        if not draft.has_correct_options:
            options = write_correct_options.Ask(draft.stem, Quoted(draft.pieces), deciding.language)
            return [deciding.due(write_correct_options.agent, options)]
        return deciding.plan(draft, self.manner(state))

    def question(self, seed: Seed, topic: str) -> write_question.Ask:
        """What the writer of the question is asked."""
        focus, wanted = json.loads(seed.body)["focus"], self.settings.wanted_correct(seed)
        passage = Passage(seed.id, BEGINNING, focus_section(focus), topic)
        return write_question.Ask(topic, focus, passage, (), wanted, self.panel_and_people.language)

    def card(self, state: RecallState, step: str, about: str) -> Card | None:
        """What people see of an option, or of the item as a whole."""
        topic = str(self.topics.topic(state.chosen)) if state.draft.question else ""
        cards = Cards(self.panel_and_people, state.draft, self.manner(state), self.people[0], topic, bare=False)
        return cards.card(step, about)

    def body(self, state: RecallState) -> Body | None:
        """The item as it stands."""
        return self.panel_and_people.body(state.draft, self.manner(state))

    def standings(self, state: RecallState) -> tuple[OptionState, ...]:
        """Every option as it stands."""
        return self.panel_and_people.standings(state.draft, self.manner(state))

    def manner(self, state: RecallState) -> Manner:
        """What is done about an item's options in this pipeline's way."""
        return Manner(
            write=partial(self.write_distractors, state.draft),
            about=partial(self.about, state),
            plant=partial(self.panel_and_people.plant, state.draft),
        )

    def about(self, state: RecallState) -> Mapping[str, Any]:
        """Class, topic, and how many options were to be right where that was planned."""
        seed, settings = state.draft.seed, self.settings
        intended = {} if settings.every_correct else {"intended": settings.intended_share(seed)}
        return {**self.topics.about(state.chosen), **intended}

    def write_distractors(self, draft: Draft, standings: Sequence[OptionState], wanted: int) -> Due:
        """The question for so many distractors; what people reworded is told in their words, and taken in both."""
        right = tuple(s.text for s in standings if s.option.label == CORRECT)
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        ask = design_distractors.Ask(
            question=draft.stem,
            nearby=Quoted(cited_numbers(draft.options_with_label(CORRECT)), NEARBY),
            correct=right,
            confusions=turn_of(CONFUSIONS, self.campaign.seed, draft.seed.slot),
            taken=(*(s.option.text for s in wrong), *(s.text for s in wrong if s.text != s.option.text)),
            wanted=wanted,
            language=self.panel_and_people.language,
        )
        return self.panel_and_people.due_for_round(design_distractors.agent, ask, draft)
