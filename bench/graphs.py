"""A graph of two million edges: what loading it into its file costs, and how soon it tells an entity's neighbours.

`chosen` is what the choice of facts asks for: the latest of each relation, and those with what the document names.

Run from the project's folder: `python -m bench.graphs` (`--json`, `--edges`, `--help`). Each step runs in a process of
its own, so that its memory is its own; the neighbours are asked for in a fresh one, which has read nothing before.
"""

import json
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from resource import RUSAGE_SELF, getrusage
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from bench.machine import machine, report

from benchwright.domain.knowledge import Entity, Fact, Record, Triple, form
from benchwright.kg.select import RELATION
from benchwright.store.graphs import GraphFile, build

EACH = 10  # edges for each entity
KINDS, RELATIONS, SOURCES = ("disease", "drug", "gene"), ("treats", "causes", "binds"), ("one", "two", "three")
ASKED = 2000
NAMED, WORDS = 300, 20_000  # entities that a document names, and runs of its words that may be names


def records(edges: int) -> Iterator[Record]:
    """A made-up graph in which few entities have many edges, as in real ones: the square of an even chance."""
    chance, entities = Random(7), edges // EACH  # noqa: S311 - made-up data
    for n in range(entities):
        yield Entity(f"e:{n}", f"entity {n}", KINDS[n % 3], (f"other name {n}",) if n % 3 == 0 else ())
    for n in range(edges):
        subject, object_ = int(entities * chance.random() ** 2), chance.randrange(entities)
        yield Triple(f"e:{subject}", RELATIONS[n % 3], f"e:{object_}", SOURCES[n % 3])


def load(path: Path, edges: int) -> dict[str, Any]:
    """Build the file; what that took."""
    wall, spent = perf_counter(), process_time()
    build(path, "synthetic", records(edges))
    megabytes = path.stat().st_size / 1e6
    return {"edges": edges, **took(wall, spent), "peak MB": peak(), "file MB": megabytes}


def ask(path: Path, edges: int) -> dict[str, Any]:
    """Open the file and ask for neighbourhoods all over it: seconds to the first, milliseconds for each."""
    wall = perf_counter()
    chance, entities = Random(11), edges // EACH  # noqa: S311 - made-up data
    # who has many edges is asked about often
    names = ["e:0", *(f"e:{int(entities * chance.random() ** 2)}" for _ in range(ASKED))]
    ends = [f"e:{chance.randrange(entities)}" for _ in range(NAMED)]
    with GraphFile(path) as graph:
        graph.facts("e:0", RELATION, ends)
        first = perf_counter() - wall
        chosen = asked("chosen", names, lambda name: graph.facts(name, RELATION, ends))
        everything = asked("all", names, graph.facts)
        start = perf_counter()
        found = graph.find_by_name(form(f"Entity {entities // 2}"))
        by_name = (perf_counter() - start) * 1000
        runs = [form(f"entity {n}" if n < NAMED else f"nothing {n}") for n in range(WORDS)]
        start = perf_counter()
        graph.find_by_forms(runs)
        text = (perf_counter() - start) * 1000
    assert len(found) == 1
    opened = {"asked": len(names), "opened + largest s": first}
    return {**opened, **chosen, **everything, "by name ms": by_name, "names of a text ms": text, "peak MB": peak()}


def asked(what: str, names: list[str], facts: Callable[[str], tuple[Fact, ...]]) -> dict[str, Any]:
    """Milliseconds for the facts of each entity, and for those of the first, which has the most."""
    sizes, walls, times = [], [], []
    for name in names:
        start, spent = perf_counter(), process_time()
        sizes.append(len(facts(name)))
        walls.append((perf_counter() - start) * 1000)
        times.append((process_time() - spent) * 1000)
    return {
        f"{what}: facts median": int(median(sizes)),
        f"{what}: median ms": median(walls),
        f"{what}: p99 CPU ms": quantiles(times, n=100)[98],
        f"{what}: facts most": max(sizes),
        f"{what}: hub CPU ms": times[0],
    }


def took(wall: float, spent: float) -> dict[str, float]:
    """Seconds since then, by the clock and of the processor."""
    return {"s": perf_counter() - wall, "CPU s": process_time() - spent}


def peak() -> float:
    """The most memory that this process ever held, in megabytes."""
    return getrusage(RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def apart(step: str, path: Path, edges: int) -> dict[str, Any]:
    """One step in a fresh process."""
    command = [sys.executable, "-m", "bench.graphs", "--step", step, "--file", str(path), "--edges", str(edges)]
    found: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603 - ourselves
    return found


def arguments() -> Namespace:
    """The command line."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--edges", type=int, default=2_000_000)
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--step", choices=("load", "ask"), help="for itself")
    parser.add_argument("--file", type=Path, help="for itself")
    return parser.parse_args()


def main() -> None:
    """Measure and print."""
    given = arguments()
    if given.step:
        sys.stdout.write(json.dumps({"load": load, "ask": ask}[given.step](given.file, given.edges)))
        return
    before = machine()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "synthetic.graph"
        loaded, asked = apart("load", path, given.edges), apart("ask", path, given.edges)
    report({"before": before, "loading": [loaded], "asking": [asked], "after": machine()}, as_json=given.json)


if __name__ == "__main__":
    main()
