"""A campaign on the engine and a file, in processes that are cheap to kill: each line on stdin forks one.

`python -m tests.e2e.engine FOLDER` prints the id of each process that it forks and, once that has ended, its exit code.
What a process pays for it notes in FOLDER/paid before the reply is there, and what the ledger acknowledged as durable
in FOLDER/done: both outside the queue, so that they can judge it.
"""

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

from tests.rig import Clock, rig
from tests.scripted_recall import answer, campaign

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model, Panel
from benchwright.domain.ids import seeded_random
from benchwright.engine.record import StoreRecord
from benchwright.llm.ledger import Departure, Ledger
from benchwright.llm.replies.repair import Repair
from benchwright.pipelines.choice.recall import Recall

WIDTH = 64
LATENCY = 0.4  # seconds: long enough that a slow machine has as many calls in flight too
POISON = "report 3 "  # where FOLDER/poison exists, a request about this report kills its process


def note(file: Path, line: str) -> None:
    """Append a line, whole even when this process is killed."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(handle, f"{line}\n".encode())
    os.close(handle)


class Paid:
    """The provider that takes the money."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def ask(self, request: Request) -> Reply:
        """Take the money, think, answer."""
        poisoned = (self.folder / "poison").exists()
        if poisoned and POISON in request.messages[1].content:
            os._exit(7)
        note(self.folder / "paid", request.id)
        await asyncio.sleep((LATENCY / 10 if poisoned else LATENCY) * (0.5 + seeded_random(request.id).random()))
        return Reply(answer(request))


class Acknowledged(StoreRecord):
    """The ledger's record, which notes what it has acknowledged."""

    folder: Path

    async def settle(self, request: Request, reply: Reply) -> None:
        """Note it once it is durable."""
        await super().settle(request, reply)
        note(self.folder / "done", request.id)


def pipeline() -> Recall:
    """One model of that width, which is the panel too."""
    model = Model("writer", "direct", "writer", "http://127.0.0.1:9/v1", width=WIDTH)
    return Recall.of(campaign({"writer": model}, Panel(("writer",), 3)), Path())


async def run(folder: Path) -> None:
    """Go on with the campaign to its end."""
    async with rig(pipeline(), reports=int((folder / "reports").read_text()), path=folder / "engine.db") as one:
        record = Acknowledged(one.database, Clock())
        record.folder = folder
        one.tools = replace(one.tools, llm=Repair(Ledger(Departure(Paid(folder), record), record)))
        await one.run()


def main(folder: Path) -> None:
    """Fork for each line."""
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            asyncio.run(run(folder))
            os._exit(0)
        print(child, flush=True)  # noqa: T201 - the caller reads it
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201 - this too


if __name__ == "__main__":
    main(Path(sys.argv[1]))
