"""What stopping early saves on the released votes of EpiQAL, subsets A and B: in votes, and in calls.

A call asks one checker, in one run, about all options of a sheet that are still open. So a call is saved only where all
options of its sheet are settled before it, while a vote is saved with each option that is.

    python -m bench.votes ../shared/data/epiqal/votes.jsonl.gz
"""

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

from benchwright.domain.ids import seeded_shuffle
from benchwright.domain.vote import Rule, Tally, Vote, certain_route, route, tally
from benchwright.domain.waves import CALLS, FRUGAL, Waves, size

CHECKERS, RUNS = ("GLM-4.5-Air", "deepseek-reasoner", "gpt-5-mini"), 3
TURNS = len(CHECKERS) * RUNS
RULES = {"5/9, 6/9": Rule(Fraction(6, 9), Fraction(5, 9)), "0.7, 0.8": Rule(Fraction(4, 5), Fraction(7, 10))}
WAVES: Mapping[str, Waves] = {"runs": RUNS, "4": 4, "calls": CALLS, "frugal": FRUGAL, "9": TURNS}
KNOWN = "tally_aligned"  # stands where the data have the single verdicts, not only their sum

Row = dict[str, Any]
Votes = tuple[Vote, ...]  # on one option, in the order of turns
Sheet = tuple[Votes, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """The votes and calls that were asked for, of all there are."""

    votes: int = 0
    calls: int = 0
    all_votes: int = 0
    all_calls: int = 0
    waves: int = 0
    sheets: int = 1

    def __add__(self, other: "Saved") -> "Saved":
        return Saved(
            self.votes + other.votes,
            self.calls + other.calls,
            self.all_votes + other.all_votes,
            self.all_calls + other.all_calls,
            self.waves + other.waves,
            self.sheets + other.sheets,
        )

    @property
    def shares(self) -> tuple[float, float]:
        """The shares saved, of votes and of calls, in per cent."""
        return 100 * (1 - self.votes / self.all_votes), 100 * (1 - self.calls / self.all_calls)


def read_items(path: Path) -> dict[tuple[str, str], list[Row]]:
    """The options of each item of each subset."""
    items = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if not row.get("stray_key"):
                items[row["subset"], row["item"]].append(row)
    return dict(items)


def votes_of(row: Row, order: Sequence[str]) -> Votes:
    """The votes on an option, run by run in this order; where only their sum is known, in a seeded random order."""
    if KNOWN not in row:
        count = row["tally_merged"]
        return tuple(seeded_shuffle([Vote("", f"m#{n}", n < count) for n in range(TURNS)], row["item"], row["text"]))
    said = ((name, run, row["votes"][name][run]) for run in range(RUNS) for name in order)
    return tuple(Vote("", f"{name}#{run}", None if keep is None else bool(keep)) for name, run, keep in said)


def poll(sheet: Sheet, rule: Rule, waves: Waves) -> Saved:
    """What a sheet takes: waves of turns about what is still open, until all is settled as all votes settle it."""
    before = votes = calls = asked = 0
    while still := [one for one in sheet if certain_route(tally(one[:before]), TURNS - before, rule) is None]:
        more = size(waves, before, TURNS, [tally(one[:before]) for one in still], rule)
        votes, calls, before, asked = votes + more * len(still), calls + more, before + more, asked + 1
    for one in sheet:
        if certain_route(tally(one[:before]), TURNS - before, rule) is not route(tally(one), rule):
            raise AssertionError("a route has changed")
    return Saved(votes, calls, TURNS * len(sheet), TURNS, asked)


def best_case(sheet: Sheet, rule: Rule) -> Saved:
    """The same if the votes came in the order that settles each option soonest, which nobody knows beforehand."""
    turns = [next((n for n in range(TURNS) if could_settle(one, n, rule)), TURNS) for one in sheet]
    return Saved(sum(turns), max(turns), TURNS * len(sheet), TURNS)


def could_settle(votes: Votes, number: int, rule: Rule) -> bool:
    """Whether so many of the votes, well chosen, settle the route."""
    cast = [vote.keep for vote in votes if vote.keep is not None]
    keeps, noes = sum(cast), len(cast) - sum(cast)
    chosen = ((k, n) for k in range(min(keeps, number) + 1) for n in [number - k] if n <= noes)
    return any(certain_route(Tally(k, k + n), TURNS - number, rule) is not None for k, n in chosen)


def total(parts: Iterable[Saved]) -> Saved:
    """Their sum."""
    return sum(parts, Saved(sheets=0))


def rates(items: Mapping[tuple[str, str], Sequence[Row]]) -> dict[str, float]:
    """How often each checker says keep: the lower, the stricter."""
    said: dict[str, list[int]] = {name: [] for name in CHECKERS}
    for row in (row for rows in items.values() for row in rows if KNOWN in row):
        for name in CHECKERS:
            said[name] += [keep for keep in row["votes"][name] if keep is not None]
    return {name: sum(keeps) / len(keeps) for name, keeps in said.items()}


def measure(items: Mapping[tuple[str, str], Sequence[Row]]) -> Iterator[tuple[str, ...]]:
    """Rows of a table: by subset and thresholds, what each way saves."""
    strict = sorted(CHECKERS, key=rates(items).__getitem__)
    for subset in ("A", "B"):
        some = {key: rows for key, rows in items.items() if key[0] == subset}
        for name, rule in RULES.items():
            whole = [tuple(votes_of(row, strict) for row in rows) for rows in some.values()]
            for waves, setting in WAVES.items():
                yield line(subset, name, f"waves {waves}", total(poll(sheet, rule, setting) for sheet in whole))
            split = [[one] for sheet in whole for one in sheet]
            single = total(poll(tuple(sheet), rule, FRUGAL) for sheet in split)
            beside = replace(single, all_calls=TURNS * len(whole))
            yield line(subset, name, "a sheet for each option, frugal", beside)
            for order in permutations(CHECKERS):
                sheets = (tuple(votes_of(row, order) for row in rows) for rows in some.values())
                found = total(poll(sheet, rule, FRUGAL) for sheet in sheets)
                yield line(subset, name, f"frugal, {' > '.join(name[:8] for name in order)}", found)
            yield line(subset, name, "at best, in hindsight", total(best_case(sheet, rule) for sheet in whole))


def line(subset: str, rule: str, way: str, found: Saved) -> tuple[str, ...]:
    """A row: what is saved, in per cent."""
    votes, calls = found.shares
    waves = f"{found.waves / found.sheets:.1f}" if found.waves else ""
    return subset, rule, way, f"{votes:.1f}", f"{calls:.1f}", waves


def main() -> None:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("votes", type=Path, help="votes.jsonl.gz")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = list(measure(read_items(options.votes)))
    if options.json:
        json.dump(rows, sys.stdout, indent=2)
        return
    print(f"{'set':4}{'thresholds':12}{'way':44}{'votes saved %':>14}{'calls saved %':>14}{'waves':>8}")
    for subset, rule, way, votes, calls, waves in rows:
        print(f"{subset:4}{rule:12}{way:44}{votes:>14}{calls:>14}{waves:>8}")


if __name__ == "__main__":
    main()
