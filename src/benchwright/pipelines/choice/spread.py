"""Spreading items over a taxonomy: each slot has a topic of its own, and an order in which others stand in for it."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import lru_cache

from benchwright.domain.ids import seeded_shuffle
from benchwright.pipelines.choice.taxonomy import Taxonomy

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
    places = order(tuple(len(one.topics) for one in taxonomy.classes), seed, slot)
    first = passed % len(places)
    return Preference((*places[first:], *places[:first]))


@lru_cache(maxsize=1024)
def order(sizes: tuple[int, ...], seed: int, slot: int) -> tuple[Place, ...]:
    """All places of a taxonomy with classes of these sizes, the slot's own first."""
    cycle, turn = divmod(slot, sum(sizes))
    own = rotation(sizes, seed, cycle)[turn]
    others = [place for place in rotation(sizes, seed, 0) if place != own]
    return (own, *seeded_shuffle(others, seed, "others", slot))


def turn_of(kinds: Sequence[str], seed: int, slot: int) -> tuple[str, ...]:
    """The kinds in the order in which a slot takes them: over each row of slots every kind comes first equally often.

    Models take what is listed first, so a fixed order would bring the same few kinds in every item.
    """
    cycle, turn = divmod(slot, len(kinds))
    ordered = seeded_shuffle(kinds, seed, "kinds", cycle)
    return (*ordered[turn:], *ordered[:turn])


@lru_cache(maxsize=16)
def rotation(sizes: tuple[int, ...], seed: int, cycle: int) -> tuple[Place, ...]:
    """Every place once, class after class in rounds, in an order of its own for each cycle of slots."""
    classes = seeded_shuffle(range(len(sizes)), seed, "classes", cycle)
    topics = [seeded_shuffle(range(1, size + 1), seed, "topics", cycle, number) for number, size in enumerate(sizes)]
    return tuple(
        (number + 1, topics[number][turn]) for turn in range(max(sizes)) for number in classes if turn < sizes[number]
    )
