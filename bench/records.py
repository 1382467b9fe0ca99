"""A campaign over the records of one JSONL file: peak memory, time, and the time of `status`, at two sizes.

Run from the project's folder: `python -m bench.records` (`--json`, `--help`). Each size runs in a process of its own:
records are taken in, begin as items of one call each, and end with a scripted model in the same process, all on disk.
"""

import asyncio
import json
import resource
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.machine import machine, report
from tests.phased.pipeline import QUERIES, Pairs, campaign
from tests.phased.rig import phased, write_records

from benchwright.engine.status import status
from benchwright.store.database import Database

WIDTH = 64


def peak() -> float:
    """The most memory that this process has had so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def played(records: int, folder: Path) -> dict[str, float]:
    """One campaign, from its file of records to its end."""
    write_records(folder, records)
    began = perf_counter()
    async with phased(Pairs(campaign(width=WIDTH), phases=(QUERIES,)), folder, path=folder / "bench.db") as one:
        one.paid.history = Forgetful()
        taken = perf_counter()
        at_intake = peak()
        await one.run()
        ended = perf_counter()
        found = await one.database.read(status)
        if found.items != {"kept": records}:
            sys.exit(f"not all items were kept: {found.items}")
    return {"intake s": taken - began, "intake MB": at_intake, "run s": ended - taken, "peak MB": peak()}


class Forgetful(list[Any]):
    """A history that keeps nothing: what a scripted model was asked would fill the memory."""

    def append(self, _: object, /) -> None:
        """Forget it."""


def status_seconds(file: Path) -> tuple[float, float]:
    """How long the command takes by the clock, and how much of a core, the start of Python included."""
    command = [sys.executable, "-m", "benchwright", "status", str(file)]
    began, before = perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return perf_counter() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


async def query_seconds(file: Path) -> float:
    """How long reading the status takes in an open database."""
    async with await Database.open(file) as database:
        began = perf_counter()
        await database.read(status)
        return perf_counter() - began


def measured(options: Namespace) -> dict[str, Any]:
    """Every size, each in a process of its own."""
    rows = []
    for records in options.records:
        with TemporaryDirectory(dir=options.folder) as folder:
            command = [sys.executable, "-m", "bench.records", "--play", folder, "--records", str(records)]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own
            file = Path(folder) / "bench.db"
            clock, core = min(status_seconds(file) for _ in range(3))
            query = 1000 * asyncio.run(query_seconds(file))
            sizes = {
                "status s": clock,
                "of a core": core,
                "its query ms": query,
                "file MB": file.stat().st_size / 2**20,
            }
            rows.append({"records": records} | json.loads(said.stdout) | sizes)
    return {"machine": machine(), "a campaign of one call a record": rows}


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.records", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000], help="how many records, by size")
    parser.add_argument("--folder", type=Path, help="a folder on the disk to measure")
    parser.add_argument("--play", type=Path, help="play one size in this folder and print its figures")
    options = parser.parse_args()
    if options.play:
        sys.stdout.write(json.dumps(asyncio.run(played(options.records[0], options.play))))
        return
    report(measured(options), as_json=options.json)


if __name__ == "__main__":
    main()
