"""One card at a time before each person: who gets which, what a decision does, how one takes it back.

What lies before whom is a lease in the store, so that desks in several processes know of each other: nobody gets a
card on which others already give all opinions that are missing, and whoever goes away frees theirs when time is over.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import WITHDRAWN, Opinion, author_of_word, opinion, standing_opinions
from benchwright.errors import NotFound, UsageError
from benchwright.pipelines.card import Card, fill_in, relevant
from benchwright.review.cases import Case, Desk, Part, case, folder, waiting_parts, words
from benchwright.review.exchange import record
from benchwright.store import items, jobs, reviews
from benchwright.store.database import Connection
from benchwright.store.reviews import Lease

LEASE = 900.0  # seconds that a card lies before someone who does nothing


@dataclass(frozen=True, slots=True)
class Hand:
    """The card that lies before a person; `draft` is what the same person had said about it and took back."""

    case: Case
    draft: Opinion | None = None

    @property
    def open(self) -> bool:
        """Whether votes, and what others said, may be seen before one decides: the adjudicator must."""
        return not self.case.policy.blind or bool(self.case.conflict and self.case.policy.adjudicator)

    @property
    def whole(self) -> Card | None:
        """The card of the item as a whole, where this is another and anybody may answer it."""
        return next((card for card in self.case.folder.cards_of_item() if card.step != self.case.card.step), None)


def next_card(connection: Connection, desk: Desk, person: str, now: float) -> Hand | None:
    """The card that lies before a person, or the next one; None where nothing is left for them.

    Cards that were passed over come last.
    """
    leases = {lease.who: lease for lease in reviews.last_cards(connection)}
    mine = leases.pop(person, None)
    passed = reviews.skipped_cards(connection, person)
    said = by_part(connection, desk)
    free = [
        part
        for part in waiting_parts(connection, desk)
        if may_be_free(person, standing_opinions(said.get(part, ())), desk)
    ]
    ours = desk.part(mine.place) if mine and holds(mine, now) else None
    held = [ours] if ours and ours in free else []
    for part in (*held, *sorted(free, key=lambda part: desk.place(part) in passed)):
        found = case(connection, desk, part)
        if found and found.free_for(person) and room(found, leases.values(), now):
            began = mine.began if mine and ours == part else now
            reviews.lay(connection, Lease(person, desk.place(found.part), began, now + LEASE))
            return Hand(found, draft(found, person))
    reviews.free(connection, person)
    return None


def may_be_free(person: str, opinions: tuple[Opinion, ...], desk: Desk) -> bool:
    """Whether a part that waits may be free for a person, as far as can be told without its card.

    An adjudicator, where one opinion is not enough, gets only what has as many as the policy asks for.
    """
    if any(said.who == person for said in opinions):
        return False
    policy = desk.policy
    return person != policy.judge or policy.opinions == 1 or len(opinions) >= policy.opinions


def by_part(connection: Connection, desk: Desk) -> dict[Part, list[Answer]]:
    """All that people said, by what it is about."""
    found: dict[Part, list[Answer]] = {}
    for part, word in words(connection, desk):
        found.setdefault(part, []).append(word.answer)
    return found


def holds(lease: Lease, now: float) -> bool:
    """Whether a card still lies before someone; one that a clock set back has left in the far future does not."""
    return now < lease.until <= now + LEASE


def room(found: Case, others: Iterable[Lease], now: float) -> bool:
    """Whether an opinion is missing that nobody else is about to give."""
    place = found.folder.desk.place(found.part)
    busy = sum(lease.place == place and holds(lease, now) for lease in others)
    return busy < len(found.keys)


def draft(found: Case, person: str) -> Opinion | None:
    """The last thing that a person said about a part before they took it back."""
    own = [said for said in map(opinion, found.answers) if said.who == person and not said.withdraws]
    return max(own, key=lambda said: said.word, default=None)


def decide(connection: Connection, desk: Desk, name: str, said: Opinion, now: float, at: str) -> None:
    """Record what a person filled in, texts by the names of inputs, on the card of that name.

    `at` is `now` as the store writes it. Saying the same again changes nothing. Raises `UsageError` where it is too
    late or no opinion.
    """
    part = find(connection, desk, name)
    found = case(connection, desk, part)
    assert found  # noqa: S101 - it was just found
    said = replace(said, values=fill_in(found.card, relevant(found.card, said.values)))
    over = found.card.combine.over
    if any((one.who, one.weight(over)) == (said.who, said.weight(over)) for one in found.opinions):
        return
    leases = {lease.who: lease for lease in reviews.last_cards(connection)}
    mine = leases.pop(said.who, None)
    place = desk.place(part)
    free = found.card.unasked or room(found, leases.values(), now)
    if not (found.takes_words and free and found.free_for(said.who)):
        message = "this card has been decided meanwhile, or lies before somebody else: nothing was recorded"
        raise UsageError(message)
    answer = record(connection, found, said, at)
    if mine and mine.place == place:
        reviews.took(connection, place, answer.by, max(0.0, now - mine.began))
        reviews.free(connection, said.who)


def stay(connection: Connection, person: str, now: float) -> None:
    """Let the card that lies before a person lie there longer, unless its time is over."""
    mine = next((lease for lease in reviews.last_cards(connection) if lease.who == person), None)
    if mine and holds(mine, now):
        reviews.lay(connection, replace(mine, until=now + LEASE))


def skip(connection: Connection, desk: Desk, person: str, name: str) -> None:
    """Pass a card over: it comes again after all others."""
    reviews.skip(connection, person, desk.place(find(connection, desk, name)))
    reviews.free(connection, person)


def undo(connection: Connection, desk: Desk, person: str, now: float, at: str) -> str:
    """Take back a person's last opinion that stands, and lay its card before them again; returns its name.

    Raises `UsageError` where there is none, or another item has begun in the place of its own.
    """
    part = latest(connection, desk, person)
    if part is None:
        message = "there is nothing that you could take back"
        raise UsageError(message)
    found = folder(connection, desk, part.seq)
    row = found.row
    if row.state is ItemState.DISCARDED and reviews.has_successor(connection, part.seq):
        message = f"item {row.id[:10]} was discarded and another has begun in its place: the decision stands"
        raise UsageError(message)
    own = [said for said in map(opinion, found.answers_about(part.step, part.about)) if said.who == person]
    by = author_of_word(own[-1].by, len(own))
    card = found.card(part.step, part.about)
    jobs.decide(connection, part.seq, "", Answer(part.step, part.about, by, canonical(WITHDRAWN)), desk.plan, at)
    reviews.lay(connection, Lease(person, desk.place(part), now, now + LEASE))
    return found.name(card) if card else row.id


def find(connection: Connection, desk: Desk, name: str) -> Part:
    """The part that a card's name is of; `UsageError` for one that is not there."""
    try:
        found = folder(connection, desk, items.find(connection, name.partition("/")[0]).seq)
        card = found.of_key(name)
    except NotFound:
        card = None
    if card is None:
        message = f"this campaign has no card {name!r}"
        raise UsageError(message)
    return Part(found.row.seq, card.step, card.about)


def latest(connection: Connection, desk: Desk, person: str) -> Part | None:
    """What a person said the last thing that stands about."""
    stands: dict[Part, None] = {}
    for part, word in words(connection, desk):
        said = opinion(word.answer)
        if said.who == person:
            stands.pop(part, None)
            if not said.withdraws:
                stands[part] = None
    return next(reversed(stands), None)
