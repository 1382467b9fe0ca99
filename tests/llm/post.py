"""A provider's batch API without a network: batches end after so many seconds of virtual time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests import clock

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Reply, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.errors import BenchwrightError, Transient
from benchwright.llm.batch.api import Outcome, Progress
from benchwright.llm.batch.batch import DAY


def yes(number: int, call: str) -> Outcome:
    return Reply(f"yes {number}", usage=Usage(1000, 1000))


@dataclass
class Post:
    """A provider that ends a batch `takes` seconds after it was handed in; calls raise what `troubles` holds."""

    takes: float = 100.0
    says: Callable[[int, str], Outcome | None] = yes
    troubles: dict[str, list[BenchwrightError]] = field(default_factory=dict)
    deaf: bool = False  # takes a batch although its sender hears of nothing
    trouble: BenchwrightError | None = None
    sent: list[tuple[float, list[str]]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    asked: dict[str, Request] = field(default_factory=dict)
    looks: list[float] = field(default_factory=list)
    closed: bool = False

    def fail(self, what: str) -> None:
        if self.troubles.get(what):
            raise self.troubles[what].pop(0)

    async def ready(self) -> None:
        self.fail("ready")

    async def submit(self, name: str, rows: Mapping[str, Request]) -> Progress:
        self.fail("submit")
        self.names[name] = f"batch_{len(self.sent)}"
        self.sent.append((clock.now(), list(rows)))
        self.asked.update(rows)
        if self.deaf:
            raise Transient("the connection failed")
        return self.progress(self.names[name])

    async def find(self, batch: OpenBatch) -> Progress | None:
        self.fail("find")
        return self.progress(self.names[batch.name]) if batch.name in self.names else None

    async def look(self, batch: OpenBatch) -> Progress:
        self.looks.append(clock.now())
        self.fail("look")
        return self.progress(batch.remote)

    def progress(self, remote: str) -> Progress:
        at, rows = self.sent[int(remote.removeprefix("batch_"))]
        gone = (clock.now() - at) / self.takes if self.takes else 1.0
        return Progress(remote, gone >= 1, min(len(rows), int(len(rows) * gone)), at + DAY, trouble=self.trouble)

    async def results(self, progress: Progress, rows: Mapping[str, Model]) -> dict[str, Outcome]:
        self.fail("results")
        said = {call: self.says(number, call) for number, call in enumerate(sorted(rows))}
        return {call: outcome for call, outcome in said.items() if outcome}

    async def aclose(self) -> None:
        self.closed = True
