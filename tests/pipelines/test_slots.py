"""Which items begin next: an exact number, bounded tries, and the same items whatever the order in which they end."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scripted_recall import campaign

from benchwright.domain.campaign import Quota
from benchwright.domain.document import View
from benchwright.domain.ids import seeded_random, seeded_shuffle
from benchwright.domain.item import Progress, Seed
from benchwright.domain.source import Outline, RecordRef
from benchwright.pipelines.slots import admit, order, slots


def outlines(count: int, sections: int = 3) -> list[Outline]:
    titles = tuple(f"part {n}" for n in range(sections))
    return [Outline(View(f"doc{n}", tuple(range(sections))), titles) for n in range(count)]


def focus(seed: Seed) -> str:
    return str(json.loads(seed.body)["focus"])


@dataclass
class Books:
    """What the store knows, in memory; whether an item is kept depends on the item alone."""

    quota: Quota
    documents: int
    share: float  # of tries that are kept
    open: list[Seed] = field(default_factory=list)
    kept: set[Seed] = field(default_factory=set)
    discarded: set[Seed] = field(default_factory=set)

    @property
    def begun(self) -> list[Seed]:
        return [*self.open, *self.kept, *self.discarded]

    def progress(self, room: int) -> Progress:
        places = {(seed.slot, seed.attempt) for seed in self.begun}
        ended = sorted(
            (seed.slot, seed.attempt)
            for seed in self.discarded
            if seed.attempt + 1 < self.quota.tries and (seed.slot, seed.attempt + 1) not in places
        )
        return Progress(max((slot + 1 for slot, _ in places), default=0), tuple(ended), room)

    def run(self, chance: Random) -> "Books":
        """Begin items as there is room, end them in an order of chance, until none is open and none begins."""
        while True:
            room = chance.randint(0, 4)
            new = admit(campaign(quota=self.quota), outlines(self.documents), self.progress(room))
            assert len(new) <= room
            assert set(new).isdisjoint(self.begun)
            self.open += new
            if self.open:
                seed = self.open.pop(chance.randrange(len(self.open)))
                (self.kept if seeded_random(seed.id).random() < self.share else self.discarded).add(seed)
            elif room:
                return self


quotas = st.builds(Quota, st.integers(1, 3), st.none() | st.integers(0, 12), st.integers(1, 4))


@settings(deadline=None)
@given(quotas, st.integers(1, 6), st.sampled_from([0.0, 0.4, 0.8, 1.0]), st.integers(0, 10**6))
def test_the_same_items_begin_whatever_the_order_in_which_they_end(
    quota: Quota, documents: int, share: float, order: int
) -> None:
    usual, other = (Books(quota, documents, share).run(Random(n)) for n in (0, order))

    assert (usual.kept, usual.discarded) == (other.kept, other.discarded)


@settings(deadline=None)
@given(quotas, st.integers(1, 6), st.sampled_from([0.0, 0.4, 0.8, 1.0]))
def test_each_slot_is_tried_until_an_item_is_kept_and_never_more_often_than_allowed(
    quota: Quota, documents: int, share: float
) -> None:
    ended = Books(quota, documents, share).run(Random(1))
    wanted = slots(campaign(quota=quota), documents)
    tries = Counter(seed.slot for seed in ended.begun)
    filled = Counter(seed.slot for seed in ended.kept)

    assert set(tries) == set(range(wanted))
    assert max(tries.values(), default=0) <= quota.tries
    assert max(filled.values(), default=0) <= 1
    for slot in set(tries) - set(filled):
        assert tries[slot] == quota.tries
    for seed in ended.kept:
        assert tries[seed.slot] == seed.attempt + 1  # no try begins beside or after the one that is kept


@given(st.integers(1, 20), st.integers(1, 9))
def test_a_target_is_met_exactly_where_every_try_succeeds(target: int, documents: int) -> None:
    assert len(Books(Quota(target=target), documents, 1.0).run(Random(2)).kept) == target


def test_nothing_begins_without_documents_or_without_room() -> None:
    assert admit(campaign(), [], Progress(0, (), 9)) == ()
    assert admit(campaign(), outlines(3), Progress(0, (), 0)) == ()


def test_next_tries_come_before_new_slots() -> None:
    begun = admit(campaign(quota=Quota(target=9, tries=2)), outlines(3), Progress(4, ((1, 0), (2, 1)), 2))

    assert [(seed.slot, seed.attempt) for seed in begun] == [(1, 1), (4, 0)]


def test_so_many_items_per_document_come_document_by_document() -> None:
    begun = admit(campaign(quota=Quota(2)), outlines(3), Progress(0, (), 99))

    assert [seed.view.document for seed in begun] == ["doc0", "doc0", "doc1", "doc1", "doc2", "doc2"]


@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 4))
def test_a_target_is_spread_evenly_over_the_documents(target: int, documents: int, tries: int) -> None:
    config = campaign(quota=Quota(target=target, tries=tries))
    for attempt in range(tries):
        before = tuple((slot, attempt - 1) for slot in range(target)) if attempt else ()
        begun = admit(config, outlines(documents), Progress(target if attempt else 0, before, target))
        uses = Counter(seed.view.document for seed in begun)

        assert uses.total() == target
        assert max(uses.values()) - min(uses[f"doc{n}"] for n in range(documents)) <= 1


@given(st.integers(1, 40), st.integers(2, 12), st.integers(1, 4))
def test_a_next_try_draws_on_another_document(target: int, documents: int, attempt: int) -> None:
    config = campaign(quota=Quota(target=target, tries=9))
    tried = [
        admit(config, outlines(documents), Progress(target, tuple((slot, n) for slot in range(target)), target))
        for n in (attempt - 1, attempt)
    ]

    assert all(one.view != other.view for one, other in zip(*tried, strict=True))


@pytest.mark.parametrize("quota", [Quota(3, tries=3), Quota(target=7, tries=3), Quota(target=4, tries=4)])
def test_no_two_tries_draw_on_the_same_part_of_a_document_while_another_is_left(quota: Quota) -> None:
    ended = Books(quota, 2, 0.0).run(Random(3))
    drawn = Counter((seed.view.document, focus(seed)) for seed in ended.discarded)
    uses = Counter(seed.view.document for seed in ended.discarded)

    for (document, part), times in drawn.items():
        assert times <= (1 if part == "any part of the document" else -(-(uses[document] - 1) // 3))


def test_a_document_is_drawn_on_anywhere_first_and_then_section_by_section() -> None:
    config = campaign(quota=Quota(5, tries=2))
    first = [focus(seed) for seed in admit(config, outlines(1), Progress(0, (), 99))]
    again = [focus(seed) for seed in admit(config, outlines(1), Progress(5, tuple((n, 0) for n in range(5)), 99))]

    assert first[0] == "any part of the document"
    named = [f'the section "part {n}"' for n in range(3)]
    assert sorted(first[1:4]) == named
    assert first[4] == first[1]
    assert [*first[1:], *again] == (first[1:4] * 3)[:9]
    other = [focus(seed) for seed in admit(config, outlines(6)[3:], Progress(0, (), 99))]
    assert len({tuple(other[n + 1 : n + 4]) for n in (0, 5, 10)}) > 1  # each document in an order of its own


def test_other_seeds_go_through_the_documents_in_another_order() -> None:
    def order(seed: int) -> tuple[str, ...]:
        begun = admit(replace(campaign(quota=Quota(target=6)), seed=seed), outlines(6), Progress(0, (), 6))
        return tuple(one.view.document for one in begun)

    assert len({order(seed) for seed in range(5)}) > 1


def test_items_about_records_draw_on_all_of_each_and_bear_their_phase() -> None:
    records = [Outline(RecordRef(f"r{n}"), body={"n": n}) for n in range(2)]
    begun = admit(campaign(quota=Quota(2)), records, Progress(0, (), 99, "queries"))

    assert begun == tuple(Seed(slot, 0, RecordRef(f"r{slot // 2}"), "{}", "queries") for slot in range(4))


@given(st.integers(1, 300), st.integers(0, 9))
def test_sources_are_gone_through_in_the_same_order_as_when_their_places_were_a_tuple(count: int, seed: int) -> None:
    assert tuple(order(count, seed)) == seeded_shuffle(range(count), seed, "documents")


def test_a_million_sources_are_neither_read_nor_held() -> None:
    class Many:
        read = 0

        def __len__(self) -> int:
            return 1_000_000

        def __getitem__(self, place: int, /) -> Outline:
            self.read += 1
            return Outline(RecordRef(str(place)))

        def __iter__(self) -> Iterator[Outline]:
            raise NotImplementedError

    many = Many()
    for quota in (Quota(), Quota(target=2_000_000, tries=2)):
        assert len(admit(campaign(quota=quota), many, Progress(500_000, ((7, 0),), 50))) == 50
    assert many.read == 100
    assert order(1_000_000, 1).itemsize == 4  # type: ignore[attr-defined]
