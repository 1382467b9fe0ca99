"""Pipelines: how items of a kind are made. To add one: a file, and a line here."""

from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.choice.reconstruction import Reconstruction

PIPELINES: dict[str, type[Inference | Recall | Reconstruction]] = {
    pipeline.name: pipeline for pipeline in (Recall, Inference, Reconstruction)
}
