"""The tables of a set's card: what there is in each cell, and what models, judges and people come to."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import fsum
from typing import TYPE_CHECKING

from benchwright.agents.crisis.judge_answer import DIMENSIONS
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.domain.statistics import Rate
from benchwright.pipelines.crisis.body import UNCLASSED
from benchwright.pipelines.crisis.judging import PUBLISHED
from benchwright.pipelines.crisis.preferences import Tally, agreement
from benchwright.pipelines.kind import Line, Part, Table

if TYPE_CHECKING:
    from benchwright.pipelines.crisis.report import CrisisReport

UNSTATED = "not stated"


def parts(report: "CrisisReport") -> Iterator[Part]:
    """All tables that the set has."""
    yield Part("Licences of sources", (Table(("licence", "source", "annotations"), tuple(licences(report))),))
    if report.questions:
        yield cells(report)
        yield classes(report)
    if report.validated.words:
        yield validation(report)
    if report.answered:
        yield answers(report)
        yield measures(report)
    if report.judged:
        yield judges(report)
    if report.outcomes or report.attention:
        yield people(report)


def licences(report: "CrisisReport") -> Iterator[tuple[object, ...]]:
    """Under which licence the records stand, and where they come from."""
    found = Counter((one.licence or UNSTATED, one.source or UNSTATED) for one in report.scenes)
    yield from ((*name, n) for name, n in sorted(found.items()))


def cells(report: "CrisisReport") -> Part:
    """Each incident, place and time frame: how many questions, and the judges' mean score of each source."""
    about = report.group_scores(lambda one: (one.asked.facts.incident, one.asked.facts.place, one.asked.time))
    head = ("incident", "place", "time frame", "questions", *(f"{name} (n)" for name in report.sources))
    rows = []
    for (incident, place, time), n in sorted(report.cells.items(), key=by_time):
        scored = about.get((incident, place, time), {})
        means = (mean_with_n(scored.get(name, ())) for name in report.sources)
        rows.append((incident, place or "none", time, n, *means))
    return Part("Questions and scores by incident, place and time frame", (Table(head, tuple(rows)),))


def by_time(cell: tuple[tuple[str, ...], int]) -> tuple[object, ...]:
    """The order of rows: the last part of a name is its time frame."""
    *name, time = cell[0]
    return *name, [str(one) for one in TIME_FRAMES].index(time)


def classes(report: "CrisisReport") -> Part:
    """Each class of what is missing, in the same way."""
    about = report.group_scores(lambda one: (one.asked.facts.resource_class or UNCLASSED, one.asked.time))
    head = ("class of what is missing", "time frame", "questions", *(f"{name} (n)" for name in report.sources))
    rows = []
    for (kind, time), n in sorted(report.classes.items(), key=by_time):
        scored = about.get((kind, time), {})
        rows.append((kind, time, n, *(mean_with_n(scored.get(name, ())) for name in report.sources)))
    return Part("Questions and scores by class of what is missing", (Table(head, tuple(rows)),))


def mean_with_n(values: Sequence[float]) -> str:
    """A mean with how many values it rests on."""
    return f"{fsum(values) / len(values):.2f} ({len(values)})" if values else "none"


def validation(report: "CrisisReport") -> Part:
    """How far experts agree with the panel on drawn checks."""
    rows = tuple((criterion, same.of, percent(same), *alone) for criterion, same, *alone in report.validated.rows())
    found = report.validated.kappa
    kappa = f"{found.value:.3f}" if found.value is not None else f"undefined: {found.reason}"
    head = ("criterion", "checks", "both say the same", "experts alone reject", "experts alone keep")
    about = "Checks were drawn by the seed among all that the panel settled; experts decided without seeing its votes."
    return Part("Experts and the panel", (Line(about), Table(head, rows), Line(f"Cohen's kappa: {kappa}.")))


def answers(report: "CrisisReport") -> Part:
    """How each model did."""
    rows = tuple((model, *report.answers_of(model).values()) for model in report.models)
    limits = (
        f"{report.settings.action_words} words of the action, {report.settings.explanation_words} of the explanation"
    )
    return Part(
        "Answers of models",
        (
            Line(f"At most {limits}. An answer that was too long twice is flagged and kept whole."),
            Table(("model", "answers", "too long", "failed"), rows),
        ),
    )


