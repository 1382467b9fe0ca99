"""What the pages show, as plain values: the templates only lay it out."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchwright.domain.document import Document, Sentence, View, read_out
from benchwright.domain.opinion import Opinion, standing
from benchwright.pipelines.base import so_far, state_of
from benchwright.review import desk as cards
from benchwright.review.cases import about_option
from benchwright.review.desk import Card, Progress
from benchwright.review.exchange import Desk
from benchwright.store import items
from benchwright.store.database import Connection


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a document, its sentences under the numbers by which they are cited."""

    title: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Last:
    """A person's last decision that stands, with what was hidden before it."""

    option: str
    decision: str
    ratio: str
    votes: tuple[Mapping[str, Any], ...]
    opinions: tuple[Opinion, ...]


def parts(document: Document, view: View) -> tuple[Part, ...]:
    """The sections that the item's reader sees."""
    numbered = iter(read_out(document, view).sentences)
    chosen = [document.sections[index] for index in view.sections]
    return tuple(Part(part.title, tuple(next(numbered) for _ in part.sentences)) for part in chosen)


def card(found: Card, rules: str) -> dict[str, Any]:
    """A card with the rules to decide by; what is to be hidden is not in it."""
    case = found.case
    numbers = set(case.ask.evidence.numbers)
    told = next(option for option in case.others if (option["replaces"] or option)["id"] == case.about)
    return {
        "name": case.name,
        "ask": case.ask,
        "document": case.document.name,
        "title": case.document.title,
        "sections": parts(case.document, case.item.seed.view),
        "evidence": numbers,
        "quotes": [one for one in case.reading.sentences if one.number in numbers],
        "source": case.ask.source.chosen(case.reading.masked),
        "open": found.open,
        "votes": told["votes"] if found.open else (),
        "opinions": case.opinions if found.open else (),
        "conflict": case.conflict,
        "proposals": case.proposals,
        "draft": found.draft,
        "rules": rules.split("\n\n"),
    }


def last(connection: Connection, desk: Desk, person: str) -> Last | None:
    """What a person said last; None where nothing stands."""
    place = cards.latest(connection, person)
    if place is None:
        return None
    row, answers = items.get(connection, place[0]), items.answers(connection, place[0])
    options = (so_far(desk.pipeline, state_of(desk.pipeline, row.seed, answers)) or {})["options"]
    told = next(option for option in options if (option["replaces"] or option)["id"] == place[1])
    opinions = standing(about_option(answers, place[1]))
    own = next(said for said in opinions if said.by == person)
    text = (told["replaces"] or told)["text"]
    others = tuple(said for said in opinions if said.by != person)
    return Last(text, own.decision, told["ratio"], told["votes"], others)


def figures(found: Progress) -> dict[str, Any]:
    """The figures that follow what others do."""
    total = found.decided + found.waiting
    alpha = found.alpha
    measured = f"alpha {alpha.value:.2f}" if alpha.value is not None else f"alpha undefined: {alpha.reason}"
    agreement = f"agreement on {found.alike} of {found.pairs}" if found.pairs else ""
    return {
        "decided": found.decided,
        "waiting": found.waiting,
        "total": total,
        "texts": {
            "decided": f"{found.decided} of {total} decided",
            "agreement": agreement,
            "summary": f"{found.decided} of {total} options decided, {found.waiting} wait. "
            + (
                f"Of options with several opinions, {agreement}; {measured}."
                if agreement
                else "None has several opinions."
            ),
        },
    }
