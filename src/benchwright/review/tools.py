"""What annotation tools hand back: a JSON list, each entry a task of Label Studio, a record of Argilla, or flat."""

import json
from collections.abc import Iterator
from typing import Any

from benchwright.errors import UsageError
from benchwright.review import argilla, label_studio
from benchwright.review.sheet import Row


def read(text: str) -> Iterator[Row]:
    """The rows of a file, numbered by the answers in it."""
    try:
        entries = parse(text)
    except (ValueError, RecursionError) as error:
        message = f"it is not JSON ({error}): export it again"
        raise UsageError(message) from error
    if not isinstance(entries, list):
        message = "it is no JSON list: export the tasks, or the records, as JSON"
        raise UsageError(message)
    number = 1
    for entry in entries:
        for found in of_entry(entry, number):
            yield found
            number += 1


def parse(text: str) -> Any:
    """The JSON of a file; a file of one object a line, as `to_datasets().to_json` writes it, is a list of these."""
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and lines[0].rstrip().endswith("}"):
            return [json.loads(line) for line in lines]
        raise


def of_entry(entry: Any, number: int) -> Iterator[Row]:
    """What one entry says."""
    try:
        if "data" in entry:
            return iter(list(label_studio.rows(entry, number)))
        if "fields" in entry:
            return iter(list(argilla.rows(entry, number)))
        if argilla.is_flat(entry):
            return iter(list(argilla.rows(argilla.nest(entry), number)))
        return iter(list(label_studio.flat_rows(entry, number)))
    except (AttributeError, TypeError) as error:
        return iter([Row(number, fault=f"the entry has another shape than the tool's ({error}): export it again")])
