"""What people have said so far, option by option: decisions, reviewers, times, reasons, and the votes before them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchwright.domain.opinion import ruling, signed, standing
from benchwright.pipelines.base import so_far, state_of
from benchwright.review import sheet, workbook
from benchwright.review.cases import STEP, waiting
from benchwright.review.exchange import Desk
from benchwright.store import documents, items, reviews
from benchwright.store.database import Connection
from benchwright.store.reviews import Place, Word

FORMS = (".jsonl", ".csv", ".xlsx")


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An option that people have spoken about.

    `status` is `decided`, `waiting` for further opinions or in `conflict`; `decision` and `wording` are what holds.
    `votes` and `opinions` are objects in JSON, lines in tables; an opinion's `at` is UTC, its `seconds` are how long
    the card lay before the person, where that is known.
    """

    key: str
    document: str
    question: str
    option: str
    claim: str
    status: str
    decision: str
    wording: str
    opinions: tuple[Any, ...]
    route: str  # where the votes led
    ratio: str  # keep votes of votes cast
    votes: tuple[Any, ...]
    audited: str
    item: str
    item_state: str
    option_id: str


def reviewed(connection: Connection, desk: Desk) -> Iterator[Reviewed]:
    """Every option that somebody's opinion stands on, in the order of the first words about them."""
    words: dict[Place, list[Word]] = {}
    for word in reviews.words(connection, STEP):
        words.setdefault(word.place, []).append(word)
    times, left = reviews.times(connection), waiting(connection)
    for (seq, about), said in words.items():
        if standing(word.answer for word in said):
            yield one(connection, desk, said, times, owed=about in left.get(seq, ()))


def one(
    connection: Connection, desk: Desk, said: Sequence[Word], times: dict[tuple[int, str, str], float], *, owed: bool
) -> Reviewed:
    """One option."""
    seq, about = said[0].place
    row, answers = items.get(connection, seq), items.answers(connection, seq)
    body = so_far(desk.pipeline, state_of(desk.pipeline, row.seed, answers)) or {}
    told = next(option for option in body["options"] if (option["replaces"] or option)["id"] == about)
    document, _ = documents.get(connection, row.seed.view.document)
    found = ruling(standing(word.answer for word in said), desk.policy)
    holds = None if owed else found.holds
    return Reviewed(
        key=f"{row.id}/{about}",
        document=document.name,
        question=body["question"]["question"],
        option=(told["replaces"] or told)["text"],
        claim=told["label"],
        status=("conflict" if found.conflict else "waiting") if owed else "decided",
        decision=holds.decision if holds else "",
        wording=holds.text if holds else "",
        opinions=tuple(opinions(said, times)),
        route=told["route"] or "",
        ratio=told["ratio"],
        votes=tuple(told["votes"]),
        audited="yes" if told["audited"] else "no",
        item=row.id,
        item_state=row.state,
        option_id=about,
    )


def opinions(said: Sequence[Word], times: dict[tuple[int, str, str], float]) -> Iterator[dict[str, Any]]:
    """The opinions that stand, each with when it was given and how long it took."""
    at = {word.answer.by: word.at for word in said}
    for heard in standing(word.answer for word in said):
        by = signed(heard.by, heard.word - 1)
        seconds = times.get((*said[0].place, by))
        yield heard.told() | {"at": at[by], "seconds": None if seconds is None else round(seconds, 1)}


def line(said: dict[str, Any]) -> str:
    """A vote or an opinion on a line of its own."""
    word = str(said.get("verdict") or said["decision"]).replace("_", " ")
    wording = f" to {said['text']!r}" if said.get("text") else ""
    took = f", {said['seconds']:.0f} s" if said.get("seconds") is not None else ""
    when = f" ({said['at']}{took})" if "at" in said else ""
    return f"{said['by']} says {word}{wording}{when}: {said['reason']}".removesuffix(": ")


def as_lines(found: Reviewed) -> Reviewed:
    """The same for a table."""
    return replace(found, opinions=tuple(map(line, found.opinions)), votes=tuple(map(line, found.votes)))


def make(found: Sequence[Reviewed], suffix: str) -> bytes:
    """The file: .jsonl, .csv or .xlsx."""
    if suffix == ".jsonl":
        return sheet.as_jsonl(found).encode()
    lines = [as_lines(entry) for entry in found]
    if suffix == ".csv":
        return sheet.as_csv(lines, Reviewed).encode()
    return workbook.make(sheet.table(lines, Reviewed))
