"""How the review stands: what waits and what is decided, who did what in what time, how far people agree."""

from dataclasses import dataclass
from statistics import median

from benchwright.domain.agreement import Agreement, krippendorff
from benchwright.domain.opinion import Opinion, author_of_word, standing_opinions
from benchwright.review.cases import Desk, Part, waiting_parts
from benchwright.review.desk import by_part
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

    `pairs` counts the cards with two opinions or more, `alike` those of them where all say the same.
    """

    waiting: int
    decided: int
    reviewers: tuple[Reviewer, ...]
    pairs: int
    alike: int
    alpha: Agreement


def progress(connection: Connection, desk: Desk) -> Progress:
    """How the review stands."""
    stands = {part: standing_opinions(said) for part, said in by_part(connection, desk).items()}
    left = waiting_parts(connection, desk)
    rated = [[rating(said) for said in heard if not said.abstains] for heard in stands.values()]
    several = [unit for unit in rated if len(unit) >= PAIR]
    return Progress(
        waiting=len(left),
        decided=sum(bool(heard) and part not in left for part, heard in stands.items()),
        reviewers=reviewers(desk, stands, reviews.times(connection)),
        pairs=len(several),
        alike=sum(len(set(unit)) == 1 for unit in several),
        alpha=krippendorff(several),
    )


def rating(said: Opinion) -> str:
    """What an opinion says, as one value to compare."""
    return ":".join(str(value) for _, value in said.weight())


def reviewers(
    desk: Desk, stands: dict[Part, tuple[Opinion, ...]], times: dict[tuple[int, str, str], float]
) -> tuple[Reviewer, ...]:
    """What each person has done, by name."""
    found: dict[str, list[tuple[str, float | None]]] = {}
    for part, opinions in stands.items():
        for said in opinions:
            took = times.get((*desk.place(part), author_of_word(said.by, said.word - 1)))
            found.setdefault(said.by, []).append((said.brief, took))
    return tuple(reviewer(person, done) for person, done in sorted(found.items()))


def reviewer(person: str, done: list[tuple[str, float | None]]) -> Reviewer:
    """What one person has done."""
    names = [decision for decision, _ in done]
    seconds = [took for _, took in done if took is not None]
    counts = {name: names.count(name) for name in sorted(set(names))}
    return Reviewer(person.partition(":")[2], counts, median(seconds) if seconds else None)
