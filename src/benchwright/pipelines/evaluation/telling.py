"""A measurement as a report: what a table, a page and a program read."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchwright.domain.text import plural
from benchwright.pipelines.choice import shortcuts
from benchwright.pipelines.choice.shortcuts import Shortcut
from benchwright.pipelines.evaluation.measured import Measured, Taker
from benchwright.pipelines.evaluation.measures.bootstrap import Estimate
from benchwright.pipelines.evaluation.measures.item_analysis import ItemStatistics
from benchwright.pipelines.evaluation.rows import Row
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Bar, Bars, Figure, Heat, Measurement, Section

HEAD = ("model", "Exact Match", "95 % interval", "F1", "precision", "recall", "choices taken", "answered", "abstained")
CSV = (
    "model",
    "answered",
    "abstained",
    "failed",
    "exact",
    "exact_low",
    "exact_high",
    "f1",
    "precision",
    "recall",
    "size",
)
SHOWN = 50  # flagged questions in a table; JSON has them all
TEXT_MOST = 100  # characters of a question in a table
STEPS = 10  # of difficulty
MANY_GROUPS = 40  # groups of a sort that a heat map still shows
EXPLAINED = (
    "Scores are means over the questions that a model answered; a failed call is not a wrong answer. Who cannot tell"
    " scores 0. Intervals are 95 %, by a bootstrap over whole documents."
)
PAPER = "Two empty sets have F1 0 here, as in the released code of EpiQAL."
ALIKE = "The share of questions that two models answered alike, choice by choice."


def tell(name: str, measured: Measured, rows: Sequence[Row], *, paper: bool, notes: Sequence[str]) -> Measurement:
    """The report on a set of that name; `notes` are doubts about what was read."""
    table = shortcuts.shortcuts(as_test_taker_sees(row) for row in rows)
    found = sections(measured, table, paper=paper)
    return Measurement(
        title=f"Evaluation on {name}",
        sections=tuple(found),
        json=as_json(name, measured, table, paper=paper) | {"notes": list(notes)},
        rows=[CSV, *map(csv_row, measured.takers)],
        notes=tuple(notes),
    )


def as_test_taker_sees(row: Row) -> shortcuts.Question:
    """A row for the rules that read no document."""
    key = frozenset(place for place, name in enumerate(row.names) if name in row.key)
    return shortcuts.Question(row.id, row.text, row.choices, key)


def sections(measured: Measured, table: Sequence[Shortcut], *, paper: bool) -> Iterator[Section]:
    """The report part by part."""
    lines = [Line(EXPLAINED), *([Line(PAPER)] if paper else [])]
    rows = tuple(map(taker_row, measured.takers))
    yield Section("Scores", (*lines, score_bars(measured, table), Table((*HEAD, "failed"), rows)))
    yield Section("Rules that read nothing", (Table(("rule", "Exact Match", "F1"), tuple(map(rule_row, table))),))
    if measured.comparisons:
        yield Section("Models compared", (Table(PAIR_HEAD, tuple(pair_rows(measured))),))
    if measured.alike:
        yield Section("Agreement of models", (Line(ALIKE), alike_heat(measured)))
    for sort, groups in measured.groups.items():
        yield Section(f"By {sort}", (group_figure(sort, groups, measured),))
    if measured.traps:
        yield Section("Which wrong choices are taken", (trap_bars(measured),))
    yield from item_sections(measured.items)


# ------------------------------------------------------------------------------------------------------- scores


def number(value: float | None) -> str:
    """A score as tables show it."""
    return "-" if value is None else f"{value:.3f}"


def interval(found: Estimate | None) -> str:
    """The ends of an interval."""
    return f"{found.low:.3f} to {found.high:.3f}" if found and found.low is not None and found.high is not None else "-"


def taker_row(one: Taker) -> tuple[object, ...]:
    """A model's row."""
    mean = one.mean
    scores = [number(value) for value in (mean.exact, mean.f1, mean.precision, mean.recall)] if mean else ["-"] * 4
    failed = ", ".join(f"{cause} {n}" for cause, n in sorted(one.failures.items()))
    return (
        one.name,
        scores[0],
        interval(one.exact),
        *scores[1:],
        f"{mean.size:.2f}" if mean else "-",
        one.answered,
        one.abstained,
        f"{one.failed} ({failed})" if failed else "0",
    )


def csv_row(one: Taker) -> tuple[object, ...]:
    """The same in full."""
    mean, exact = one.mean, one.exact
    scores = (mean.f1, mean.precision, mean.recall, mean.size) if mean else ("",) * 4
    ends = (exact.value, exact.low, exact.high) if exact else ("",) * 3
    cells = (one.name, one.answered, one.abstained, one.failed, *ends, *scores)
    return tuple("" if cell is None else cell for cell in cells)


def rule_row(one: Shortcut) -> tuple[object, ...]:
    """A shortcut's row."""
    return one.title, number(float(one.score.exact)), number(float(one.score.f1))


def score_bars(measured: Measured, table: Sequence[Shortcut]) -> Bars:
    """Models and, below, the best rules."""
    models = [bar_of(one) for one in measured.takers]
    rules = sorted(table, key=lambda one: -one.score.exact)[:3]
    return Bars(
        "Exact Match with 95 % intervals; below, rules that read nothing",
        (*models, *(Bar(f"rule: {one.title}", float(one.score.exact)) for one in rules)),
    )