def measures(report: "CrisisReport") -> Part:
    """The automatic measures, with their signatures and their ceiling."""
    rows = tuple(
        (
            one.time,
            one.part,
            one.source,
            one.score.name,
            number(one.score.value),
            number(one.ceiling.value),
            one.score.n,
        )
        for one in report.measures
        if one.score.value is not None
    )
    signatures = sorted({f"{one.score.name}: {one.score.signature}" for one in report.measures if one.score.signature})
    reasons = sorted({f"{one.score.name}: {one.score.reason}" for one in report.measures if one.score.reason})
    return Part(
        "Automatic measures",
        (
            Line(
                "Each answer is measured against the gold of all who noted the same scene. The ceiling is what one"
                " person's notes score against those of the others."
            ),
            Table(("time frame", "part", "model", "measure", "score", "ceiling", "n"), rows),
            *map(Line, (*signatures, *(f"Not taken: {one}" for one in reasons))),
        ),
    )


def judges(report: "CrisisReport") -> Part:
    """What judges say, and whether they can be trusted."""
    head = ("answers of", *DIMENSIONS, "overall", "marks", "endanger life")
    rows = []
    for source in report.sources:
        found = report.scores_of(source)
        means = (number(found["means"][name]) for name in (*DIMENSIONS, "overall"))
        rows.append((source, *means, found["n"], percent(report.vetoes_of(source))))
    orders = tuple(
        (judge, percent(one.first), one.second, one.tie, number(one.p), percent(one.steady))
        for judge, one in report.orders()
    )
    own = tuple((one.judge, one.n, number(one.own), number(one.others), number(one.gap)) for one in report.own())
    content: list[Line | Table] = [
        Line(f"Grades of 1 to 5, from 0 to 1 by {report.settings.formula}; overall is the mean of the three."),
        Table(head, tuple(rows)),
    ]
    if orders:
        order = ("judge", "chose the first", "the second", "tie", "p", "same winner in both orders")
        content += [Line("Comparisons, both orders:"), Table(order, orders)]
    if own:
        names = ("judge", "n", "mean of its own answers", "others of the same", "gap")
        content += [Line("Judges that are measured too:"), Table(names, own)]
    return Part("Judges", tuple(content))


def people(report: "CrisisReport") -> Part:
    """What people say, with intervals and checks."""
    rows = tuple(
        (
            model,
            time,
            criterion,
            *rates(one),
            one.n,
            number(one.p),
            one.place.flag or "no",
        )
        for model, time, criterion, one in report.tallies()
    )
    found = agreement(report.outcomes)
    alpha = f"{found.value:.2f}" if found.value is not None else f"undefined: {found.reason}"
    checks = [
        f"{who}: {one.passed} attention checks passed, {one.failed} failed{'' if one.counts else '; not counted'}"
        for who, one in report.attention.items()
    ]
    goes = [
        f"Judges and people, coding {one.coding}: r {number(one.pearson)}, rho {number(one.spearman)}, n {one.n}."
        for one in report.correlations()
    ]
    head = ("model", "time frame", "criterion", "win", "tie", "lose", "n", "p (win = lose)", "place on the page")
    return Part(
        "People",
        (
            Line("Each model's answer against the people's; rates with 95 % Wilson intervals, sign test without ties."),
            Table(head, rows),
            Line(f"Agreement of people: alpha {alpha}."),
            *map(Line, (*checks, *goes, f"{PUBLISHED[0].upper()}{PUBLISHED[1:]}.")),
        ),
    )


def rates(found: Tally) -> tuple[str, str, str]:
    """The rates of win, tie and lose."""
    return percent(found.win), percent(found.tie), percent(found.lose)


def number(value: float | None) -> str:
    """A figure, or that there is none."""
    return "none" if value is None else f"{value:.3f}"


def shares(found: Tally) -> str:
    """Rates in words, with the ends of their intervals in percent."""
    words = (("win", found.win), ("tie", found.tie), ("lose", found.lose))
    return ", ".join(f"{name} {percent(rate)}" for name, rate in words) + f" (n = {found.n})"


def percent(rate: Rate) -> str:
    """A rate with its interval, in percent."""
    if rate.value is None or rate.low is None or rate.high is None:
        return "none"
    return f"{100 * rate.value:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"
