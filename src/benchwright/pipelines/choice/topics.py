"""Which class and topic of a taxonomy an item is about: the model's choice, or one whose turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.agents.base import Agent
from benchwright.agents.choice import choose_class, choose_topic
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import Seed
from benchwright.pipelines.choice.item_state import State
from benchwright.pipelines.choice.spread import Preference, preference
from benchwright.pipelines.choice.taxonomy import Taxonomy, Topic, TopicClass, numbered


@dataclass(frozen=True, slots=True)
class Topics:
    """The choice within a taxonomy; `balanced` where items are spread over it."""

    campaign: Campaign
    taxonomy: Taxonomy
    balanced: bool
    language: str

    def owed(self, state: State) -> tuple[Agent, Any] | None:
        """The next choice; None when both are made."""
        if state.topic_class is None and len(self.taxonomy.classes) > 1:  # of one class there is nothing to choose
            return choose_class.agent, choose_class.Ask(numbered(self.taxonomy.classes), self.language)
        if state.topic is None:
            topics = numbered(self.topic_class(state).topics)
            return choose_topic.agent, choose_topic.Ask(topics, self.language)
        return None

    def told(self, state: State) -> Mapping[str, str]:
        """Class and topic of an item that has a question."""
        return {"class": self.topic_class(state).name, "topic": self.topic(state).name}

    def topic_class(self, state: State) -> TopicClass:
        """The class taken from the item's choice of class."""
        return self.taxonomy.classes[self.class_number(state) - 1]

    def class_number(self, state: State) -> int:
        """The number of the item's class."""
        choice = state.topic_class or {"best": 1, "suitable": [1]}
        return self.preference(state.seed).topic_class(choice["suitable"]) if self.balanced else int(choice["best"])

    def topic(self, state: State) -> Topic:
        """The topic taken from the item's choice of topic."""
        choice = state.topic or {}
        if self.balanced:
            number = self.preference(state.seed).topic(self.class_number(state), choice["suitable"])
        else:
            number = int(choice["best"])
        return self.topic_class(state).topics[number - 1]

    def preference(self, seed: Seed) -> Preference:
        """The order in which the item would take classes and topics.

        A next try at a slot keeps to its topic where it is made of another document, and takes another on the same.
        """
        passed = 0 if self.campaign.quota.target is not None else seed.attempt
        return preference(self.taxonomy, self.campaign.seed, seed.slot, passed)