def bar_of(one: Taker) -> Bar:
    """A model's bar."""
    return Bar(one.name, one.exact.value, one.exact.low, one.exact.high) if one.exact else Bar(one.name, None)


PAIR_HEAD = (
    "better",
    "other",
    "questions",
    "only the first right",
    "only the other",
    "p",
    "difference",
    "95 % interval",
)


def pair_rows(measured: Measured) -> Iterator[tuple[object, ...]]:
    """A row for each comparison."""
    for one in measured.comparisons:
        p = "-" if one.p is None else f"{one.p:.2g}"
        apart = number(one.difference.value if one.difference else None)
        yield one.first, one.second, one.both, one.better, one.worse, p, apart, interval(one.difference)


def alike_heat(measured: Measured) -> Heat:
    """How often models answer alike."""
    names = [one.name for one in measured.takers]

    def cell(one: str, other: str) -> float | None:
        return 1.0 if one == other else measured.alike.get((one, other), measured.alike.get((other, one)))

    return Heat(
        "Answered alike", tuple(names), tuple((one, tuple(cell(one, other) for other in names)) for one in names)
    )


def group_figure(sort: str, groups: Mapping[str, Mapping[str, float]], measured: Measured) -> Figure | Table:
    """The scores of each group: a heat map, or a table where there are too many groups to see."""
    names = [one.name for one in measured.takers]
    rows = tuple((group, tuple(of.get(name) for name in names)) for group, of in groups.items())
    if len(rows) <= MANY_GROUPS:
        return Heat(f"Exact Match by {sort}", tuple(names), rows)
    return Table((sort, *names), tuple((group, *map(number, values)) for group, values in rows))


def trap_bars(measured: Measured) -> Bars:
    """How often wrong choices of each family were taken."""
    shares = {family: taken / offered for family, (taken, offered) in measured.traps.items()}
    most = max(shares.values()) or 1.0
    title = "Share of times that a wrong choice of a family was taken, of all times that it was offered"
    return Bars(title, tuple(Bar(family, share) for family, share in shares.items()), most)


# ------------------------------------------------------------------------------------------------------ questions


def item_sections(items: Sequence[ItemStatistics]) -> Iterator[Section]:
    """How hard questions are, and those to look at."""
    solved = [one.solved for one in items if one.solved is not None]
    if not solved:
        return
    steps = Counter(min(int(value * STEPS), STEPS - 1) for value in solved)
    bars = tuple(Bar(f"{step / STEPS:.1f} to {(step + 1) / STEPS:.1f}", float(steps[step])) for step in range(STEPS))
    unused = sum(len(one.unused) for one in items)
    wrong = sum(len(one.question.choices) - len(one.question.key) for one in items)
    told = f"Nobody took {unused} of {plural(wrong, 'wrong choice')}."
    yield Section(
        "How hard the questions are",
        (
            Bars("Number of questions by the share of models that solve them", bars, float(max(steps.values()))),
            Line(told),
        ),
    )
    if flagged := [one for one in items if one.flag]:
        more = [Line(f"{len(flagged) - SHOWN} more are in the JSON.")] if len(flagged) > SHOWN else []
        rows = tuple(item_row(one) for one in sorted(flagged, key=urgency)[:SHOWN])
        head = ("question", "why", "solved", "discrimination", "key", "strongest say", "text")
        yield Section("Questions to look at", (Table(head, rows), *more))


def urgency(one: ItemStatistics) -> tuple[bool, str, str]:
    """Doubtful keys first."""
    return one.agreed is None, one.flag, one.question.id


def item_row(one: ItemStatistics) -> tuple[object, ...]:
    """A flagged question's row."""
    key, agreed = ("".join(sorted(found or ())) or "-" for found in (one.question.key, one.agreed))
    text = one.question.text[:TEXT_MOST]
    return one.question.id[:12], one.flag, number(one.solved), number(one.discrimination), key, agreed, text


# ----------------------------------------------------------------------------------------------------------- JSON


def as_json(name: str, measured: Measured, table: Sequence[Shortcut], *, paper: bool) -> dict[str, Any]:
    """All numbers under names."""
    return {
        "set": name,
        "questions": len(measured.questions),
        "paper": paper,
        "models": [asdict(one) | {"failed": one.failed} for one in measured.takers],
        "comparisons": [asdict(one) for one in measured.comparisons],
        "alike": [{"models": list(pair), "share": share} for pair, share in measured.alike.items()],
        "groups": measured.groups,
        "shortcuts": {one.name: one.json() for one in table},
        "wrong_choices": {
            family: {"taken": taken, "offered": offered} for family, (taken, offered) in measured.traps.items()
        },
        "items": [item_json(one) for one in measured.items],
    }


def item_json(one: ItemStatistics) -> dict[str, Any]:
    """A question's numbers."""
    return {
        "id": one.question.id,
        "answers": one.answers,
        "solved": one.solved,
        "discrimination": one.discrimination,
        "chosen": one.chosen,
        "unused": list(one.unused),
        "key": sorted(one.question.key),
        "strongest_say": None if one.agreed is None else sorted(one.agreed),
        "flag": one.flag,
    }
