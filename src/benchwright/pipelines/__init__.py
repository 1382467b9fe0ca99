"""Pipelines: how items of a kind are made. This is the registry: a new kind is a package, and its lines here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchwright.domain.flaw import Inspection
from benchwright.errors import UsageError
from benchwright.pipelines.base import PipelineType
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.presets import PRESETS as EPIQAL
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.crisis.pipeline import Crisis
from benchwright.pipelines.crisis.presets import PRESETS as RESPONSE
from benchwright.pipelines.evaluation.evaluation import Evaluation
from benchwright.pipelines.evaluation.presets import PRESETS as MEASURED
from benchwright.pipelines.measurement import Measurement
from benchwright.pipelines.retrieval.presets import PRESETS as DISASTIR
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.template import Play

MADE: tuple[PipelineType, ...] = (Recall, Inference, Reconstruction, Retrieval, Crisis, Evaluation)
# Ranks texts for queries, both by name: of each ranking the scores of texts by query.
Ranker = Callable[[Mapping[str, str], Mapping[str, str]], Mapping[str, Mapping[str, Mapping[str, float]]]]
PIPELINES: dict[str, PipelineType] = {one.name: one for one in MADE}
PRESETS = {**EPIQAL, **DISASTIR, **RESPONSE, **MEASURED}


def validate(path: Path, labels: Path | None = None) -> Inspection:
    """Check a set, whoever has made it, in the forms that the kinds know: a folder, or a file of records."""
    if not path.exists():
        raise UsageError(f"{path} does not exist: name a folder with a collection, or a file of records")
    if path.is_dir():
        from benchwright.pipelines.retrieval.validation import validate as validate_folder

        return validate_folder(path)
    from benchwright.pipelines.crisis.validation import validate as validate_file

    return validate_file(path, labels)


def write_evaluation(place: Path, corpus: str, models: Sequence[str], wish: Mapping[str, Any]) -> str:
    """The file of an evaluation of these models on a set, which its file finds as `corpus`; `wish` are settings."""
    from benchwright.pipelines.evaluation.set_files import read_set
    from benchwright.pipelines.evaluation.starting import Wish
    from benchwright.pipelines.evaluation.starting import write_evaluation as written

    found = read_set(place)
    return written(Wish(corpus=corpus, models=models, knowledge=found.knowledge, **wish))


def find_set_file(place: Path) -> Path:
    """The file with the questions of a set; raises `UsageError` where there is none."""
    from benchwright.pipelines.evaluation.set_files import read_set

    return read_set(place).file


def measure_answers(place: Path, answers: Path, *, paper: bool) -> Measurement:
    """Measure answers of a file on a set."""
    from benchwright.pipelines.evaluation.answer_files import read_answers
    from benchwright.pipelines.evaluation.measured import measure
    from benchwright.pipelines.evaluation.set_files import read_set
    from benchwright.pipelines.evaluation.telling import tell

    found = read_set(place)
    responses, flaws = read_answers(answers, found.questions)
    measured = measure(found.questions, responses, paper=paper)
    return tell(found.name, measured, found.rows, paper=paper, notes=[*found.flaws, *flaws])


def measure_items(place: Path, bodies: Iterable[Any], *, paper: bool) -> Measurement:
    """Measure the items of an evaluation on its set."""
    from benchwright.pipelines.evaluation.measured import measure
    from benchwright.pipelines.evaluation.set_files import read_set
    from benchwright.pipelines.evaluation.telling import tell

    found = read_set(place)
    measured = measure(found.questions, [body.response() for body in bodies], paper=paper)
    return tell(found.name, measured, found.rows, paper=paper, notes=found.flaws)


def is_collection(place: Path) -> bool:
    """Whether a folder holds a test collection: texts, queries, grades."""
    from benchwright.pipelines.evaluation import collection_files

    return collection_files.is_collection(place)


def measure_collection(place: Path, runs: Sequence[Path], rank: Ranker, leaderboard: Path | None = None) -> Measurement:
    """Measure rankings of a collection: those of files, of its own folder where none is named, and those of `rank`."""
    from benchwright.pipelines.evaluation import collection_files
    from benchwright.pipelines.evaluation.rankings import measure_rankings

    found = collection_files.read_collection(place)
    made = rank(found.texts, {name: found.queries[name] for name in found.grades if name in found.queries})
    files = runs or ([] if made else collection_files.runs_in(place))
    rankings = {**{file.stem: collection_files.read_run(file) for file in files}, **made}
    if not rankings:
        raise UsageError(f"{place}: there is no ranking: name --run FILE, or --retriever bm25")
    other = collection_files.read_leaderboard(leaderboard) if leaderboard else None
    return measure_rankings(found, rankings, other)


def play() -> Play:
    """What a drill plays; only a drill imports it."""
    from benchwright.pipelines.choice.drill import PLAY

    return PLAY
