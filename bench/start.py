"""How long a command takes to start: `--help`, and `status` on a campaign with 100,000 jobs, beside bare Python.

Run from the project's folder: `python -m bench.start` (`--json`, `--help`), with the Python of an environment that has
Benchwright installed. Commands run by turns, each a process of its own; the first, which compiles, is not counted.
"""

import asyncio
import os
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.filled import campaign
from bench.machine import machine, report

from benchwright.store.database import Database

Commands = dict[str, tuple[list[str], float | None]]  # what it is called -> the command, and its limit in seconds


def commands(file: Path) -> Commands:
    """What is measured: the installed command where there is one."""
    installed = Path(sys.executable).with_name("benchwright")
    own = [str(installed)] if installed.exists() else [sys.executable, "-m", "benchwright"]
    return {
        "python -c pass": ([sys.executable, "-c", "pass"], None),
        "python -c 'import asyncio'": ([sys.executable, "-c", "import asyncio"], None),
        "benchwright --help": ([*own, "--help"], 0.3),
        "benchwright status": ([*own, "status", str(file)], 0.5),
    }


def seconds(command: list[str]) -> float:
    """One run of a command, as whoever typed it sees it; bytecode is read and written as usual."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)  # noqa: S603 - our own
    return perf_counter() - began


async def fill(file: Path, jobs: int) -> None:
    """Make the campaign."""
    async with await Database.open(file, create=True) as database:
        await database.write(partial(campaign, jobs=jobs))


def measured(options: Namespace) -> dict[str, Any]:
    """Everything, in one run."""
    with TemporaryDirectory() as name:
        file = Path(name) / "bench.db"
        asyncio.run(fill(file, options.jobs))
        known = commands(file)
        found: dict[str, list[float]] = {what: [] for what in known}
        for command, _ in known.values():
            seconds(command)  # compiles, and warms the disk's cache
        for _ in range(options.times):
            for what, (command, _) in known.items():
                found[what].append(seconds(command))
    rows = [
        {"command": what, "best s": min(times), "median s": median(times), "limit s": known[what][1] or "-"}
        for what, times in found.items()
    ]
    return {"machine": machine(), f"start, a campaign with {options.jobs:,} jobs": rows}


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.start", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--times", type=int, default=15, help="how often each command runs")
    parser.add_argument("--jobs", type=int, default=100_000, help="how many jobs the campaign has")
    options = parser.parse_args()
    report(measured(options), as_json=options.json)


if __name__ == "__main__":
    main()
