"""The whole history of one item, from the sentences of its document to its line in the export."""

from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any

from benchwright.domain.answer import Answer
from benchwright.domain.document import Document, Reading, View
from benchwright.domain.item import Seed
from benchwright.store import calls, items, sources
from benchwright.store.database import Connection

Call = dict[str, Any]  # an entry of the ledger


@dataclass(frozen=True, slots=True)
class Said:
    """One answer with the call that paid for it: its prompt, raw reply, tokens, cost.

    `others` are the further calls of the same question, whose replies could not be used; a failed answer has only such.
    """

    answer: Answer
    call: Call | None
    others: tuple[Call, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """All calls of the question, in the order in which they left but for the one that answered it."""
        return (*self.others, *([self.call] if self.call else []))


@dataclass(frozen=True, slots=True)
class History:
    """An item, its document as its roles see it, and all that was said about it, first to last.

    `unanswered` are calls that have led to no answer yet: under way, in doubt, or lost.
    """

    item: items.Row
    document: Document
    reading: Reading
    said: tuple[Said, ...]
    unanswered: tuple[Call, ...] = ()

    @property
    def calls(self) -> tuple[Call, ...]:
        """Every call that the item took, each once."""
        every = (*chain.from_iterable(said.calls for said in self.said), *self.unanswered)
        return tuple({call.get("id", number): call for number, call in enumerate(every)}.values())

    @property
    def cost(self) -> float | None:
        """US dollars for the calls that brought a reply; None where one of them has no known price."""
        costs = [call["cost"] for call in self.calls if call.get("state", "done") == "done"]
        return None if None in costs else sum(costs)

    def json(self) -> dict[str, Any]:
        """The history as JSON values."""
        document = {key: getattr(self.document, key) for key in ("id", "name", "title", "doi", "licence", "language")}
        return {
            "item": asdict(self.item) | {"seed": seed_json(self.item.seed)},
            "document": document | {"input_text": self.reading.text},
            "said": [
                asdict(one.answer) | {"body": one.answer.value, "call": one.call, "others": one.others}
                for one in self.said
            ],
            "unanswered": self.unanswered,
            "calls": len(self.calls),
            "cost": self.cost,
        }


def seed_json(seed: Seed) -> dict[str, Any]:
    """A seed as JSON values, with what its view masks also where that is nothing."""
    return seed.as_json | ({"view": asdict(seed.about)} if isinstance(seed.about, View) else {})


def history(connection: Connection, prefix: str) -> History:
    """The history of the item whose id begins with `prefix`; needs no network and no model."""
    row = items.find(connection, prefix)
    document, reading = sources.of_item(connection, row.seed.about)
    asked = calls.of_item(connection, row.seq)
    question_of = {call["id"]: question for question, made in asked.items() for call in made}
    said = []
    for answer in items.answers(connection, row.seq):
        made = asked.get(question_of.get(answer.call or "", ""), ())
        used = next((call for call in made if call["id"] == answer.call and not answer.failure), None)
        said.append(Said(answer, used, tuple(call for call in made if call is not used)))
    answered = {call["id"] for one in said for call in one.calls}
    rest = tuple(call for made in asked.values() for call in made if call["id"] not in answered)
    return History(row, document, reading, tuple(said), rest)
