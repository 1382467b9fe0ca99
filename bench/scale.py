"""At scale: claims, jobs through the whole engine, status, explain and export; and beside a bare loop on one stub.

Run from the project's folder: `python -m bench.scale` (`--json`, `--help`). Each part runs in a process of its own,
whose wall time, processor time and peak of memory are its own. `--jobs` is a million by default: an hour on a small
machine.
"""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench import jobs, pairs
from bench.machine import machine, report
from tests.e2e.machine import campaign
from tests.e2e.models import Models
from tests.stub import Raw, completion, digest, in_thread

from benchwright.domain.ids import seeded_random
from benchwright.engine.history import history
from benchwright.engine.status import status
from benchwright.export.stored import StoredSet
from benchwright.store import items
from benchwright.store.database import Connection
from benchwright.store.look import Look

LOOKS = 5  # times that a look is measured; the best counts
REPORTS, WIDE, LATENCY = 30, 16, 0.2  # documents, calls in flight, seconds of a call, beside a bare loop

LOOP = """
import asyncio, json, sys
import httpx2
url, count, wide, out = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
SCHEMA = {"type": "object", "properties": {"keep": {"type": "boolean"}}, "required": ["keep"]}
FORM = {"type": "json_schema", "json_schema": {"name": "loop", "schema": SCHEMA}}
async def main():
    places = asyncio.Semaphore(wide)
    async with httpx2.AsyncClient(timeout=60, limits=httpx2.Limits(max_connections=wide)) as client:
        with open(out, "a") as file:
            async def ask(n):
                async with places:
                    turns = [{"role": "user", "content": f"Question {n}: " + "word " * 600}]
                    body = {"model": "stub", "messages": turns, "response_format": FORM}
                    reply = await client.post(f"{url}/chat/completions", json=body)
                    file.write(json.dumps(reply.json()["choices"][0]["message"]["content"]) + "\\n")
            await asyncio.gather(*(ask(n) for n in range(count)))
asyncio.run(main())
"""


