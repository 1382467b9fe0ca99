"""The human queue as records of Argilla, with the settings of their data set, and answers back.

`FILE.json` goes into `dataset.records.from_json`, `FILE.settings.json` into `Settings.from_json`; what
`dataset.records.to_json` writes comes back.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.domain.opinion import DECISIONS
from benchwright.review.sheet import Card, Row, as_text, row

FIELDS = ("question", "option", "claim", "evidence", "others", "votes")
NEEDED = ("question", "option", "claim")
LABELS = {word: word.replace("_", " ").capitalize() for word in DECISIONS}
NAMED = 8  # digits of a user's id that tell people apart


def make(cards: Sequence[Card], rules: str) -> Mapping[str, bytes]:
    """The records, and the settings with the rules to decide by."""
    records = [record(card) for card in cards]
    made = {"": records, ".settings.json": settings(rules)}
    return {ending: json.dumps(value, ensure_ascii=False, indent=1).encode() for ending, value in made.items()}


def record(card: Card) -> dict[str, Any]:
    """One record."""
    told = {name: getattr(card, name) for name in FIELDS}
    fields = {name: value if isinstance(value, str) else "\n".join(value) for name, value in told.items()}
    return {
        "id": card.key,
        "fields": {name: value for name, value in fields.items() if value or name in NEEDED},
        "metadata": {"item": card.item, "document": card.document},
        "suggestions": {},
        "responses": {},
        "vectors": {},
    }


def settings(rules: str) -> dict[str, Any]:
    """The data set's settings."""
    text = {"type": "text", "use_markdown": False}
    options = [{"value": value, "text": shown} for value, shown in LABELS.items()]
    label = {"type": "label_selection", "options": options, "visible_options": len(options)}
    ask = [("decision", label, True), ("wording", text, False), ("reason", text, False)]
    terms = {"type": "terms", "visible_for_annotators": True, "values": None}
    return {
        "guidelines": rules,
        "fields": [named(name, text, required=name in NEEDED) for name in FIELDS],
        "questions": [named(name, kind, required=required) for name, kind, required in ask],
        "metadata": [
            {"name": name, "title": name.capitalize(), "settings": terms, "visible_for_annotators": True}
            for name in ("item", "document")
        ],
        "vectors": [],
        "allow_extra_metadata": False,
        "distribution": {"strategy": "overlap", "min_submitted": 1},
        "mapping": None,
    }


def named(name: str, kind: Mapping[str, Any], *, required: bool) -> dict[str, Any]:
    """A field or a question."""
    return {"name": name, "title": name.capitalize(), "required": required, "settings": kind, "type": kind["type"]}


def rows(record: Mapping[str, Any], first: int) -> Iterator[Row]:
    """What people answered to a record, one row a person; a record without any answer is one undecided row."""
    fields = record["fields"] if isinstance(record["fields"], dict) else {}
    known = {"key": as_text(record.get("id")), "option": as_text(fields.get("option"))}
    given: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for question, answers in (record.get("responses") or {}).items():
        for one in answers or ():
            given[as_text(one.get("user_id"))][question] = as_text(one.get("value"))
    for number, (user, said) in enumerate(given.items(), first):
        yield row(number, known | said | {"reviewer": f"user {user[:NAMED]}" if user else ""})
    if not given:
        yield row(first, known)
