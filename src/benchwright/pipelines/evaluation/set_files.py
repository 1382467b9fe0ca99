"""Reads a set: the folder of an export, or its `items.jsonl` alone, whoever has made it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchwright.corpus.records import read_records
from benchwright.errors import Unreadable, UsageError
from benchwright.pipelines.evaluation.responses import Question
from benchwright.pipelines.evaluation.rows import Row, questions_of, read_row

ITEMS, PROVENANCE, MANIFEST = "items.jsonl", "provenance.jsonl", "manifest.json"
FLAWS_SHOWN = 5
KNOWLEDGE = {"inference", "reconstruction"}  # pipelines in whose sets general knowledge counts besides the document


@dataclass(frozen=True, slots=True)
class SetFiles:
    """A set as read: `file` holds its rows, `pipeline` ("" is unknown) has made it, `flaws` are lines left out."""

    file: Path
    name: str
    rows: tuple[Row, ...]
    questions: tuple[Question, ...]
    pipeline: str
    flaws: tuple[str, ...]

    @property
    def knowledge(self) -> bool:
        """Whether general knowledge counts besides the document."""
        return self.pipeline in KNOWLEDGE


def read_set(path: Path) -> SetFiles:
    """The set in a folder or a file; raises `UsageError` where no row is a question."""
    file = path / ITEMS if path.is_dir() else path
    if not file.is_file() or file.suffix.lower() != ".jsonl":
        raise UsageError(f"{path}: name an exported set of questions: a folder with {ITEMS}, or that file")
    rows: dict[str, Row] = {}
    flaws: list[str] = []
    for place, fields in read_lines(file, flaws):
        try:
            row = read_row(fields)
        except ValueError as error:
            flaws.append(f"{place}: {error}")
            continue
        if row.id in rows:
            flaws.append(f"{place}: the question {row.id!r} is there already; this line is left out")
        rows.setdefault(row.id, row)
    if not rows:
        raise UsageError("\n".join((f"{file}: no line is a question", *flaws[:FLAWS_SHOWN])))
    origins = {str(fields.get("id")): fields for _, fields in read_lines(file.with_name(PROVENANCE), flaws)}
    questions = tuple(questions_of(list(rows.values()), origins))
    name, pipeline = read_manifest(file.with_name(MANIFEST))
    return SetFiles(file, name or file.parent.resolve().name, tuple(rows.values()), questions, pipeline, tuple(flaws))


def read_lines(file: Path, flaws: list[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The objects of a file with their places, none where there is no such file; broken lines go to the flaws."""
    if not file.is_file():
        return
    try:
        for number, found in read_records(file, file.name):
            if isinstance(found, str):
                flaws.append(f"{file.name}:{number}: {found}")
            else:
                yield found.name, found.fields
    except Unreadable as error:
        raise UsageError(str(error)) from error


def read_manifest(file: Path) -> tuple[str, str]:
    """Name and pipeline of a set; "" of one without a manifest of ours."""
    try:
        found = json.loads(file.read_text("utf-8"))
        return str(found["name"]), str(found["campaign"]["recipe"]["pipeline"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "", ""
