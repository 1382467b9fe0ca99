"""How hard an item is and what was done for it, drawn: all versions of its stem, and the rounds between them."""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from rich.text import Text

from benchwright.pipelines.choice.refine import REWRITTEN
from benchwright.show.text import counted, plain


def refinement(told: Mapping[str, Any]) -> list[Text]:
    """The whole of it; numbers of versions and rounds are those in the names of the questions that were asked."""
    rule = told["rule"]
    lines = [
        plain(f"{told['level']}: {told['why']}", "bold"),
        plain(f"by alpha {rule['alpha']}, threshold {rule['threshold']}, measured again within {rule['margin']} of it"),
    ]
    for number, one in enumerate(told["versions"]):
        lines += version(number, one, kept=number == told["best"])
    for number, one in enumerate(told["rounds"], 1):
        lines += map(plain, round_(number, one))
    return lines


def version(number: int, one: Mapping[str, Any], *, kept: bool) -> Iterator[Text]:
    """A stem with what it describes and how it was measured."""
    written = "" if number else ", as written"
    yield plain(f"version {number}{written}{', kept' if kept else ''}: {one['stem']}", "bold" if kept else "")
    if one["entity"]:
        yield plain(f"  says {one['phrase']!r} for {one['entity']!r}{from_(one['sources'])}")
    failed = f", {one['failed']} failed" if one["failed"] else ""
    yield plain(f"  {one['level']}, {scored(one['score'])}: {counted(one['answered'], 'judge')} answered{failed}")
    yield from (plain(f"  {judged(mark)}") for mark in one["marks"])


def scored(score: str | None) -> str:
    """A score, as a fraction and in decimals."""
    return "without a score" if score is None else f"score {score} ({float(Fraction(score)):.3f})"


def judged(mark: Mapping[str, Any]) -> str:
    """What became of one judge's answer."""
    if mark["f1"] is None:
        return f"{mark['by']} failed"
    return f"{mark['by']}: F1 {mark['f1']}, {'exact' if mark['exact'] else 'not exact'}"


def from_(sources: Iterable[str]) -> str:
    """Where a description comes from."""
    named = ", ".join(sources)
    return f", from {named}" if named else ""


def round_(number: int, one: Mapping[str, Any]) -> Iterator[str]:
    """What was picked, found and tried, what was said against it, how it ended."""
    called = f" (also {', '.join(one['names'])})" if one["names"] else ""
    yield f"round {number}: " + (f"to describe {one['entity']!r}{called}" if one["entity"] else "nothing to describe")
    yield from (f"  could not be looked up: {failure}" for failure in one["failures"])
    if one["found"]:
        places = "; ".join(" ".join(filter(None, (found["title"], found["url"]))) for found in one["found"])
        yield f"  found by {one['by']}: {places}"
    for tried in one["tried"]:
        yield (
            f"  tried {tried['phrase']!r}{from_(tried['sources'])}: {tried['stem']}"
            if tried["stem"]
            else "  no rewrite"
        )
    yield from (f"  against it: {objection}" for objection in one["objections"])
    new = "a new version, which checkers take for the same question"
    yield f"  ended: {new if one['end'] == REWRITTEN else one['end'] or 'not yet'}"
