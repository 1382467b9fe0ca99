"""One card at a time before each person: who gets which, what a decision does, how one takes it back.

What lies before whom is a lease in the store, so that desks in several processes know of each other: nobody gets a
card on which others already give all opinions that are missing, and whoever goes away frees theirs when time is over.
"""

from dataclasses import dataclass
from statistics import median

from benchwright.domain.agreement import Agreement, krippendorff
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.domain.item import ItemState
from benchwright.domain.opinion import CANNOT_SAY, WITHDRAW, Opinion, may_say, opinion, signed, standing
from benchwright.errors import NotFound, UsageError
from benchwright.review.cases import STEP, Case, about_option, case, waiting
from benchwright.review.exchange import Decision, Desk, record
from benchwright.review.sheet import Row
from benchwright.store import items, jobs, reviews
from benchwright.store.database import Connection
from benchwright.store.reviews import Lease, Place

LEASE = 900.0  # seconds that a card lies before someone who does nothing
PAIR = 2  # opinions that can agree


@dataclass(frozen=True, slots=True)
class Card:
    """An option before a person; `draft` is what the same person had said about it and took back."""

    case: Case
    draft: Opinion | None = None

    @property
    def open(self) -> bool:
        """Whether votes, and what others said, may be seen before one decides: the adjudicator must."""
        return not self.case.policy.blind or bool(self.case.conflict and self.case.policy.adjudicator)


# ------------------------------------------------------------------------------------------------------- moves


def next_card(connection: Connection, desk: Desk, person: str, now: float) -> Card | None:
    """The card that lies before a person, or the next one; None where nothing is left for them.

    Cards that were passed over come last.
    """
    leases = {lease.who: lease for lease in reviews.laid(connection)}
    mine = leases.pop(person, None)
    passed = reviews.skipped(connection, person)
    said = by_place(connection)
    places = [(seq, about) for seq, options in waiting(connection).items() for about in options]
    free = [place for place in places if may_say(person, standing(said.get(place, ())), desk.policy)]
    held = [mine.place] if mine and mine.until > now and mine.place in free else []
    for place in (*held, *sorted(free, key=lambda place: place in passed)):
        found = case(connection, desk.pipeline, desk.policy, place)
        if found and room(found, list(leases.values()), now):
            began = mine.began if mine and mine.place == place and mine.until > now else now
            reviews.lay(connection, Lease(person, place, began, now + LEASE))
            return Card(found, draft(found, person))
    reviews.free(connection, person)
    return None


def by_place(connection: Connection) -> dict[Place, list[Answer]]:
    """All that people said, by option."""
    found: dict[Place, list[Answer]] = {}
    for word in reviews.words(connection, STEP):
        found.setdefault(word.place, []).append(word.answer)
    return found


def room(found: Case, others: list[Lease], now: float) -> bool:
    """Whether an opinion is missing that nobody else is about to give."""
    taken = sum(lease.place == found.place and lease.until > now for lease in others)
    return taken < len(found.keys)


def draft(found: Case, person: str) -> Opinion | None:
    """The last thing that a person said about an option before they took it back."""
    own = [said for said in map(opinion, found.said) if said.by == person and said.decision != WITHDRAW]
    return max(own, key=lambda said: said.word, default=None)


def decide(connection: Connection, desk: Desk, name: str, said: Opinion, now: float, at: str) -> None:
    """Record a person's opinion about the option of that name, an item's id, a slash, an option's id.

    `at` is `now` as the store writes it. Saying the same again changes nothing. Raises `UsageError` where it is too
    late or no opinion.
    """
    place = placed(connection, name)
    before = standing(about_option(items.answers(connection, place[0]), place[1]))
    if any((one.by, one.says) == (said.by, said.says) for one in before):
        return
    leases = {lease.who: lease for lease in reviews.laid(connection)}
    mine = leases.pop(said.by, None)
    found = case(connection, desk.pipeline, desk.policy, place)
    if found is None or not found.free_for(said.by) or not room(found, list(leases.values()), now):
        message = "this option has been decided meanwhile, or lies before somebody else: nothing was recorded"
        raise UsageError(message)
    row = Row(0, name, said.decision, said.reason, wording=said.text)
    answer = record(connection, desk, place[0], Decision(row, place[1], said), found, at)
    if mine and mine.place == place:
        reviews.took(connection, place, answer.by, now - mine.began)
    reviews.free(connection, said.by)


