"""The commands that measure models: `benchwright evaluate` and `benchwright report`."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from benchwright.errors import UsageError
from benchwright.show.code import Code
from benchwright.show.common import COMMON, Campaign, Common

if TYPE_CHECKING:
    from benchwright.pipelines.measurement import Measurement

Evaluated = Annotated[
    Path,
    Parameter(
        help="A set of questions, an evaluation's .toml file, or a test collection (BEIR, MTEB, ir_datasets, TREC)."
    ),
]
Condition = Literal["full", "closed_book", "choices_only"]
Count = Annotated[int, Parameter(show_default=True, validator=Number(gte=1, lte=100))]


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Wishes:
    """What is asked of models; an evaluation file says it itself."""

    model: Annotated[
        tuple[str, ...],
        Parameter(help="A model: smollm2, PROVIDER/MODEL of litellm, or http://HOST/v1#MODEL; may be repeated."),
    ] = ()
    runs: Annotated[Count, Parameter(help="How often each model is asked.")] = 1
    condition: Annotated[
        tuple[Condition, ...], Parameter(help="What models see: all, no document, or nothing but the choices.")
    ] = ("full",)
    reasoning: Annotated[bool, Parameter(help="Models write their reasons before the answer.")] = False
    shots: Annotated[int, Parameter(help="Solved questions before each.", validator=Number(gte=0, lte=10))] = 0
    questions: Annotated[int | None, Parameter(help="So many, drawn by chance.", validator=Number(gte=1))] = None
    file: Annotated[Path | None, Parameter(help="The evaluation's file, NAME.toml; by default named by the set.")] = (
        None
    )


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Reporting:
    """How it is measured and where the report goes."""

    into: Annotated[
        tuple[Path, ...], Parameter(help="Write the report: FILE.html, .json or .csv; may be repeated.")
    ] = ()
    paper: Annotated[bool, Parameter(help="F1 of two empty sets is 0, as in the released code of EpiQAL.")] = False


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class Rankings:
    """What is measured on a test collection."""

    run: Annotated[tuple[Path, ...], Parameter(help="A ranking in TREC's form; may be repeated.")] = ()
    retriever: Annotated[
        tuple[Literal["bm25", "minilm"], ...],
        Parameter(help="Rank with it now: by words, or by the embedded model's vectors, exact and HNSW."),
    ] = ()
    leaderboard: Annotated[
        Path | None, Parameter(help="Other scores of the same retrievers: a CSV, name and score.")
    ] = None


RANKINGS = Rankings()
WISHES, REPORTING = Wishes(), Reporting()


async def evaluate(
    place: Evaluated,
    /,
    *,
    answers: Annotated[Path | None, Parameter(help="Ask nobody: measure the answers of this file.")] = None,
    wishes: Wishes = WISHES,
    rankings: Rankings = RANKINGS,
    reporting: Reporting = REPORTING,
    common: Common = COMMON,
) -> Code:
    """Measure models on a set of questions, or rankings of a test collection.

    Models are asked, or answers are read that were given elsewhere.

    The first time it writes an evaluation file; the same command continues after any interruption.
    """
    from benchwright import app, measuring, pipelines
    from benchwright.engine.runner import How
    from benchwright.show.live import watcher
    from benchwright.show.report import CODES
    from benchwright.show.report import report as drawn

    if answers is not None:
        return show(measuring.measure_answers(place, answers, paper=reporting.paper), reporting, common)
    if pipelines.is_collection(place):
        found = measuring.measure_collection(place, rankings.run, rankings.retriever, rankings.leaderboard)
        return show(found, reporting, common)
    file = place
    if place.suffix != ".toml":
        if not wishes.model:
            raise UsageError("name the models to measure: --model, once for each; or --answers FILE")
        wish = {
            "runs": wishes.runs,
            "conditions": wishes.condition,
            "reasoning": wishes.reasoning,
            "shots": wishes.shots,
            "target": wishes.questions,
        }
        file = measuring.begin_evaluation(place, wishes.model, wish, wishes.file)
    made = await app.run(file, watcher(common.screen))
    if made.ended.how not in {How.DONE, How.PARTIAL}:
        return common.screen.answer(made.json(), drawn(file, made), code=CODES[made.ended.how])
    return show(await measuring.report(file, paper=reporting.paper), reporting, common, CODES[made.ended.how])


async def report(campaign: Campaign, /, *, reporting: Reporting = REPORTING, common: Common = COMMON) -> Code:
    """Report on a campaign: how models did, or what was made and why what fell fell. Asks nobody."""
    from benchwright import measuring

    return show(await measuring.report(campaign, paper=reporting.paper), reporting, common)


def show(found: "Measurement", reporting: Reporting, common: Common, code: Code = Code.DONE) -> Code:
    """Write a report where it is wanted, and show it."""
    from benchwright.evaluate.files import write_report
    from benchwright.show.measurement import draw_measurement

    for file in reporting.into:
        common.screen.say(f"wrote {write_report(found, file)}")
    return common.screen.answer(dict(found.json), draw_measurement(found), code=code)
