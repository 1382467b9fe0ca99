"""The queue: claim + complete a second with group commit and without, and claiming among a million open jobs.

Run from the project's folder: `python -m bench.jobs` (`--json`, `--full`, `--help`). On the product's own store, with
`synchronous=FULL`; what is compared takes turns within one run.
"""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, time
from typing import Any

from bench.filled import AT, QUEUE, add_answers, add_items, add_jobs, answer
from bench.machine import machine, report

from benchwright.agents.choice.check_option import agent as asked
from benchwright.domain.answer import Answer
from benchwright.domain.item import Ending, Seed, discarded_ending
from benchwright.engine.plans import Plans
from benchwright.pipelines.base import Due
from benchwright.store import jobs
from benchwright.store.database import Connection, Database, Rank
from benchwright.store.jobs import Ticket

STEPS = 4  # answers that an item takes, one after the other
EACH = 4  # ready tickets of an item where many are open
LEASE = 3600.0
ITEMS = 20_000  # more than any run gets through


class Steps:
    """One thing after another, then the end."""

    def begin(self, _: Seed) -> int:
        """Nothing is answered yet."""
        return 0

    def fold(self, answered: int, _: Answer) -> int:
        """One more."""
        return answered + 1

    def plan(self, answered: int) -> Sequence[Due] | Ending:
        """The next one."""
        return discarded_ending("done") if answered >= STEPS else [Due(asked, None, QUEUE, str(answered))]


def begin(connection: Connection, plans: Plans) -> None:
    """Items with their first ticket, all of them known, as those that a run has just admitted."""
    add_items(connection, ITEMS)
    for seq in range(1, ITEMS + 1):
        plans.advance(connection, seq)


async def claim(database: Database, most: int) -> list[Ticket]:
    """Claim as the engine does."""
    return await database.write(lambda connection: jobs.claim(connection, QUEUE, most, time(), LEASE), Rank.CLAIM)


async def complete(database: Database, plans: Plans, ticket: Ticket) -> None:
    """Complete as the engine does."""
    said = answer(ticket.key)
    await database.write(lambda connection: plans.complete(connection, ticket, said, AT), Rank.PAID)


@dataclass(slots=True)
class Run:
    """One measured run: so many callers until the time is over."""

    database: Database
    callers: int
    end: float
    plans: Plans
    done: int = 0
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def alone(self) -> None:
        """Every caller claims one ticket and completes it, again and again."""
        async with asyncio.TaskGroup() as group:
            for _ in range(self.callers):
                group.create_task(self.caller())

    async def caller(self) -> None:
        """One caller."""
        while perf_counter() < self.end:
            for ticket in await claim(self.database, 1):
                await complete(self.database, self.plans, ticket)
                self.done += 1

    async def batched(self) -> None:
        """One runner claims for all callers that are free, as the engine does."""
        busy: set[asyncio.Task[None]] = set()

        def forget(task: asyncio.Task[None]) -> None:
            busy.discard(task)
            self.changed.set()

        async with asyncio.TaskGroup() as group:
            while perf_counter() < self.end:
                self.changed.clear()
                for ticket in await claim(self.database, self.callers - len(busy)):
                    task = group.create_task(self.serve(ticket))
                    busy.add(task)
                    task.add_done_callback(forget)
                await self.changed.wait()

    async def serve(self, ticket: Ticket) -> None:
        """Complete one ticket."""
        await complete(self.database, self.plans, ticket)
        self.done += 1


WAYS: dict[str, Callable[[Run], Awaitable[None]]] = {"one each": Run.alone, "for all": Run.batched}


async def cycles(file: Path, way: str, callers: int, seconds: float) -> tuple[float, float]:
    """Claim + complete a second, and microseconds of CPU for each."""
    async with await Database.open(file, create=True) as database:
        steps: Any = Steps()
        plans = Plans(steps, ITEMS)
        database.undone.append(plans.forget)
        await database.write(partial(begin, plans=plans))
        wall, used = perf_counter(), process_time()
        run = Run(database, callers, wall + seconds, plans)
        await WAYS[way](run)
        wall, used = perf_counter() - wall, process_time() - used
    for left in file.parent.glob(f"{file.name}*"):
        left.unlink()
    return run.done / wall, 1e6 * used / run.done


