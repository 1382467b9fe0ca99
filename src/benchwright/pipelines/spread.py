"""Spreading items over a taxonomy: each slot has a topic of its own, and an order in which others stand in for it."""

from collections.abc import Container
from dataclasses import dataclass

from benchwright.domain.ids import shuffled
from benchwright.pipelines.taxonomy import Taxonomy

Place = tuple[int, int]  # class and topic, both numbered from 1


@dataclass(frozen=True, slots=True)
class Preference:
    """The places of a taxonomy in the order in which one try would take them."""

    places: tuple[Place, ...]

    def topic_class(self, suitable: Container[int]) -> int:
        """The number of the first class that the document can serve."""
        return next(number for number, _ in self.places if number in suitable)

    def topic(self, topic_class: int, suitable: Container[int]) -> int:
        """The number of the first topic of a class that the document can serve."""
        return next(topic for number, topic in self.places if number == topic_class and topic in suitable)


def preference(taxonomy: Taxonomy, seed: int, slot: int, passed: int) -> Preference:
    """What a slot would take: its own place in the rotation, then all others in a seeded order.

    `passed` places are left to the end, having been tried. So any number of slots in a row, all documents serving
    everything, differ by one item at most between topics; a place that a document cannot serve falls to all others
    alike.
    """
    turns = rotation(taxonomy, seed, slot)
    own = turns[slot % len(turns)]
    others = shuffled([place for place in sorted(turns) if place != own], seed, "others", slot)
    order = (own, *others)
    return Preference((*order[passed % len(order) :], *order[: passed % len(order)]))


def rotation(taxonomy: Taxonomy, seed: int, slot: int) -> tuple[Place, ...]:
    """Every place once, class after class in rounds, in an order of its own for each cycle of slots."""
    sizes = {number: len(one.topics) for number, one in enumerate(taxonomy.classes, 1)}
    cycle = slot // sum(sizes.values())
    classes = shuffled(list(sizes), seed, "classes", cycle)
    topics = {number: shuffled(range(1, size + 1), seed, "topics", cycle, number) for number, size in sizes.items()}
    rounds = range(max(sizes.values()))
    return tuple((number, topics[number][turn]) for turn in rounds for number in classes if turn < sizes[number])
