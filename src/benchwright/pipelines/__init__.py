"""Pipelines: how items of a kind are made. To add one: a file, and a line here."""

from benchwright.pipelines.inference import Inference
from benchwright.pipelines.recall import Recall
from benchwright.pipelines.reconstruction import Reconstruction

PIPELINES: dict[str, type[Inference | Recall | Reconstruction]] = {
    pipeline.name: pipeline for pipeline in (Recall, Inference, Reconstruction)
}
