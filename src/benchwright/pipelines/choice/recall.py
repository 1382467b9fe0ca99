"""Recall items (EpiQAL-A, arXiv 2601.03471, sections 3.3-3.5): explicit facts, one or more right answers.

Reads from top to bottom like the method: class, topic, question, correct options, distractors. Everything here is pure.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, Field

from benchwright.agents.base import Agent, Passage, Quoted
from benchwright.agents.choice import (
    check_option,
    choose_class,
    choose_topic,
    design_distractors,
    review_option,
    write_correct_options,
    write_question,
)
from benchwright.domain.campaign import Campaign
from benchwright.domain.ids import seeded
from benchwright.pipelines.base import Due
from benchwright.pipelines.choice.item_state import State
from benchwright.pipelines.choice.multiple_choice import ChoiceSettings, MultipleChoice, cited, stem
from benchwright.pipelines.choice.option import CORRECT, DISTRACTOR
from benchwright.pipelines.choice.planted import planted
from benchwright.pipelines.choice.standing import Standing
from benchwright.pipelines.choice.taxonomy import Taxonomy, load_taxonomy
from benchwright.pipelines.choice.topics import Topics
from benchwright.pipelines.polling import Question

BEGINNING = 4  # sentences that the writer of a question looks at first
NEARBY = 4  # sentences on either side of the answer's that a writer of distractors looks at first


class RecallSettings(ChoiceSettings):
    """The table `[recall]` of a campaign file."""

    taxonomy: str = "epidemiology"
    topics: Literal["model", "balanced"] = "model"
    planted: float = Field(default=0.0, ge=0, le=1)  # share of the items in which checkers are tested


@dataclass(frozen=True)
class Recall(MultipleChoice):
    """The pipeline, bound to a campaign."""

    name: ClassVar[str] = "recall"
    Settings: ClassVar[type[BaseModel]] = RecallSettings
    stem_step: ClassVar[str] = write_question.agent.name
    checker: ClassVar[Agent] = check_option.agent
    agents: ClassVar[tuple[Agent, ...]] = (
        choose_class.agent,
        choose_topic.agent,
        write_question.agent,
        write_correct_options.agent,
        design_distractors.agent,
        check_option.agent,
        review_option.agent,
    )

    settings: RecallSettings
    taxonomy: Taxonomy

    @classmethod
    def of(cls, campaign: Campaign, folder: Path) -> "Recall":
        """The pipeline of a campaign; files that its settings name lie below `folder`."""
        settings = RecallSettings.model_validate(dict(campaign.settings))
        return cls(campaign, settings, load_taxonomy(settings.taxonomy, folder))

    @property
    def topics(self) -> Topics:
        """The choice of class and topic."""
        return Topics(self.campaign, self.taxonomy, self.settings.topics == "balanced", self.language)

    def sources(self) -> Mapping[str, str]:
        """The hash of the taxonomy."""
        return {"taxonomy": self.taxonomy.id}

    def about(self, state: State) -> Mapping[str, Any]:
        """Class and topic."""
        return self.topics.told(state)

    def plan_question(self, state: State) -> Sequence[Due]:
        """Class, topic, question, correct options: each once, one after the other."""
        if choice := self.topics.owed(state):
            return [self.due(*choice)]
        if state.question is None:
            focus = json.loads(state.seed.body)["focus"]
            passage, topic = Passage(state.seed.id, BEGINNING), str(self.topics.topic(state))
            return [self.due(write_question.agent, write_question.Ask(topic, focus, passage, (), self.language))]
        if not state.written:
            quotes = Quoted(tuple(span["sentence"] for span in state.question["evidence"]))
            ask = write_correct_options.Ask(stem(state), quotes, self.language)
            return [self.due(write_correct_options.agent, ask)]
        return []

    def write_distractors(self, state: State, standings: Sequence[Standing], wanted: int) -> Due:
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

    def planted(self, state: State, asked: Question) -> list[tuple[str, str]]:
        """The options by which a checker is tested, among those of its first question about the item's first sheet."""
        first = asked.turn.run == asked.again == 0 and asked.sheet == min(poll.sheet for poll in self.polls(state))
        chosen = seeded(self.campaign.seed, state.seed.id, "planted").random() < self.settings.planted
        return list(planted(state.labelled(CORRECT), state.seed.id)) if first and chosen else []
