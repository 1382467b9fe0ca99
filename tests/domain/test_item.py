"""Items: how they are named and how they end."""

from dataclasses import replace

from benchwright.domain.document import View
from benchwright.domain.item import ItemState, Seed, discarded_ending, kept_ending

SEED = Seed(3, 0, View("d1", (0, 2)), '{"focus":"any"}')


def test_the_same_seed_has_the_same_name_everywhere() -> None:
    assert SEED.id == replace(SEED).id == "7fafef0aaeb3380451cda154f5f39dca"


def test_every_part_of_a_seed_makes_another_item() -> None:
    others = (
        replace(SEED, slot=4),
        replace(SEED, attempt=1),
        replace(SEED, about=View("d1", (0,))),
        replace(SEED, body="{}"),
    )

    assert len({SEED.id, *(other.id for other in others)}) == 5


def test_a_kept_item_has_its_final_form() -> None:
    verdict = kept_ending("kept", {"order": ["a"]})

    assert (verdict.state, verdict.cause, verdict.body) == (ItemState.KEPT, "kept", {"order": ["a"]})


def test_a_discarded_item_says_why_and_may_show_what_there_was() -> None:
    verdict = discarded_ending("too few options", "1 kept, 3 needed", {"order": []})

    assert verdict.state is ItemState.DISCARDED
    assert (verdict.cause, verdict.detail, verdict.body) == ("too few options", "1 kept, 3 needed", {"order": []})
    assert discarded_ending("refused").body is None