def skip(connection: Connection, person: str, name: str) -> None:
    """Pass a card over: it comes again after all others."""
    reviews.skip(connection, person, placed(connection, name))
    reviews.free(connection, person)


def undo(connection: Connection, desk: Desk, person: str, now: float, at: str) -> str:
    """Take back a person's last opinion that stands, and lay its card before them again; returns its name.

    Raises `UsageError` where there is none, or another item has begun in the place of its own.
    """
    place = latest(connection, person)
    if place is None:
        message = "there is nothing that you could take back"
        raise UsageError(message)
    row = items.get(connection, place[0])
    if row.state is ItemState.DISCARDED and reviews.followed(connection, place[0]):
        message = f"item {row.id[:10]} was discarded and another has begun in its place: the decision stands"
        raise UsageError(message)
    about = about_option(items.answers(connection, place[0]), place[1])
    by = signed(person, sum(opinion(answer).by == person for answer in about))
    body = canonical({"decision": WITHDRAW, "reason": "", "text": ""})
    jobs.decide(connection, place[0], "", Answer(STEP, place[1], by, body), desk.plan, at)
    reviews.lay(connection, Lease(person, place, now, now + LEASE))
    return f"{row.id}/{place[1]}"


def placed(connection: Connection, name: str) -> Place:
    """Where an option stands in the store; `UsageError` for one that is not there."""
    item, _, about = name.partition("/")
    try:
        row = items.find(connection, item)
    except NotFound as error:
        message = f"this campaign has no option {name!r}"
        raise UsageError(message) from error
    return row.seq, about


def latest(connection: Connection, person: str) -> Place | None:
    """The option about which a person said the last thing that stands."""
    stands: dict[Place, None] = {}
    for word in reviews.words(connection, STEP):
        said = opinion(word.answer)
        if said.by == person:
            stands.pop(word.place, None)
            if said.decision != WITHDRAW:
                stands[word.place] = None
    return next(reversed(stands), None)


# ---------------------------------------------------------------------------------------------------- progress


@dataclass(frozen=True, slots=True)
class Reviewer:
    """What one person has done; `seconds` is the middle of the times their cards took, None where none is known."""

    name: str
    decisions: dict[str, int]
    seconds: float | None

    @property
    def total(self) -> int:
        """How many opinions of theirs stand."""
        return sum(self.decisions.values())


@dataclass(frozen=True, slots=True)
class Progress:
    """How the review stands: options that wait and that were decided; who did what; how far people agree.

    `pairs` counts the options with two opinions or more, `alike` those of them where all say the same.
    """

    waiting: int
    decided: int
    reviewers: tuple[Reviewer, ...]
    pairs: int
    alike: int
    alpha: Agreement


def progress(connection: Connection) -> Progress:
    """How the review stands."""
    stands = {place: standing(said) for place, said in by_place(connection).items()}
    times = reviews.times(connection)
    left = {(seq, about) for seq, options in waiting(connection).items() for about in options}
    rated = [[":".join(said.says) for said in heard if said.decision != CANNOT_SAY] for heard in stands.values()]
    several = [unit for unit in rated if len(unit) >= PAIR]
    return Progress(
        waiting=len(left),
        decided=sum(bool(heard) and place not in left for place, heard in stands.items()),
        reviewers=reviewers(stands, times),
        pairs=len(several),
        alike=sum(len(set(unit)) == 1 for unit in several),
        alpha=krippendorff(several),
    )


def reviewers(
    stands: dict[Place, tuple[Opinion, ...]], times: dict[tuple[int, str, str], float]
) -> tuple[Reviewer, ...]:
    """What each person has done, by name."""
    found: dict[str, list[tuple[str, float | None]]] = {}
    for (seq, about), opinions in stands.items():
        for said in opinions:
            took = times.get((seq, about, signed(said.by, said.word - 1)))
            found.setdefault(said.by, []).append((said.decision, took))
    return tuple(reviewer(person, done) for person, done in sorted(found.items()))


def reviewer(person: str, done: list[tuple[str, float | None]]) -> Reviewer:
    """What one person has done."""
    names = [decision for decision, _ in done]
    seconds = [took for _, took in done if took is not None]
    counts = {name: names.count(name) for name in sorted(set(names))}
    return Reviewer(person.partition(":")[2], counts, median(seconds) if seconds else None)
