"""Inference items (EpiQAL-B, arXiv 2601.03471, sections 3.3-3.6): answers that no single sentence states.

Reads from top to bottom like the method: class, topic, what graphs know, question, correct options, distractors. What
graphs know is shown to the writer of the question and to nobody else. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from benchwright.agents.base import Agent, Passage, Quoted
from benchwright.agents.choice import (
    check_evidence,
    check_inference,
    check_stem,
    choose_class,
    choose_topic,
    infer_correct_options,
    infer_distractors,
    replace_distractors,
    review_item,
    review_option,
    review_stem,
    summarise_knowledge,
    write_inference,
)
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign, Panel
from benchwright.domain.document import Document, View, whole
from benchwright.domain.item import Ending, Progress, Seed
from benchwright.domain.source import Inputs, Sources
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due, Expected, Fault, Role, Served, Usual
from benchwright.pipelines.card import Card
from benchwright.pipelines.choice import item_state as told
from benchwright.pipelines.choice.body import Body, Knowledge, Statement
from benchwright.pipelines.choice.cards import Cards
from benchwright.pipelines.choice.deciding import Deciding, Manner, cited_numbers, for_writer
from benchwright.pipelines.choice.doubts import panel_doubts
from benchwright.pipelines.choice.expecting import (
    expect_cards,
    expect_checks,
    expect_choice,
    expect_distractors,
    expect_evidence,
    expect_options,
    expect_question,
    expect_refinement,
    expect_stem,
    expect_summary,
)
from benchwright.pipelines.choice.item_state import Draft
from benchwright.pipelines.choice.kind import CHOICE, ChoiceKind
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.refined_choice import RefinedSettings, harden
from benchwright.pipelines.choice.refining import REFINERS, Heard, find_quorum_faults
from benchwright.pipelines.choice.spread import turn_of
from benchwright.pipelines.choice.standing import OptionState
from benchwright.pipelines.choice.starters import starter
from benchwright.pipelines.choice.taxonomy import Taxonomy, load_taxonomy
from benchwright.pipelines.choice.topics import Chosen, Topics, with_choice
from benchwright.pipelines.lookups import GRAPHS, TopicAsk, TopicFacts, find_facts
from benchwright.pipelines.slots import admit, focus_section, slots
from benchwright.pipelines.sources import KnowledgeSettings, source_hashes
from benchwright.pipelines.template import Starter

BEGINNING = 4  # sentences that the writer of a question looks at first
NEARBY = 2  # sentences on either side of each piece of evidence that a writer of options looks at first
CHOICES = (choose_class.agent.name, choose_topic.agent.name)
HOW = "by joining places of the document with general knowledge of the field; no sentence states the answer"
ONCE = (  # the steps whose failure ends an item, in their order
    *CHOICES,
    find_facts.name,
    write_inference.agent.name,
    infer_correct_options.agent.name,
)
OF_DRAFT: Mapping[str, told.Fold] = {
    **told.SHARED,
    write_inference.agent.name: told.with_question,
    infer_correct_options.agent.name: told.with_right,
    infer_distractors.agent.name: told.with_round,
    check_inference.agent.name: told.with_ballot,
}


class InferenceSettings(RefinedSettings):
    """The table `[inference]` of a campaign file; without `knowledge` no graph is asked."""

    taxonomy: str = "epidemiology"
    topics: Literal["model", "balanced"] = "balanced"
    knowledge: KnowledgeSettings | None = None


@dataclass(frozen=True, slots=True)
class InferenceState:
    """An item as its answers tell it.

    `facts` are those of graphs that may help its writer, `statements` what they come to in words, `heard` is what was
    said to harden its stem.
    """

    chosen: Chosen
    draft: Draft
    facts: Answer | None = None
    statements: Answer | None = None
    heard: Heard = field(default_factory=Heard)

    @property
    def given_statements(self) -> Sequence[Mapping[str, Any]]:
        """The statements that the writer of the question is given; none where they failed: it can do without."""
        found: Sequence[Mapping[str, Any]] = self.statements.value.get("statements", ()) if self.statements else ()
        return found


@dataclass(frozen=True)
class Inference(Usual):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "inference"
    kind: ClassVar[ChoiceKind] = CHOICE
    Settings: ClassVar[type[BaseModel]] = InferenceSettings
    roles: ClassVar[tuple[Role, ...]] = (
        Role(choose_class.of_inference, duty="choose class"),
        Role(choose_topic.of_inference, duty="choose topic"),
        Role(find_facts, Served.CODE, duty="find facts"),
        Role(summarise_knowledge.agent, duty="put facts in words"),
        Role(write_inference.agent, duty="write question"),
        Role(check_stem.agent, Served.PANEL, stand_ins=True, duty="check question", like=check_inference.agent.name),
        Role(review_stem.agent, Served.PEOPLE, duty="review question"),
        Role(infer_correct_options.agent, duty="write correct options"),
        Role(infer_distractors.agent, duty="distract"),
        Role(replace_distractors.agent, duty="replace", like=infer_distractors.agent.name),
        Role(check_inference.agent, Served.PANEL, votes=True, stand_ins=True, duty="check"),
        Role(
            check_evidence.agent, Served.PANEL, stand_ins=True, duty="check evidence", like=check_inference.agent.name
        ),
        Role(review_option.of_inference, Served.PEOPLE, duty="review"),
        *REFINERS,
    )
    agents: ClassVar[tuple[Agent, ...]] = tuple(role.agent for role in roles if role.served is not Served.CODE)
    question_step: ClassVar[str] = write_inference.agent.name
    people: ClassVar[tuple[Agent, ...]] = (review_option.of_inference, review_stem.agent, review_item.agent)
    inputs: ClassVar[tuple[Inputs, ...]] = (Inputs.DOCUMENTS,)
    phases: ClassVar[tuple[str, ...]] = ("",)

    campaign: Campaign
    settings: InferenceSettings
    taxonomy: Taxonomy
    drawn_on: Mapping[str, str]

    @classmethod
    def find_faults(cls, settings: InferenceSettings, panels: Mapping[str, Panel]) -> Sequence[Fault]:
        """A quorum of difficulty that its pool of models cannot reach."""
        return find_quorum_faults(settings.refine, panels)

    @classmethod
    def starter(cls) -> Starter:
        """Its lines in a first campaign file."""
        return starter(cls.name)

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Inference":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = InferenceSettings.model_validate(dict(campaign.settings))
        taxonomy = load_taxonomy(settings.taxonomy, folder)
        return cls(campaign, settings, taxonomy, source_hashes(settings.knowledge, settings.search, folder))

    @cached_property
    def panel_and_people(self) -> Deciding:
        """The panel and people."""
        return Deciding(self.campaign, self.settings, check_inference.agent, HOW)

    @cached_property
    def topics(self) -> Topics:
        """The choice of class and topic."""
        balanced, language = self.settings.topics == "balanced", self.panel_and_people.language
        agents = (choose_class.of_inference, choose_topic.of_inference)
        return Topics(self.campaign, self.taxonomy, balanced, language, *agents)

    def sources(self) -> Mapping[str, str]:
        """What stands for the taxonomy, the graphs and the glossary."""
        return {"taxonomy": self.taxonomy.id, **self.drawn_on}

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
        campaign, settings, classes = self.campaign, self.settings, self.taxonomy.classes
        right = settings.most_correct
        return (
            *([expect_choice(choose_class.agent, classes)] if len(classes) > 1 else []),
            expect_choice(choose_topic.agent, classes[0].topics),
            *expect_summary(summarise_knowledge.agent, settings.knowledge),
            expect_question(write_inference.agent),
            *expect_stem(campaign, settings),
            expect_options(infer_correct_options.agent, right),
            expect_distractors(infer_distractors.agent, settings),
            expect_checks(check_inference.agent, campaign, settings, right),
            *expect_evidence(campaign, settings, right, joins=True),
            expect_cards(review_option.of_inference, campaign, settings, right),
            *expect_refinement(campaign, settings.refine, settings.most_distractors + right),
        )

    def begin(self, seed: Seed) -> InferenceState:
        """Nothing is known."""
        return InferenceState(Chosen(seed), self.panel_and_people.draft(seed))

    def fold(self, state: InferenceState, answer: Answer) -> InferenceState:
        """What is known after one more answer."""
        if answer.step in ONCE and answer.failure:
            return replace(state, draft=told.with_failure(state.draft, answer, ONCE))
        if answer.step in OF_DRAFT:
            return replace(state, draft=OF_DRAFT[answer.step](state.draft, answer))
        if answer.step in CHOICES:
            return replace(state, chosen=with_choice(state.chosen, answer))
        if answer.step == find_facts.name:
            facts = told.latest(state.facts, answer)
            return replace(state, facts=facts, draft=told.with_foreign(state.draft, facts.value.get("foreign", ())))
        if answer.step == summarise_knowledge.agent.name:
            return replace(state, statements=told.latest(state.statements, answer))
        return replace(state, heard=state.heard.plus(answer))

    def plan(self, state: InferenceState) -> Sequence[Due] | Ending:
        """Class, topic, facts and what they come to, question, correct options: each once, one after the other.

        Then what becomes of the options.
        """
        draft, deciding = state.draft, self.panel_and_people
        if end := deciding.early_ending(draft, self.manner(state)) or self.topics.ending(state.chosen):
            return end
        if choice := self.topics.next_choice(state.chosen):
            return [deciding.due(*choice)]
        if draft.question is None:
            topic = str(self.topics.topic(state.chosen))
            return self.plan_knowledge(state, topic) or [
                deciding.due(write_inference.agent, self.question(state, topic))
            ]
        if owed := deciding.judge_stem(draft, self.manner(state), str(self.topics.topic(state.chosen))):
            return owed
        if not draft.has_correct_options:
            chain, wanted = str(draft.question.value["chain"]), self.settings.wanted_correct(draft.seed)
            pieces = Quoted(draft.pieces, NEARBY)
            options = infer_correct_options.Ask(draft.stem, chain, pieces, wanted, deciding.language)
            return [deciding.due(infer_correct_options.agent, options)]
        return deciding.plan(draft, self.manner(state))

    def plan_knowledge(self, state: InferenceState, topic: str) -> list[Due]:
        """What graphs know of document and topic, then in words; nothing where they know nothing, or none is asked."""
        if not (self.settings.knowledge and self.settings.knowledge.graphs):
            return []
        if state.facts is None:
            return [Due(find_facts, TopicAsk(topic), GRAPHS)]
        facts = TopicFacts.model_validate(state.facts.value).facts
        if not facts or state.statements:
            return []
        numbered = summarise_knowledge.number_facts(one.fact for one in facts)
        return [self.panel_and_people.due(summarise_knowledge.agent, summarise_knowledge.Ask(numbered, topic))]

    def question(self, state: InferenceState, topic: str) -> write_inference.Ask:
        """What the writer of the question is asked."""
        seed = state.draft.seed
        focus, wanted = json.loads(seed.body)["focus"], self.settings.wanted_correct(seed)
        passage = Passage(seed.id, BEGINNING, focus_section(focus), topic)
        statements = write_inference.number_statements(
            (one["statement"] for one in state.given_statements), state.draft.foreign
        )
        return write_inference.Ask(topic, focus, passage, statements, wanted, self.panel_and_people.language)

    def card(self, state: InferenceState, step: str, about: str) -> Card | None:
        """What people see of an option, or of the item as a whole."""
        topic = str(self.topics.topic(state.chosen)) if state.draft.question else ""
        return Cards(self.panel_and_people, state.draft, self.manner(state), self.people[0], topic).card(step, about)

    def body(self, state: InferenceState) -> Body | None:
        """The item as it stands."""
        return self.panel_and_people.body(state.draft, self.manner(state))

    def manner(self, state: InferenceState) -> Manner:
        """What is done about an item's options in this pipeline's way."""
        return Manner(
            write=partial(self.write_distractors, state.draft),
            about=partial(self.about, state),
            plant=partial(self.panel_and_people.plant, state.draft),
            harden=partial(harden, self.panel_and_people, self.settings.refine, state.draft, state.heard),
        )

    def about(self, state: InferenceState) -> Mapping[str, Any]:
        """Class, topic, how many options were to be right, and what of graphs was given and used."""
        question, given = state.draft.question, state.given_statements
        used = (given[number - 1] for number in (question.value.get("knowledge", ()) if question else ()))
        knowledge = Knowledge(len(given), tuple(Statement(one["statement"], tuple(one["facts"])) for one in used))
        intended = self.settings.intended_share(state.draft.seed)
        return {**self.topics.about(state.chosen), "intended": intended, "knowledge": knowledge}

    def write_distractors(self, draft: Draft, standings: Sequence[OptionState], wanted: int) -> Due:
        """The question for so many distractors, of families that are not there yet."""
        right, taken = for_writer(standings)
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        there = [s.option.confusion for s in wrong if s.fate is not Route.REJECT]
        turn = turn_of(infer_distractors.FAMILIES, self.campaign.seed, draft.seed.slot)
        families = infer_distractors.open_families(turn, there)
        ask = infer_distractors.Ask(
            question=draft.stem,
            nearby=Quoted(
                tuple(dict.fromkeys((*draft.pieces, *cited_numbers(draft.options_with_label(CORRECT))))), NEARBY
            ),
            correct=right,
            taken=taken,
            families=families[:wanted],
            wanted=min(wanted, len(families)),
            language=self.panel_and_people.language,
        )
        return self.panel_and_people.due_for_round(infer_distractors.agent, ask, draft)
