"""Inference items (EpiQAL-B, arXiv 2601.03471, sections 3.3-3.6): answers that no single sentence states.

Reads from top to bottom like the method: class, topic, what graphs know, question, correct options, distractors. What
graphs know is shown to the writer of the question and to nobody else. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel

from benchwright.agents.base import Agent, Passage, Quoted
from benchwright.agents.choice import (
    check_inference,
    choose_class,
    choose_topic,
    compare_stems,
    describe_entity,
    infer_correct_options,
    infer_distractors,
    judge_item,
    pick_entity,
    review_option,
    summarise_knowledge,
    write_inference,
)
from benchwright.domain.campaign import Campaign
from benchwright.domain.vote import Route
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.item_state import State
from benchwright.pipelines.choice.multiple_choice import cited, for_writer, stem
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.refined_choice import RefinedChoice, RefinedSettings
from benchwright.pipelines.choice.standing import Standing
from benchwright.pipelines.choice.taxonomy import Taxonomy, load_taxonomy
from benchwright.pipelines.choice.topics import Topics
from benchwright.pipelines.lookups import GRAPHS, TopicAsk, TopicFacts, find_facts
from benchwright.pipelines.sources import KnowledgeSettings, drawn_on

BEGINNING = 4  # sentences that the writer of a question looks at first
NEARBY = 2  # sentences on either side of each piece of evidence that a writer of options looks at first


class InferenceSettings(RefinedSettings):
    """The table `[inference]` of a campaign file; without `knowledge` no graph is asked."""

    taxonomy: str = "epidemiology"
    topics: Literal["model", "balanced"] = "balanced"
    knowledge: KnowledgeSettings | None = None


@dataclass(frozen=True)
class Inference(RefinedChoice):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "inference"
    Settings: ClassVar[type[BaseModel]] = InferenceSettings
    stem_step: ClassVar[str] = write_inference.agent.name
    checker: ClassVar[Agent] = check_inference.agent
    agents: ClassVar[tuple[Agent, ...]] = (
        choose_class.agent,
        choose_topic.agent,
        summarise_knowledge.agent,
        write_inference.agent,
        infer_correct_options.agent,
        infer_distractors.agent,
        check_inference.agent,
        review_option.of_inference,
        judge_item.agent,
        pick_entity.agent,
        describe_entity.agent,
        compare_stems.agent,
    )

    settings: InferenceSettings
    taxonomy: Taxonomy
    drawn_on: Mapping[str, str]

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Inference":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = InferenceSettings.model_validate(dict(campaign.settings))
        taxonomy = load_taxonomy(settings.taxonomy, folder)
        return cls(campaign, settings, taxonomy, drawn_on(settings.knowledge, settings.search, folder))

    @property
    def topics(self) -> Topics:
        """The choice of class and topic."""
        return Topics(self.campaign, self.taxonomy, self.settings.topics == "balanced", self.language)

    def sources(self) -> Mapping[str, str]:
        """What stands for the taxonomy, the graphs and the glossary."""
        return {"taxonomy": self.taxonomy.id, **self.drawn_on}

    def about(self, state: State) -> Mapping[str, Any]:
        """Class, topic, how many options were to be right, and what of graphs was given and used."""
        return {**self.topics.told(state), **super().about(state), "knowledge": knowledge(state)}

    def plan_question(self, state: State) -> Sequence[Due]:
        """Class, topic, facts and what they come to, question, correct options: each once, one after the other."""
        if choice := self.topics.owed(state):
            return [self.due(*choice)]
        topic = str(self.topics.topic(state))
        if state.question is None:
            return self.plan_knowledge(state, topic) or [self.due(write_inference.agent, self.asked(state, topic))]
        if not state.written:
            pieces = Quoted(pieces_of(state), NEARBY)
            chain, wanted = str(state.question["chain"]), self.wanted(state.seed)
            ask = infer_correct_options.Ask(stem(state), chain, pieces, wanted, self.language)
            return [self.due(infer_correct_options.agent, ask)]
        return []

    def plan_knowledge(self, state: State, topic: str) -> list[Due]:
        """What graphs know of document and topic, then in words; nothing where they know nothing, or none is asked."""
        if not (self.settings.knowledge and self.settings.knowledge.graphs):
            return []
        if state.facts is None:
            return [Due(find_facts, TopicAsk(topic), GRAPHS)]
        facts = TopicFacts.model_validate(state.facts).facts
        if not facts or state.statements:
            return []
        numbered = summarise_knowledge.numbered(one.fact for one in facts)
        return [self.due(summarise_knowledge.agent, summarise_knowledge.Ask(numbered, topic))]

    def asked(self, state: State, topic: str) -> write_inference.Ask:
        """What the writer of the question is asked."""
        focus = json.loads(state.seed.body)["focus"]
        told = (one["statement"] for one in given(state))
        statements = write_inference.numbered(told, (state.facts or {}).get("foreign", ()))
        passage, wanted = Passage(state.seed.id, BEGINNING), self.wanted(state.seed)
        return write_inference.Ask(topic, focus, passage, statements, wanted, self.language)

    def write_distractors(self, state: State, standings: Sequence[Standing], wanted: int) -> Due:
        """The question for so many distractors, of families that are not there yet."""
        right, taken = for_writer(standings)
        wrong = [s for s in standings if s.option.label == DISTRACTOR]
        families = infer_distractors.untried([s.option.confusion for s in wrong if s.fate is not Route.REJECT])
        ask = infer_distractors.Ask(
            question=stem(state),
            nearby=Quoted(tuple(dict.fromkeys((*pieces_of(state), *cited(state.labelled(CORRECT))))), NEARBY),
            correct=right,
            taken=taken,
            families=families,
            wanted=min(wanted, len(families)),
            language=self.language,
        )
        # A sample of its own: where the round before brought nothing, question and reply would be the same.
        return self.due(infer_distractors.agent, ask, str(state.rounds + 1), state.rounds)


def pieces_of(state: State) -> tuple[int, ...]:
    """The numbers of the sentences that the question rests on."""
    return tuple(span["sentence"] for span in (state.question or {}).get("evidence", ()))


def given(state: State) -> Sequence[Mapping[str, Any]]:
    """The statements that the writer of the question was given."""
    statements: Sequence[Mapping[str, Any]] = (state.statements or {}).get("statements", ())
    return statements


def knowledge(state: State) -> Mapping[str, Any]:
    """What of graphs the writer was given and says it used, each statement with the facts it rests on."""
    statements, used = list(given(state)), (state.question or {}).get("knowledge", ())
    return {"given": len(statements), "used": [statements[number - 1] for number in used]}
