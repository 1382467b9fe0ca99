"""Items spread over classes and topics, as evenly as the documents allow."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchwright.pipelines.choice.spread import Place, preference
from benchwright.pipelines.choice.taxonomy import Taxonomy, Topic, TopicClass, load_taxonomy

EPIDEMIOLOGY = load_taxonomy("epidemiology", Path())


def places(one: Taxonomy) -> list[Place]:
    """All places of a taxonomy."""
    return [(number, topic) for number, of in enumerate(one.classes, 1) for topic in range(1, len(of.topics) + 1)]


EVERY = places(EPIDEMIOLOGY)


def taxonomy(sizes: list[int]) -> Taxonomy:
    """A taxonomy with classes of so many topics."""
    classes = [
        TopicClass(name=f"c{n}", topics=tuple(Topic(name=f"t{k}") for k in range(size))) for n, size in enumerate(sizes)
    ]
    return Taxonomy(tuple(classes), "test")


def taken(one: Taxonomy, seed: int, slot: int, suitable: set[Place], passed: int = 0) -> Place:
    """What a slot takes where its document can serve these places alone."""
    order = preference(one, seed, slot, passed)
    number = order.topic_class({number for number, _ in suitable})
    return number, order.topic(number, {topic for of, topic in suitable if of == number})


@settings(deadline=None)
@given(st.integers(), st.integers(0, 130), st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_where_all_serves_the_counts_of_topics_differ_by_one_at_most_after_any_number_of_slots(
    seed: int, slots: int, sizes: list[int]
) -> None:
    for one in (EPIDEMIOLOGY, taxonomy(sizes)):
        every = set(places(one))
        counts = Counter(taken(one, seed, slot, every) for slot in range(slots))

        assert max(counts.values(), default=0) - min(counts[place] for place in every) <= 1


@settings(deadline=None)
@given(st.integers(), st.integers(0, 24))
def test_the_first_items_already_spread_over_the_classes(seed: int, slots: int) -> None:
    counts = Counter(taken(EPIDEMIOLOGY, seed, slot, set(EVERY))[0] for slot in range(slots))

    assert max(counts.values(), default=0) - min(counts[number] for number in range(1, 7)) <= 1


@pytest.mark.untraced
@settings(deadline=None, max_examples=20)
@given(st.integers(), st.sets(st.sampled_from(EVERY), min_size=1))
def test_what_the_documents_cannot_serve_falls_to_all_the_rest_alike(seed: int, suitable: set[Place]) -> None:
    """A class gets items by the number of its topics; which of these serve is known only once it is chosen."""
    slots = 150 * len(suitable)
    counts = Counter(taken(EPIDEMIOLOGY, seed, slot, suitable) for slot in range(slots))
    weights = {number: len(EPIDEMIOLOGY.classes[number - 1].topics) for number, _ in suitable}

    assert set(counts) == suitable
    for (number, _), count in counts.items():
        alike = slots * weights[number] / sum(weights.values()) / sum(of == number for of, _ in suitable)
        assert 0.5 * alike < count < 1.6 * alike


def test_the_same_slot_takes_the_same_topic_in_every_run() -> None:
    assert [taken(EPIDEMIOLOGY, 42, slot, set(EVERY)) for slot in range(60)] == [
        taken(EPIDEMIOLOGY, 42, slot, set(EVERY)) for slot in range(60)
    ]


def test_other_seeds_take_other_topics_first() -> None:
    assert len({taken(EPIDEMIOLOGY, seed, 0, set(EVERY)) for seed in range(20)}) > 5


@given(st.integers(), st.integers(0, 500))
def test_a_try_that_passes_what_was_tried_takes_another_topic_until_all_were_tried(seed: int, slot: int) -> None:
    tried = [taken(EPIDEMIOLOGY, seed, slot, set(EVERY), passed) for passed in range(26)]

    assert len(set(tried)) == 25
    assert tried[25] == tried[0]
