"""Cards before people: who gets which, what a decision does, and how it is taken back."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.review.campaign import NOW, Desk, row, waiting

from benchwright.domain.ids import seeded_random
from benchwright.domain.opinion import Opinion, Policy
from benchwright.engine.runner import How
from benchwright.errors import UsageError
from benchwright.review import desk as cards
from benchwright.review.desk import LEASE, Hand
from benchwright.review.progress import Progress, progress
from benchwright.store import items, reviews

T = TypeVar("T")


@dataclass
class Room:
    """People around a desk, with a clock that a test turns."""

    desk: Desk
    now: float = 1_800_000_000.0
    seen: list[str] = field(default_factory=list)

    async def write(self, operation: Callable[..., T], **parts: object) -> T:
        return await self.desk.database.write(partial(operation, **parts))

    async def next(self, who: str) -> Hand | None:
        card = await self.write(cards.next_card, desk=self.desk.terms, person=f"human:{who}", now=self.now)
        if card:
            self.seen.append(card.case.name)
        return card

    async def say(self, who: str, name: str, decision: str = "keep", reason: str = "", text: str = "") -> None:
        said = Opinion(f"human:{who}", {"decision": decision, "reason": reason, "text": text})
        await self.write(cards.decide, desk=self.desk.terms, name=name, said=said, now=self.now, at=NOW)

    async def skip(self, who: str, name: str) -> None:
        await self.write(cards.skip, desk=self.desk.terms, person=f"human:{who}", name=name)

    async def undo(self, who: str) -> str:
        return await self.write(cards.undo, desk=self.desk.terms, person=f"human:{who}", now=self.now, at=NOW)

    async def progress(self) -> Progress:
        return await self.desk.database.read(partial(progress, desk=self.desk.terms))

    async def card(self, who: str) -> Hand:
        found = await self.next(who)
        assert found
        return found


@pytest.fixture
def room(desk: Desk) -> Room:
    return Room(desk)


async def under(desk: Desk, policy: Policy) -> Room:
    """The same campaign under another policy."""
    other = desk.under(policy)
    await other.replan()
    return Room(other)


# ---------------------------------------------------------------------------------------------- who gets which


async def test_no_two_people_get_the_same_card(room: Room) -> None:
    waiting = len(await room.desk.cards())
    names = [(await room.card(f"p{n}")).case.name for n in range(waiting)]
    assert len(set(names)) == waiting
    assert await room.next("one more") is None


async def test_a_person_keeps_the_card_that_lies_before_them(room: Room) -> None:
    first = await room.card("ada")
    room.now += LEASE - 1
    assert (await room.card("ada")).case.name == first.case.name
    room.now += LEASE - 1
    assert (await room.card("bob")).case.name != first.case.name


async def test_whoever_vanishes_frees_the_card_when_its_time_is_over(room: Room) -> None:
    first = await room.card("ada")
    room.now += LEASE - 1
    assert (await room.card("bob")).case.name != first.case.name
    room.now += 1
    assert (await room.card("cyd")).case.name == first.case.name


async def test_who_comes_back_late_may_decide_unless_somebody_else_has_the_card(room: Room) -> None:
    first = await room.card("ada")
    room.now += 2 * LEASE
    await room.say("ada", first.case.name)
    second = await room.card("ada")
    room.now += 2 * LEASE
    assert (await room.card("bob")).case.name == second.case.name
    with pytest.raises(UsageError, match="lies before somebody else: nothing was recorded"):
        await room.say("ada", second.case.name)
    await room.say("bob", second.case.name)
    with pytest.raises(UsageError, match="decided meanwhile"):
        await room.say("ada", second.case.name)


@settings(deadline=None)
@given(opinions=st.integers(1, 3), people=st.integers(1, 5), seed=st.integers(0, 10**6))
async def test_each_option_gets_just_as_many_opinions_as_the_policy_says(
    image: sqlite3.Connection, opinions: int, people: int, seed: int
) -> None:
    async with waiting(image) as desk:
        room = await under(desk, Policy(opinions))
        asked = {card.key for card in await room.desk.cards()}
        chance, crowd = seeded_random(seed), [f"p{n}" for n in range(people)]
        holding: dict[str, str] = {}
        for _ in range(len(asked) * opinions * 6):
            who = chance.choice(crowd)
            if chance.random() < 0.1:
                room.now += chance.choice([1.0, LEASE, 3 * LEASE])
            if chance.random() < 0.5 and who in holding:
                try:
                    await room.say(who, holding.pop(who))
                except UsageError:
                    continue
            elif card := await room.next(who):
                holding[who] = card.case.name
        counts: dict[str, set[str]] = {}
        for word in await desk.database.read(lambda c: list(reviews.words(c, "review_option"))):
            counts.setdefault(f"{word.place}", set()).add(word.answer.by)
        assert all(len(names) <= opinions for names in counts.values())
        if people >= opinions and not await room.desk.cards():
            assert {len(names) for names in counts.values()} == {opinions}


async def test_a_second_opinion_is_another_persons(desk: Desk) -> None:
    room = await under(desk, Policy(2))
    first = await room.card("ada")
    await room.say("ada", first.case.name)
    assert (await room.card("ada")).case.name != first.case.name
    while (card := await room.card("bob")).case.name != first.case.name:
        await room.say("bob", card.case.name)
    assert first.case.name not in {one.key for one in await room.desk.cards("ada")}


async def test_a_card_that_was_passed_over_comes_after_all_others(room: Room) -> None:
    first = await room.card("ada")
    await room.skip("ada", first.case.name)
    assert (await room.card("bob")).case.name == first.case.name
    await room.say("bob", first.case.name)
    second = await room.card("bob")
    await room.skip("bob", second.case.name)
    while (card := await room.card("bob")).case.name != second.case.name:
        await room.say("bob", card.case.name)
    assert len(await room.desk.cards()) == 1


async def test_the_adjudicator_gets_conflicts_alone_and_sees_what_was_said(desk: Desk) -> None:
    room = await under(desk, Policy(2, adjudicator="judy"))
    assert await room.next("judy") is None
    card = await room.card("ada")
    await room.say("ada", card.case.name, "keep")
    assert not (await room.card("bob")).open
    await room.say("bob", card.case.name, "edit", text="Quite another wording")
    assert (await room.card("cyd")).case.name != card.case.name
    found = await room.card("judy")
    assert (found.case.name, found.open, found.case.proposals) == (card.case.name, True, ("Quite another wording",))
    await room.say("judy", card.case.name, "edit", text="Quite another wording")
    assert await room.next("judy") is None
    assert (await room.progress()).decided == 1


# --------------------------------------------------------------------------------------------- taking it back


async def test_the_last_decision_can_be_taken_back_and_its_card_comes_again(room: Room) -> None:
    first = await room.card("ada")
    await room.say("ada", first.case.name, "reject", reason="not stated")
    second = await room.card("ada")
    await room.say("ada", second.case.name, "keep")
    assert await room.undo("ada") == second.case.name
    assert await room.undo("ada") == first.case.name
    again = await room.card("ada")
    assert again.case.name == first.case.name
    assert again.draft is not None
    assert (again.draft.decision, again.draft.reason) == ("reject", "not stated")
    await room.say("ada", first.case.name, "keep")
    assert (await room.progress()).reviewers[0].decisions == {"keep": 1}
    with pytest.raises(UsageError, match="nothing that you could take back"):
        await room.undo("bob")


async def test_a_decision_that_ended_an_item_can_be_taken_back(room: Room) -> None:
    before = await room.desk.states()
    while card := await room.next("ada"):
        await room.say("ada", card.case.name)
    ended = {item for item, state in (await room.desk.states()).items() if state != before[item]}
    assert ended
    name = await room.undo("ada")
    assert (await room.desk.states())[name.partition("/")[0]] == "waiting"
    await room.say("ada", (await room.card("ada")).case.name)
    assert await room.desk.cards() == []


async def test_an_item_whose_place_another_has_taken_does_not_come_back(room: Room) -> None:
    while (ended := await room.desk.run()).how is How.WAITING:
        while card := await room.next("ada"):
            await room.say("ada", card.case.name, "reject")
        rows = await room.desk.database.read(lambda c: list(items.pages(c, "discarded")))
        if any(row.seed.attempt == 0 for row in rows):
            break
    assert ended.how is How.WAITING
    place = await room.desk.database.read(lambda c: cards.latest(c, room.desk.terms, "human:ada"))
    assert place is not None
    await room.desk.run()
    followed = await room.desk.database.read(lambda c: reviews.has_successor(c, place.seq))
    if followed:
        with pytest.raises(UsageError, match="another has begun in its place"):
            await room.undo("ada")
    else:
        assert await room.undo("ada")


async def test_saying_it_twice_is_saying_it_once(room: Room) -> None:
    card = await room.card("ada")
    await room.say("ada", card.case.name)
    before = await room.desk.content()
    await room.say("ada", card.case.name)
    assert await room.desk.content() == before


@pytest.mark.parametrize("name", ["", "zz/yy", "/", "é"])
async def test_a_decision_about_nothing_here_is_refused(name: str, room: Room) -> None:
    with pytest.raises(UsageError, match="this campaign has no card"):
        await room.say("ada", name)


# --------------------------------------------------------------------------------------------------- progress


async def test_progress_tells_who_did_what_in_what_time_and_how_far_they_agree(desk: Desk) -> None:
    room = await under(desk, Policy(2))
    total = len(await room.desk.cards())
    for number in range(2):
        name = (await room.card("ada")).case.name
        for who in ("ada", "bob"):
            await room.card(who)
            room.now += 10 + number * 20
            await room.say(who, name, "reject" if (who, number) == ("bob", 1) else "keep")
    found = await room.progress()
    assert (found.decided, found.waiting, found.pairs, found.alike) == (1, total - 1, 2, 1)
    assert [(one.name, one.total, one.decisions) for one in found.reviewers] == [
        ("ada", 2, {"keep": 2}), ("bob", 2, {"keep": 1, "reject": 1})
    ]  # fmt: skip
    assert found.reviewers[0].seconds == 20
    assert found.alpha.value is not None


async def test_before_anybody_has_decided_there_is_no_agreement_to_tell(room: Room) -> None:
    found = await room.progress()
    assert (found.decided, found.reviewers, found.alpha.value) == (0, (), None)
    assert "two raters" in found.alpha.reason


async def test_a_decision_by_file_takes_the_card_from_the_desk(room: Room) -> None:
    card = await room.card("ada")
    waiting = {one.key: one for one in await room.desk.cards()}
    await room.desk.take(row(waiting[card.case.name]), by="bob")
    assert (await room.card("ada")).case.name != card.case.name
