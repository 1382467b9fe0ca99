"""How the review stands: what waits and what is decided, who did what in what time, how far people agree."""

from dataclasses import dataclass
from statistics import median

from benchwright.domain.agreement import Agreement, krippendorff
from benchwright.domain.opinion import Opinion, author_of_word, blind_opinions, fold_name, standing_opinions
from benchwright.review.cases import Desk, Part, waiting_parts
from benchwright.review.desk import by_part, may_be_free
from benchwright.store import reviews
from benchwright.store.database import Connection

PAIR = 2  # opinions that can agree


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
    """How the review stands: cards that wait and that were decided; who did what; how far people agree.

    Agreement is that of the first words, said blind: `pairs` counts the cards with two of them or more, `alike` those
    of them where all say the same, `changed` the opinions that are other now than what the same person said first.
    `mine` counts the cards that one person has decided, `mine_left` those that still may be theirs.
    """

    waiting: int
    decided: int
    reviewers: tuple[Reviewer, ...]
    pairs: int
    alike: int
    alpha: Agreement
    changed: int = 0
    mine: int = 0
    mine_left: int = 0


def progress(connection: Connection, desk: Desk, person: str = "") -> Progress:
    """How the review stands, for all and for one person."""
    words = by_part(connection, desk)
    stands = {part: standing_opinions(said) for part, said in words.items()}
    left = waiting_parts(connection, desk)
    rated = [[rating(said) for said in blind_opinions(heard, desk.policy)] for heard in words.values()]
    several = [unit for unit in rated if len(unit) >= PAIR]
    return Progress(
        waiting=len(left),
        decided=sum(bool(heard) and part not in left for part, heard in stands.items()),
        reviewers=reviewers(desk, stands, reviews.times(connection)),
        pairs=len(several),
        alike=sum(len(set(unit)) == 1 for unit in several),
        alpha=krippendorff(several),
        changed=sum(bool(said.first) for heard in stands.values() for said in heard),
        mine=sum(any(said.who == person for said in heard) for heard in stands.values()),
        mine_left=sum(may_be_free(person, stands.get(part, ()), desk) for part in left),
    )


def rating(said: Opinion) -> str:
    """What an opinion says, as one value to compare."""
    return ":".join(str(value) for _, value in said.weight())


def reviewers(
    desk: Desk, stands: dict[Part, tuple[Opinion, ...]], times: dict[tuple[int, str, str], float]
) -> tuple[Reviewer, ...]:
    """What each person has done, by name."""
    found: dict[str, list[tuple[str, float | None]]] = {}
    names: dict[str, str] = {}
    folded = {(item, about, fold_name(who)): seconds for (item, about, who), seconds in times.items()}
    for part, opinions in stands.items():
        for said in opinions:
            took = folded.get((*desk.place(part), author_of_word(said.who, said.word - 1)))
            found.setdefault(said.who, []).append((said.brief, took))
            names[said.who] = said.person
    return tuple(reviewer(names[who], done) for who, done in sorted(found.items()))


def reviewer(name: str, done: list[tuple[str, float | None]]) -> Reviewer:
    """What one person has done."""
    names = [decision for decision, _ in done]
    seconds = [took for _, took in done if took is not None]
    counts = {name: names.count(name) for name in sorted(set(names))}
    return Reviewer(name, counts, median(seconds) if seconds else None)
