"""What searches and graphs would have, invented for estimates: nobody is asked, over the network or here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.domain.ids import content_id, seeded
from benchwright.domain.item import Seed
from benchwright.domain.knowledge import Entity, Fact
from benchwright.engine.invented import babble
from benchwright.engine.worker import Service
from benchwright.pipelines.lookups import GRAPHS, SEARCH, EntityAsk, EntityFound, Snippet, TopicAsk, TopicFacts

SNIPPET, NAME = 240, 24  # characters that a search shows of a page, and of a thing's name in a graph


@dataclass(frozen=True, slots=True)
class Unasked:
    """Has at once a share of all that it may be asked for; `facts` is how many of them a writer is given at most."""

    share: float
    facts: int

    @property
    def services(self) -> Mapping[str, Service]:
        """What answers each queue of code."""
        return {SEARCH: self.search, GRAPHS: self.graphs}

    async def search(self, ask: EntityAsk, _: Seed) -> Mapping[str, Any]:
        """Snippets about an entity."""
        texts = (babble(seeded(ask.entity, number), SNIPPET) for number in range(round(ask.most * self.share)))
        snippets = tuple(Snippet(text=text, url="", title="") for text in texts)
        return EntityFound(snippets=snippets, by="nobody").model_dump(mode="json")

    async def graphs(self, ask: TopicAsk, _: Seed) -> Mapping[str, Any]:
        """Facts about a topic."""
        facts = (fact(ask.topic, number) for number in range(round(self.facts * self.share)))
        return TopicFacts.of(facts).model_dump(mode="json")


def fact(topic: str, number: int) -> Fact:
    """One of the facts about a topic."""
    return Fact(entity(topic, number, "subject"), "treats", entity(topic, number, "object"), "nobody")


def entity(*parts: object) -> Entity:
    """A thing with a name."""
    return Entity(content_id("unasked", list(parts)), babble(seeded(*parts), NAME), "disease")
