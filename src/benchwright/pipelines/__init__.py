"""Pipelines: how items of a kind are made. To add one: a file, and a line here."""

from benchwright.pipelines.recall import Recall

PIPELINES: dict[str, type[Recall]] = {Recall.name: Recall}
