"""Near-duplicate questions across items: of two, the one whose try comes later falls, whenever each was written.

An item's order is (attempt, slot). The finding is an answer like any other, given by code, so `plan` sees it; it does
not depend on what became of the earlier item, so the same items fall in every run.
"""

import json
from dataclasses import dataclass

from benchwright.corpus.near import Near
from benchwright.domain.answer import Answer
from benchwright.domain.ids import canonical
from benchwright.store import items, jobs
from benchwright.store.database import Connection

STEP = "near_duplicate"
Order = tuple[int, int]  # attempt, slot


@dataclass(frozen=True, slots=True)
class Place:
    """An item with a question."""

    seq: int
    id: str
    order: Order


class Duplicates:
    """All questions of a campaign, to be asked for near-duplicates of a new one. Lives in the writer's thread."""

    def __init__(self, step: str, plan: jobs.Planner) -> None:
        self._step = step
        self._plan = plan
        self._near = Near()
        self._places: dict[str, Place] = {}

    def load(self, connection: Connection, now: str) -> None:
        """Take in the questions on record, and mark what an interrupted run may have left unmarked."""
        for seq, name, order, body in items.answers_of_step(connection, self._step):
            self.add(connection, Place(seq, name, order), Answer(self._step, "", "", body), now)

    def add(self, connection: Connection, place: Place, answer: Answer, now: str) -> None:
        """Take in a question and mark the later item of each pair of near-duplicates.

        May be called again with the same: a transaction that was undone is repeated.
        """
        if answer.step != self._step or answer.failure:
            return
        text = json.loads(answer.body)["question"]
        if not text:  # its writer found none to ask
            return
        for other in (self._places[name] for name in self._near.similar(text) if name != place.id):
            earlier, later = sorted((place, other), key=lambda one: one.order)
            found = Answer(STEP, "", "code", canonical({"of": earlier.id}))
            jobs.decide(connection, later.seq, "", found, self._plan, now)
        if place.id not in self._places:
            self._near.add(place.id, text)
            self._places[place.id] = place
