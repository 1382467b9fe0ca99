"""What the batches of `batch.py` need of a provider, and of whoever keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BenchwrightError

Outcome = Reply | BenchwrightError


@dataclass(frozen=True, slots=True)
class Progress:
    """What a provider says of a batch.

    `files` hold its results; `expires` is when it gives up what it has not done, in seconds since the epoch, if it says
    so; `trouble` is why requests have no reply, where that is known.
    """

    remote: str
    ended: bool = False
    done: int = 0
    expires: float | None = None
    files: tuple[str, ...] = ()
    trouble: BenchwrightError | None = None


class Service(Protocol):
    """A provider's batch API. Each method raises what a call raises."""

    async def ready(self) -> None:
        """Raises what would stop every batch; costs nothing."""
        ...

    async def submit(self, name: str, rows: Mapping[str, Request]) -> Progress:
        """Hand in a batch under our name; after a `Transient` the provider may have it all the same."""
        ...

    async def find(self, batch: OpenBatch) -> Progress | None:
        """A batch that may have been handed in; None where it was not, `Transient` while that cannot be told."""
        ...

    async def look(self, batch: OpenBatch) -> Progress:
        """How far a batch has got."""
        ...

    async def results(self, progress: Progress, rows: Mapping[str, Model]) -> Mapping[str, Outcome]:
        """What became of the calls of a batch that has ended, each with its model; silent where the provider is."""
        ...

    async def aclose(self) -> None:
        """Close the connections."""
        ...


class Shelf(Protocol):
    """Where batches are kept; each method returns when what it wrote is durable."""

    async def open_batches(self) -> list[OpenBatch]:
        """The batches that their providers hold, or may hold."""
        ...

    async def prepare(self, batch: OpenBatch, rows: Mapping[str, Request]) -> None:
        """The batch is about to leave, with these requests by their ids: from now on they may be paid for."""
        ...

    async def submit(self, batch: OpenBatch) -> None:
        """The provider has it: `remote` is known."""
        ...

    async def progress(self, name: str, done: int) -> None:
        """It has got so far."""
        ...

    async def collect(self, name: str, outcomes: Mapping[str, Outcome]) -> None:
        """What came of each of its calls, whoever waits for it."""
        ...

    async def lose(self, name: str, reason: str) -> None:
        """Nothing more comes of it, nor of the calls that it took along."""
        ...
