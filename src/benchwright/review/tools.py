"""What annotation tools hand back: a JSON list, each entry a task of Label Studio, a record of Argilla, or flat."""

import json
from collections.abc import Iterator
from typing import Any

from benchwright.errors import UsageError
from benchwright.review import argilla, label_studio
from benchwright.review.sheet import REVIEWER, Row, as_text, row


def read(text: str) -> Iterator[Row]:
    """The rows of a file, numbered by the answers in it."""
    try:
        entries = json.loads(text)
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


def of_entry(entry: Any, number: int) -> Iterator[Row]:
    """What one entry says."""
    try:
        if "data" in entry:
            return iter(list(label_studio.rows(entry, number)))
        if "fields" in entry:
            return iter(list(argilla.rows(entry, number)))
        given = {str(name).strip().lower(): as_text(value) for name, value in entry.items()}
        given.setdefault(REVIEWER, label_studio.who(entry.get("annotator")))
        return iter([row(number, given)])
    except (AttributeError, TypeError) as error:
        return iter([Row(number, fault=f"the entry has another shape than the tool's ({error}): export it again")])
