"""An item: one unit in the making. It begins as a seed and ends with a verdict; between them stand only answers."""

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any

from benchwright.domain.document import View
from benchwright.domain.ids import content_id
from benchwright.domain.source import About, Sources, about_json, view_of


class ItemState(StrEnum):
    """Where an item stands. `waiting` means that only people owe it something."""

    OPEN = "open"
    WAITING = "waiting"
    KEPT = "kept"
    DISCARDED = "discarded"


@dataclass(frozen=True, slots=True)
class Seed:
    """How an item begins: its place in the campaign (phase, slot, and which try at it), what it is about.

    `body` holds the pipeline's own wishes as canonical JSON, for instance the order of preferred topics.
    """

    slot: int
    attempt: int
    about: About
    body: str = "{}"
    phase: str = ""

    @property
    def view(self) -> View:
        """The one view that the item is about; raises `ValueError` for kinds that have none."""
        return view_of(self.about)

    @property
    def id(self) -> str:
        """The item's name."""
        return name_of(self)

    @property
    def as_json(self) -> dict[str, Any]:
        """The seed as JSON values; the phase of a pipeline that has one only is not mentioned."""
        phase = {"phase": self.phase} if self.phase else {}
        return {"slot": self.slot, "attempt": self.attempt, **about_json(self.about), "body": self.body, **phase}


@lru_cache(maxsize=4096)  # an item is named many times at each of its answers
def name_of(seed: Seed) -> str:
    """The name of the item that begins so."""
    return content_id("item", seed.as_json)


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of an item: kept with its final form, or discarded for a reason (`cause` is short and countable).

    `body` is of its kind's own type, and JSON values for the store.
    """

    state: ItemState
    cause: str
    detail: str = ""
    body: Any | None = None


def kept_ending(cause: str, body: Any) -> Ending:
    """An item that belongs to the set."""
    return Ending(ItemState.KEPT, cause, "", body)


def discarded_ending(cause: str, detail: str = "", body: Any | None = None) -> Ending:
    """An item that does not."""
    return Ending(ItemState.DISCARDED, cause, detail, body)


@dataclass(frozen=True, slots=True)
class Progress:
    """What `admit` may know of the campaign: the count of slots begun, the discarded tries, the room for new items.

    `discarded` are the (slot, attempt) whose next try has not begun; `room` is how many items may begin now. All of it
    is about the `phase` that items begin in. `corpus` are the documents and records, for a phase that draws on them
    beside the items of the phase before.
    """

    begun: int
    discarded: tuple[tuple[int, int], ...]
    room: int
    phase: str = ""
    corpus: Sources = ()
