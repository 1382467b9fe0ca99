"""The human queue as tasks of Label Studio, with the labeling configuration that goes with them, and answers back.

`FILE.json` is imported into a project whose labeling interface is `FILE.xml`; what the project exports as JSON, or as
JSON-MIN, comes back.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import quoteattr

from benchwright.pipelines.card import Input
from benchwright.review.sheet import (
    KEY,
    REVIEWER,
    Cell,
    Entry,
    Row,
    as_text,
    fields_of,
    inputs_of,
    required_columns,
    row,
)

ANSWERS = ("choices", "text", "number", "rating")  # what an answer is called by its kind
ANNOTATION = "annotation_id"  # a column of its tables
NOTHING = "none"  # what a task says where its card shows nothing: each variable has to be there


def make(entries: Sequence[Entry]) -> Mapping[str, bytes]:
    """The tasks, and the configuration."""
    fields = fields_of(entries)
    tasks = [{"data": data(entry, fields)} for entry in entries]
    return {"": json.dumps(tasks, ensure_ascii=False, indent=1).encode(), ".xml": config(entries).encode()}


def data(entry: Entry, fields: Mapping[str, str]) -> dict[str, str]:
    """What a task shows, and by what it is known."""
    texts = dict.fromkeys(fields, NOTHING) | {name: text(value) or NOTHING for name, value in entry.shown.items()}
    return {KEY: entry.key} | texts


def text(value: Cell) -> str:
    """A field as one text."""
    return value if isinstance(value, str) else "\n".join(value)


def config(entries: Sequence[Entry]) -> str:
    """The labeling interface: each field under its label, then what is filled in."""
    fields, inputs = fields_of(entries), inputs_of(entries)
    subjects = [one.name for entry in entries for one in entry.card.subjects]
    target = next(iter((*subjects, *fields)), "")
    demanded = required_columns(entries)
    lines = [line for name, label in fields.items() for line in field_xml(name, label)]
    lines += [line for name, one in inputs.items() for line in control(one, target, required=name in demanded)]
    return "\n".join(("<View>", *lines, "</View>", ""))


def field_xml(name: str, label: str) -> list[str]:
    """A field."""
    return [f"  <Header value={quoteattr(label)}/>", f'  <Text name={quoteattr(name)} value="${name}"/>']


def control(one: Input, target: str, *, required: bool) -> list[str]:
    """What fills in an input: choices where there are few, a number, or a text."""
    names = f'name={quoteattr(one.column_name)} toName={quoteattr(target)} required="{str(required).lower()}"'
    title = f"  <Header value={quoteattr(one.label)}/>"
    if one.choices:
        picks = [f"    <Choice value={quoteattr(v.value)} hotkey={quoteattr(v.key)}/>" for v in one.choices]
        return [
            title,
            f'  <Choices {names} choice="single" showInline="true">',
            *picks,
            "  </Choices>",
        ]
    if one.form == "number":
        return [title, f'  <Number {names} min="{one.least}" max="{one.most}"/>']
    return [f'  <TextArea {names} placeholder={quoteattr(one.label)} maxSubmissions="1"/>']


def rows(task: Mapping[str, Any], first: int) -> Iterator[Row]:
    """What people answered to a task, one row an annotation; a task without any is one undecided row."""
    told = task["data"] if isinstance(task["data"], dict) else {}
    known = {str(name): as_text(value) for name, value in told.items() if name != KEY}
    key = {KEY: as_text(told.get(KEY))}
    given = [one for one in task.get("annotations") or () if isinstance(one, dict) and not one.get("was_cancelled")]
    for number, one in enumerate(given, first):
        said = answer(one)
        yield row(number, key | said | {REVIEWER: who(one.get("completed_by"))} | rest(known, said))
    if not given:
        yield row(first, key | known)


def rest(known: Mapping[str, str], said: Mapping[str, str]) -> dict[str, str]:
    """What was shown, without what an answer is called like."""
    return {name: value for name, value in known.items() if name not in {*said, REVIEWER}}


def answer(annotation: Mapping[str, Any]) -> dict[str, str]:
    """What an annotation says, under our names."""
    found = {}
    for region in annotation.get("result") or ():
        value = region.get("value") or {}
        said = next((value[kind] for kind in ANSWERS if value.get(kind) is not None), "")
        found[str(region.get("from_name"))] = "\n".join(map(as_text, said if isinstance(said, list) else [said]))
    return found


def flat_rows(entry: Mapping[str, Any], first: int) -> Iterator[Row]:
    """What one annotation says where what was shown stands beside what was answered (JSON-MIN)."""
    given = {str(name).strip().lower(): as_text(flat_value(value)) for name, value in entry.items()}
    yield row(first, given | {REVIEWER: given.get(REVIEWER) or who(entry.get("annotator"))})


def flat_value(value: Any) -> Any:
    """An answer without the list and the object around it that the flat exports leave around numbers and some texts."""
    regions = value if isinstance(value, list) else [value]
    if regions and all(isinstance(one, dict) and set(one) & set(ANSWERS) for one in regions):
        found = [one[kind] for one in regions for kind in ANSWERS if one.get(kind) is not None]
        return "\n".join(as_text(part) for one in found for part in (one if isinstance(one, list) else [one]))
    return value


def own_row(found: Row) -> Row:
    """A row of a table; one of a table that Label Studio wrote is an annotation, and its annotator's."""
    if found.fault or ANNOTATION not in found.given:
        return found
    name = found.given.get("annotator", "").strip()
    given = {column: as_text(flat_value(json_in(value))) for column, value in found.given.items()}
    return replace(found, given=given, reviewer=found.reviewer or who(int(name) if name.isdecimal() else name))


def json_in(cell: str) -> Any:
    """The list of objects that a cell holds as JSON; else the cell."""
    try:
        return json.loads(cell) if cell.startswith("[{") else cell
    except (ValueError, RecursionError):
        return cell


def who(person: object) -> str:
    """An annotator's name: an address where there is one, or else the number by which the tool knows them."""
    if isinstance(person, dict):
        person = person.get("email") or person.get("username") or person.get("id")
    name = f"annotator {person}" if isinstance(person, int) else as_text(person)
    return "" if name == "{}" else name  # of a task without an annotation
