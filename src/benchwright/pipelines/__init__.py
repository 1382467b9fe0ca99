"""Pipelines: how items of a kind are made. This is the registry: a new kind is a package, and its lines here."""

from pathlib import Path

from benchwright.domain.flaw import Inspection
from benchwright.errors import UsageError
from benchwright.pipelines.base import PipelineType
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.presets import PRESETS as EPIQAL
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.crisis.pipeline import Crisis
from benchwright.pipelines.crisis.presets import PRESETS as RESPONSE
from benchwright.pipelines.retrieval.presets import PRESETS as DISASTIR
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.template import Play

PIPELINES: dict[str, PipelineType] = {one.name: one for one in (Recall, Inference, Reconstruction, Retrieval, Crisis)}
PRESETS = {**EPIQAL, **DISASTIR, **RESPONSE}


def validate(path: Path, labels: Path | None = None) -> Inspection:
    """Check a set, whoever has made it, in the forms that the kinds know: a folder, or a file of records."""
    if not path.exists():
        raise UsageError(f"{path} does not exist: name a folder with a collection, or a file of records")
    if path.is_dir():
        from benchwright.pipelines.retrieval.validation import validate as validate_folder

        return validate_folder(path)
    from benchwright.pipelines.crisis.validation import validate as validate_file

    return validate_file(path, labels)


def play() -> Play:
    """What a drill plays; only a drill imports it."""
    from benchwright.pipelines.choice.drill import PLAY

    return PLAY
