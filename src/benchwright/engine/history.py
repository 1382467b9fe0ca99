"""The whole history of one item, from the sentences of its document to its line in the export."""

from dataclasses import asdict, dataclass
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.document import Document, Reading, View
from benchwright.domain.item import Seed
from benchwright.store import calls, items, sources
from benchwright.store.database import Connection


@dataclass(frozen=True, slots=True)
class Said:
    """One answer with the call that paid for it: its prompt, raw reply, tokens, cost. Failed answers have none."""

    answer: Answer
    call: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class History:
    """An item, its document as its roles see it, and all that was said about it, first to last."""

    item: items.Row
    document: Document
    reading: Reading
    said: tuple[Said, ...]

    @property
    def cost(self) -> float | None:
        """US dollars for the calls that count; None where some call has no known price."""
        costs = [said.call["cost"] for said in self.said if said.call]
        return None if None in costs else sum(costs)

    def json(self) -> dict[str, Any]:
        """The history as JSON values."""
        document = {key: getattr(self.document, key) for key in ("id", "name", "title", "doi", "licence", "language")}
        return {
            "item": asdict(self.item) | {"seed": seed_json(self.item.seed)},
            "document": document | {"input_text": self.reading.text},
            "said": [asdict(said.answer) | {"body": said.answer.value, "call": said.call} for said in self.said],
            "cost": self.cost,
        }


def seed_json(seed: Seed) -> dict[str, Any]:
    """A seed as JSON values, with what its view masks also where that is nothing."""
    return seed.as_json | ({"view": asdict(seed.about)} if isinstance(seed.about, View) else {})


def history(connection: Connection, prefix: str) -> History:
    """The history of the item whose id begins with `prefix`; needs no network and no model."""
    row = items.find(connection, prefix)
    document, reading = sources.of_item(connection, row.seed.about)
    answers = items.answers(connection, row.seq)
    said = tuple(Said(answer, calls.get(connection, answer.call) if answer.call else None) for answer in answers)
    return History(row, document, reading, said)