class Stubs(Models):
    """The models of the tests, which also know the question of the bare loop."""

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Answer after the same time."""
        if body["response_format"]["json_schema"]["name"] != "loop":
            return await super().work(body, sent)
        await asyncio.sleep(self.latency * seeded_random(digest(body)).random())
        return completion(body, '{"keep": true}')


@dataclass(frozen=True, slots=True)
class Spent:
    """What a process took: seconds by the clock and of the processor, and its peak of memory in MB."""

    wall: float
    cpu: float
    peak: float
    code: int


def spend(command: Sequence[str], kill: Callable[[], bool] | None = None) -> Spent:
    """Run a process to its end, or kill it (-9) once that holds."""
    began = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    while kill and not kill():
        time.sleep(0.005)
    if kill:
        process.send_signal(signal.SIGKILL)
    _, code, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(code)
    return Spent(time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode)


def ours(*words: object) -> list[str]:
    """A part of this program as a process."""
    return [sys.executable, "-m", "bench.scale", *map(str, words)]


def run_jobs(folder: Path, count: int) -> list[dict[str, Any]]:
    """So many jobs through planner, queue, ledger and store, with models that answer at once."""
    found = spend(ours("--folder", folder, "--jobs", count, "--part", "run"))
    said = json.loads((folder / "run.json").read_text("utf-8"))
    return [
        {
            "jobs": count,
            "jobs/s": said["pairs a second"],
            "CPU ms a job": said["CPU ms a pair"],
            "peak MB": found.peak,
            "bytes a job": said["bytes a pair"],
        }
    ]


def look(folder: Path, count: int) -> list[dict[str, Any]]:
    """Status and explain on that file, and its export as a stream."""
    made = pairs.pipeline()

    async def one(operation: Callable[[Connection], object]) -> float:
        began = time.perf_counter()
        async with await Look.at(folder / "bench.db") as database:
            await database.read(operation)
        return time.perf_counter() - began

    async def name() -> str:
        async with await Look.at(folder / "bench.db") as database:
            return await database.read(lambda connection: next(items.pages_of(connection, "pairs", "kept")).id)

    item = asyncio.run(name())
    reads: dict[str, Callable[[Connection], object]] = {
        "status": status,
        "explain": lambda connection: made.kind.story(seen(connection, item)),
    }
    rows = [
        {"what": what, "s": min(asyncio.run(one(read)) for _ in range(LOOKS)), "peak MB": ""}
        for what, read in reads.items()
    ]
    found = spend(ours("--folder", folder, "--jobs", count, "--part", "export"))
    return [*rows, {"what": f"export of {count:,} items", "s": found.wall, "peak MB": found.peak}]


def seen(connection: Connection, name: str) -> Any:
    """An item as its kind is told of it."""
    found = history(connection, name)
    made = pairs.pipeline()
    return StoredSet(connection, made.setup.campaign, made).item_as_seen(found.item)


async def export(folder: Path) -> None:
    """Write the set as a stream."""
    made = pairs.pipeline()
    async with await Look.at(folder / "bench.db") as database:
        await database.read(lambda c: pairs.write(StoredSet(c, made.setup.campaign, made), folder), seconds=36_000)


def beside(folder: Path) -> list[dict[str, Any]]:
    """The same number of calls by a bare loop and by a campaign, each killed at half and begun again."""
    with in_thread(Stubs(LATENCY)) as models:
        file = campaign(folder / "whole", models.url, reports=REPORTS, width=WIDE)
        run = [sys.executable, "-m", "benchwright", "run", str(file)]
        whole = spend(run)
        calls = len(models.traces)
        rows = [compare("benchwright", calls, whole, killed(models, run_again(folder, models), calls))]
        models.traces.clear()
        script = [sys.executable, "-c", LOOP, models.url, str(calls), str(WIDE)]
        loop = spend([*script, str(folder / "loop.jsonl")])
        rows.append(compare("bare asyncio loop", calls, loop, killed(models, [*script, str(folder / "b")], calls)))
    return rows


def run_again(folder: Path, models: Models) -> list[str]:
    """The command of a second campaign like the first."""
    file = campaign(folder / "killed", models.url, reports=REPORTS, width=WIDE)
    return [sys.executable, "-m", "benchwright", "run", str(file)]


def killed(models: Models, command: Sequence[str], calls: int) -> int:
    """How many requests came twice where the process was killed at half of them and begun again."""
    models.traces.clear()
    spend(command, kill=lambda: len(models.traces) >= calls // 2)
    spend(command)
    return len(models.traces) - len(set(models.traces))


def compare(name: str, calls: int, spent: Spent, repeats: int) -> dict[str, Any]:
    """One line of the comparison."""
    return {
        "what": name,
        "calls": calls,
        "s": spent.wall,
        "CPU ms a call": 1000 * spent.cpu / calls,
        "peak MB": spent.peak,
        "asked again after a kill at half": repeats,
    }


def measured(options: Namespace) -> dict[str, Any]:
    """Every part, or the one that is wanted."""
    found: dict[str, Any] = {"machine": machine()}
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        if options.part in ("", "claims"):
            found["claims, in ms"] = asyncio.run(jobs.claims(folder, options.times, full=False))
        if options.part in ("", "jobs"):
            found["jobs through the engine, models that answer at once"] = run_jobs(folder, options.jobs)
            found["looks at that campaign"] = look(folder, options.jobs)
        if options.part in ("", "beside"):
            found[f"on one stub, {WIDE} calls at a time of {LATENCY} s at most"] = beside(folder)
    return found


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--jobs", type=int, default=1_000_000, help="how many jobs go through the engine")
    parser.add_argument("--times", type=int, default=50, help="how often a claim is timed")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    parser.add_argument("--part", default="", help="claims, jobs or beside; all of them by default")
    options = parser.parse_args()
    if options.part == "run":
        (options.folder / "run.json").write_text(json.dumps(asyncio.run(pairs.measure(options.folder, options.jobs))))
    elif options.part == "export":
        asyncio.run(export(options.folder))
    else:
        report(measured(options), as_json=options.json)


if __name__ == "__main__":
    main()
