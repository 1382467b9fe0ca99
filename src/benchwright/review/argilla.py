"""The human queue as records of Argilla, with the settings of their data set, and answers back.

`FILE.json` goes into `dataset.records.from_json`, `FILE.settings.json` into `Settings.from_json`; what
`dataset.records.to_json` writes comes back.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from benchwright.pipelines.card import Form, Input
from benchwright.review.label_studio import rest, text
from benchwright.review.sheet import KEY, REVIEWER, Entry, Row, as_text, fields_of, inputs_of, required_columns, row

TEXT = {"type": "text", "use_markdown": False}
TERMS = {"type": "terms", "visible_for_annotators": True, "values": None}
PLACES = ("item", "document")  # metadata
RESPONSES = ".responses"  # ends the columns of answers in a flat record
OWN = ("id", "status", "_server_id", "score")  # of a flat record
NOT_SUBMITTED = ("draft", "discarded", "pending")
UNCLEAR = (
    "several people have answered, and nothing says who has submitted: export with "
    "json.dump(dataset.records.to_list(flatten=True), file)"
)
NAMED = 8  # digits of a user's id that tell people apart


def make(entries: Sequence[Entry], rules: str) -> Mapping[str, bytes]:
    """The records, and the settings with the rules to decide by."""
    needed = filled_fields(entries)
    made = {"": [record(entry, needed) for entry in entries], ".settings.json": settings(entries, needed, rules)}
    return {ending: json.dumps(value, ensure_ascii=False, indent=1).encode() for ending, value in made.items()}


def filled_fields(entries: Sequence[Entry]) -> set[str]:
    """The fields that every card has with something in them; of the rest a record leaves the empty ones out."""
    names = fields_of(entries)
    return {name for name in names if all(text(entry.shown.get(name, "")) for entry in entries)}


def record(entry: Entry, needed: set[str]) -> dict[str, Any]:
    """One record."""
    fields = {one.name: text(entry.shown[one.name]) for one in entry.card.shown if one.name in entry.shown}
    return {
        "id": entry.key,
        "fields": {name: value for name, value in fields.items() if value or name in needed},
        "metadata": {name: entry.shown[name] for name in PLACES if name in entry.shown},
        "suggestions": {},
        "responses": {},
        "vectors": {},
    }


def settings(entries: Sequence[Entry], needed: set[str], rules: str) -> dict[str, Any]:
    """The data set's settings."""
    inputs = inputs_of(entries)
    demanded = required_columns(entries)
    return {
        "guidelines": rules,
        "fields": [
            field_json(name, label, TEXT, required=name in needed) for name, label in fields_of(entries).items()
        ],
        "questions": [
            field_json(name, one.label, question(one), required=name in demanded) for name, one in inputs.items()
        ],
        "metadata": [
            {"name": name, "title": name.capitalize(), "settings": TERMS, "visible_for_annotators": True}
            for name in PLACES
        ],
        "vectors": [],
        "allow_extra_metadata": False,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "mapping": None,
    }


def question(one: Input) -> dict[str, Any]:
    """What asks for an input: a label, a rating of a short scale, or a text."""
    if one.form is Form.NUMBER and one.choices and one.least >= 0:
        return {"type": "rating", "options": [{"value": int(choice.value)} for choice in one.choices]}
    if one.form is Form.VALUES:
        values = [{"value": value.value, "text": value.label} for value in one.values]
        return {"type": "label_selection", "options": values, "visible_options": len(values)}
    return TEXT


def field_json(name: str, title: str, kind: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """A field or a question."""
    return {"name": name, "title": title, "required": required, "settings": kind, "type": kind["type"]}


def rows(record: Mapping[str, Any], first: int) -> Iterator[Row]:
    """What people submitted of a record, one row a person; a record that nobody has submitted is one undecided row.

    Drafts and discarded answers are none. `to_json` does not say which answers these are: they are known where nobody
    has submitted, or only one person has answered; otherwise each row has a fault.
    """
    fields = record["fields"] if isinstance(record["fields"], dict) else {}
    key, known = {KEY: as_text(record.get("id"))}, {str(name): as_text(value) for name, value in fields.items()}
    given: defaultdict[str, dict[str, str]] = defaultdict(dict)
    unclear = False
    for name, answers in (record.get("responses") or {}).items():
        for one in answers or ():
            status = as_text(one.get("status"))
            if (status or record.get("status")) not in NOT_SUBMITTED:
                given[as_text(one.get("user_id"))][name] = as_text(one.get("value"))
                unclear |= not status
    for number, (user, said) in enumerate(given.items(), first):
        if unclear and len(given) > 1:
            yield Row(number, key[KEY], fault=UNCLEAR)
        else:
            yield row(number, key | said | {REVIEWER: f"user {user[:NAMED]}" if user else ""} | rest(known, said))
    if not given:
        yield row(first, key | known)


def is_flat(entry: Mapping[str, Any]) -> bool:
    """Whether this is a record as `to_list(flatten=True)` and `to_datasets` write it."""
    return any(name.endswith(RESPONSES) for name in entry)


def nest(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A flat record in the shape of others: answers, who gave them and how far they are lie in lists side by side."""
    names = [name.removesuffix(RESPONSES) for name in entry if name.endswith(RESPONSES)]
    shown = {name: value for name, value in entry.items() if name not in OWN and RESPONSES not in name}
    return {
        "id": entry.get("id"),
        "status": entry.get("status"),
        "fields": shown,
        "responses": {name: list(answers_in(entry, f"{name}{RESPONSES}")) for name in names},
    }


def answers_in(entry: Mapping[str, Any], column: str) -> Iterator[dict[str, Any]]:
    """The answers to one question."""
    values, users, statuses = (entry.get(f"{column}{part}") or [] for part in ("", ".users", ".status"))
    for value, user, status in zip_longest(values, users, statuses):
        yield {"value": value, "user_id": user, "status": status}
