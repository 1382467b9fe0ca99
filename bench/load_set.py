"""Loads an exported set with the real library `datasets`, as its users do.

Run from the project's folder: `python -m bench.load_set`. It needs `pip install datasets` beside Benchwright (400 MB,
so no test does it). The set is hostile to libraries that infer
types: nothing but the last item has a decision of a person, a measured difficulty or facts of a graph, and all before
it is longer than the 10 MB by which they infer.
"""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests import bodies
from tests.contracts.export import CAMPAIGN, InMemory, kept

from benchwright.export.folder import write
from benchwright.export.manifest import Made
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Kept

ITEMS, FILLER = 1200, "A sentence that fills the context of this item. " * 40


def late() -> Iterator[Kept]:
    """Items of which only the last ones have what makes types differ."""
    for slot in range(ITEMS):
        yield bare(slot)
    yield bodies.kept(bodies.inference(), bodies.facts())
    yield kept("decided late", ITEMS)


def bare(slot: int) -> Kept:
    """An item about which nobody decided anything, with no correct option."""
    one = kept(FILLER, slot)
    body: Any = one.item.body
    options = [replace(option, label="distractor", decisions=(), votes=()) for option in body.options]
    evidence = replace(body.question, evidence=())
    changed = replace(body, options=tuple(options), question=evidence)
    return replace(one, item=replace(one.item, body=changed))


def main() -> None:
    """Write the set, load all its tables, and say what they are."""
    datasets = import_module("datasets")
    datasets.disable_progress_bars()
    form = CHOICE.formats["jsonl"]
    with TemporaryDirectory() as room:
        folder = Path(room, "set")
        made = Made(CAMPAIGN, "x.toml", {}, {}, (), "0")
        for path in write(folder, InMemory(late), form, CHOICE.report(CAMPAIGN), made):
            print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")
        print("tables:", datasets.get_dataset_config_names(str(folder)))
        default = datasets.load_dataset(str(folder), cache_dir=f"{room}/cache")
        print("load_dataset(folder):", default)
        for table in form.subsets:
            found = datasets.load_dataset(str(folder), table.name, split="test", cache_dir=f"{room}/cache")
            assert list(found.features) == list(table.columns), found.features
            print(f"{table.name}: {len(found)} rows; {found.features}")
        last = datasets.load_dataset(str(folder), "provenance", split="test", cache_dir=f"{room}/cache")[-1]
        print("the last decision:", last["options"][0]["decisions"])


if __name__ == "__main__":
    main()
