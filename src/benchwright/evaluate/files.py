"""Writes a measurement: a page, JSON, or CSV, by the ending of the file."""

import csv
import json
from collections.abc import Callable, Mapping
from io import StringIO
from pathlib import Path

from benchwright import __version__
from benchwright.domain.jsonl import portable
from benchwright.errors import UsageError
from benchwright.evaluate.page import page
from benchwright.pipelines.measurement import Measurement


def as_page(found: Measurement) -> str:
    """As a page."""
    return page(found, f"Made by Benchwright {__version__}")


def as_json(found: Measurement) -> str:
    """As JSON."""
    return portable(json.dumps(found.json, indent=2, ensure_ascii=False)) + "\n"


def as_csv(found: Measurement) -> str:
    """Its leading table as CSV. A cell that a spreadsheet would take for a formula is quoted as text."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows([[harmless(cell) for cell in row] for row in found.rows])
    return text.getvalue()


def harmless(cell: object) -> object:
    """A cell that no spreadsheet evaluates."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


FORMS: Mapping[str, Callable[[Measurement], str]] = {".html": as_page, ".json": as_json, ".csv": as_csv}


def write_report(found: Measurement, file: Path) -> Path:
    """Write it in the form of the file's ending; whole or not at all."""
    if file.suffix.lower() not in FORMS:
        raise UsageError(f"{file}: a report ends in {', '.join(FORMS)}")
    part = file.with_name(f".{file.name}.new")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(FORMS[file.suffix.lower()](found), "utf-8")
        part.replace(file)
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from error
    return file
