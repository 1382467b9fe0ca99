"""Pipelines: how items of a kind are made. This is the registry: a new kind is a package, and its lines here."""

from pathlib import Path

from benchwright.domain.flaw import Inspection
from benchwright.pipelines.base import PipelineType
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.presets import PRESETS as EPIQAL
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.reconstruction import Reconstruction
from benchwright.pipelines.retrieval.presets import PRESETS as DISASTIR
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.template import Play

PIPELINES: dict[str, PipelineType] = {one.name: one for one in (Recall, Inference, Reconstruction, Retrieval)}
PRESETS = {**EPIQAL, **DISASTIR}


def validate(folder: Path) -> Inspection:
    """Check a set in a folder, whoever has made it: in the forms that the kinds know."""
    from benchwright.pipelines.retrieval.validation import validate

    return validate(folder)


def play() -> Play:
    """What a drill plays; only a drill imports it."""
    from benchwright.pipelines.choice.drill import PLAY

    return PLAY