async def throughput(folder: Path, rounds: int, seconds: float) -> list[dict[str, Any]]:
    """Every kind takes its turn in each round."""
    kinds = [("one each", 1), ("one each", 64), ("one each", 256), ("one each", 1024), ("for all", 256)]
    names = count()
    found: dict[tuple[str, int], list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for way, callers in kinds:
            found[way, callers].append(await cycles(folder / f"{next(names)}.db", way, callers, seconds))
    base = median(rate for rate, _ in found[kinds[0]])
    return [
        {
            "callers": callers,
            "claims": way,
            "claim+complete/s": median(rate for rate, _ in runs),
            "best": max(rate for rate, _ in runs),
            "times one": median(rate for rate, _ in runs) / base,
            "CPU us each": median(used for _, used in runs),
        }
        for (way, callers), runs in found.items()
    ]


async def opened(folder: Path, open_jobs: int, states: Sequence[str]) -> Database:
    """A file with so many ready jobs, and as many of each other state."""
    database = await Database.open(folder / f"{open_jobs}.db", create=True)

    def fill(connection: Connection) -> None:
        add_items(connection, open_jobs // EACH)
        add_jobs(connection, states, EACH, time() + 1e6)
        add_answers(connection)

    await database.write(fill)
    return database


def timed_claim(connection: Connection, most: int) -> float:
    """Milliseconds of one claim within its transaction."""
    began = perf_counter()
    tickets = jobs.claim(connection, QUEUE, most, time(), LEASE)
    spent = perf_counter() - began
    assert len(tickets) == most
    return 1e3 * spent


async def latency(database: Database, most: int) -> tuple[float, float]:
    """Milliseconds of one claim, and of the claim with its commit; the tickets are given back afterwards."""
    began = perf_counter()
    inside = await database.write(partial(timed_claim, most=most), Rank.CLAIM)
    whole = 1e3 * (perf_counter() - began)
    await database.write(jobs.hand_back)
    return inside, whole


async def claims(folder: Path, times: int, *, full: bool) -> list[dict[str, Any]]:
    """Claims at a thousand and at a million ready jobs, by turns."""
    few, many = 1_000, 1_000_000
    async with AsyncExitStack() as stack:
        states = ("ready", "delayed", "done") if full else ("ready",)
        files = {n: await stack.enter_async_context(await opened(folder, n, states)) for n in (few, many)}
        rows = []
        for most in (1, 64):
            found: dict[int, list[tuple[float, float]]] = {few: [], many: []}
            for _ in range(times):
                for n, database in files.items():
                    found[n].append(await latency(database, most))
            rows += [
                row(most, part, {n: [one[place] for one in all_] for n, all_ in found.items()})
                for place, part in enumerate(("claim", "claim + commit"))
            ]
    return rows


def row(most: int, part: str, spent: dict[int, list[float]]) -> dict[str, Any]:
    """Both files side by side, in milliseconds."""
    small, large = spent.values()
    return {
        "tickets": most,
        "what": part,
        "p50 at 1k": median(small),
        "p50 at 1M": median(large),
        "ratio": median(large) / median(small),
        "p99 at 1k": quantiles(small, n=100)[98],
        "p99 at 1M": quantiles(large, n=100)[98],
    }


async def measured(options: Namespace) -> dict[str, Any]:
    """Everything, in one run."""
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        before = machine()
        beside = ", with as many delayed and done" if options.full else ""
        rates = await throughput(folder, options.rounds, options.seconds)
        waits = await claims(folder, options.times, full=options.full)
    return {
        "machine": before,
        "claim + complete, group commit, synchronous=FULL": rates,
        f"claiming among ready jobs{beside}, ms": waits,
        "load afterwards": {"load": machine()["load"]},
    }


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.jobs", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--full", action="store_true", help="a million delayed and a million done jobs as well")
    parser.add_argument("--rounds", type=int, default=3, help="how often each kind takes its turn")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long each turn lasts")
    parser.add_argument("--times", type=int, default=300, help="how many claims of each size")
    parser.add_argument("--folder", type=Path, help="where the files go: on the disk that is to be measured")
    options = parser.parse_args()
    report(asyncio.run(measured(options)), as_json=options.json)


if __name__ == "__main__":
    main()
