"""Which class and topic of a taxonomy an item is about: the model's choice, or one whose turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchwright.agents.base import Agent
from benchwright.agents.choice import choose_class, choose_topic
from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.item import Ending, Seed, discarded_ending
from benchwright.pipelines.choice.item_state import latest
from benchwright.pipelines.choice.spread import Preference, preference
from benchwright.pipelines.choice.taxonomy import Taxonomy, Topic, TopicClass, number_topics


@dataclass(frozen=True, slots=True)
class Chosen:
    """What was said of the class and the topic of an item."""

    seed: Seed
    topic_class: Answer | None = None
    topic: Answer | None = None


def with_choice(chosen: Chosen, answer: Answer) -> Chosen:
    """One more choice."""
    if answer.step == choose_class.agent.name:
        return replace(chosen, topic_class=latest(chosen.topic_class, answer))
    return replace(chosen, topic=latest(chosen.topic, answer))


@dataclass(frozen=True, slots=True)
class Topics:
    """The choice within a taxonomy; `balanced` where items are spread over it."""

    campaign: Campaign
    taxonomy: Taxonomy
    balanced: bool
    language: str
    of_class: Agent = choose_class.agent
    of_topic: Agent = choose_topic.agent

    def next_choice(self, chosen: Chosen) -> tuple[Agent, Any] | None:
        """The next choice; None when both are made."""
        if chosen.topic_class is None and len(self.taxonomy.classes) > 1:  # of one class there is nothing to choose
            return self.of_class, choose_class.Ask(number_topics(self.taxonomy.classes), self.language)
        if chosen.topic is None:
            topics = number_topics(self.topic_class(chosen).topics)
            return self.of_topic, choose_topic.Ask(topics, self.language)
        return None

    def ending(self, chosen: Chosen) -> Ending | None:
        """How an item ends whose document can serve no class, or no topic of its class."""
        for choice in (chosen.topic_class, chosen.topic):
            if choice and not choice.failure and not choice.value["suitable"]:
                return discarded_ending(f"{choice.step}: none", choice.value["rationale"])
        return None

    def about(self, chosen: Chosen) -> Mapping[str, str]:
        """Class and topic of an item that has a question, as fields of its body."""
        return {"topic_class": self.topic_class(chosen).name, "topic": self.topic(chosen).name}

    def topic_class(self, chosen: Chosen) -> TopicClass:
        """The class taken from the item's choice of class."""
        return self.taxonomy.classes[self.class_number(chosen) - 1]

    def class_number(self, chosen: Chosen) -> int:
        """The number of the item's class."""
        choice: Mapping[str, Any] = chosen.topic_class.value if chosen.topic_class else {"best": 1, "suitable": [1]}
        return self.preference(chosen.seed).topic_class(choice["suitable"]) if self.balanced else int(choice["best"])

    def topic(self, chosen: Chosen) -> Topic:
        """The topic taken from the item's choice of topic."""
        choice = chosen.topic.value if chosen.topic else {}
        if self.balanced:
            number = self.preference(chosen.seed).topic(self.class_number(chosen), choice["suitable"])
        else:
            number = int(choice["best"])
        return self.topic_class(chosen).topics[number - 1]

    def preference(self, seed: Seed) -> Preference:
        """The order in which the item would take classes and topics.

        A next try at a slot keeps to its topic where it is made of another document, and takes another on the same.
        """
        passed = 0 if self.campaign.quota.target is not None else seed.attempt
        return preference(self.taxonomy, self.campaign.seed, seed.slot, passed)
