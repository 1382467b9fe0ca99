"""Slips of form that leave one reading: they are mended without asking the model again.

A value is changed only where its schema tells what was meant; what comes out is checked like any other reply.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]
NUMBER = re.compile(r"\[?\s*\(?[sS]?(\d+)\)?\s*\]?")  # as sentences are cited: 4, [4], "S4", (4)
NUMBERS = re.compile(rf"(?:{NUMBER.pattern}[\s,;]*)+")
WORDS = re.compile(r"[\W_]+")


def mend_object(text: str, schema: Schema) -> str:
    """The JSON object with its slips mended, as JSON."""
    return json.dumps(mend(json.loads(text), schema, schema), ensure_ascii=False)


def mend(value: Any, schema: Schema, root: Schema) -> Any:
    """The value that the schema shows was meant; as it is where nothing does."""
    schema = resolve(schema, root)
    if variants := schema.get("anyOf") or schema.get("oneOf"):
        kinds = [one for one in variants if resolve(one, root).get("type") != "null"]
        return mend(value, kinds[0], root) if len(kinds) == 1 and value is not None else value
    if "enum" in schema or "const" in schema:
        return mend_choice(value, schema.get("enum") or [schema["const"]])
    match schema.get("type"):
        case "object":
            return mend_fields(value, schema, root)
        case "array":
            return mend_list(value, schema.get("items", {}), root)
        case "integer" | "number" | "boolean" | "string" as kind:
            return mend_scalar(sole(value), kind)
    return value


def resolve(schema: Schema, root: Schema) -> Schema:
    """The schema that a reference names."""
    while "$ref" in schema:
        schema = root.get("$defs", {}).get(schema["$ref"].rsplit("/", 1)[-1], {})
    return schema


def plain(text: str) -> str:
    """A text without case, blanks and punctuation at all."""
    return WORDS.sub("", text.casefold())


def mend_choice(value: Any, choices: list[Any]) -> Any:
    """One of the choices, if it is the only one that reads like the value."""
    value = sole(value)
    if not isinstance(value, str) or value in choices:
        return value
    alike = [one for one in choices if isinstance(one, str) and plain(one) == plain(value)]
    return alike[0] if len(alike) == 1 else value


def sole(value: Any) -> Any:
    """The one entry of a list that has one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def mend_fields(value: Any, schema: Schema, root: Schema) -> Any:
    """An object with the names of the schema, without others if none of its own is missing."""
    value, known = parsed(sole(value), dict), schema.get("properties", {})
    if not isinstance(value, dict) or not known:
        return value
    if len(value) == 1 and not known.keys() & value.keys():
        inner = parsed(next(iter(value.values())), dict)  # {"answer": {...}}
        value = inner if isinstance(inner, dict) and known.keys() & inner.keys() else value
    for name in known.keys() - value.keys():
        alike = [key for key in value.keys() - known.keys() if plain(key) == plain(name)]
        value = {name if [key] == alike else key: part for key, part in value.items()}
    whole = known.keys() <= value.keys()
    return {
        key: mend(part, known[key], root) if key in known else part
        for key, part in value.items()
        if key in known or not whole
    }


def parsed(value: Any, kind: type) -> Any:
    """The JSON value of that kind that a text holds; the text where it holds none."""
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, kind) else value


def mend_list(value: Any, items: Schema, root: Schema) -> Any:
    """A list, also where one of its entries stands for it, or numbers in a text."""
    numbers = resolve(items, root).get("type") == "integer"
    value = parsed(value, list)
    if isinstance(value, str) and numbers and NUMBERS.fullmatch(value.strip()):
        value = NUMBER.findall(value)
    entries = value if isinstance(value, list) else [value]
    return None if value is None else [mend(one, items, root) for one in entries]


def mend_scalar(value: Any, kind: str) -> Any:
    """A number, a truth value or a text that was written as another of these."""
    if kind == "string":
        return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(value, str):
        return value
    if kind == "boolean":
        return {"true": True, "false": False}.get(value.strip().casefold(), value)
    found = NUMBER.fullmatch(value.strip())
    return int(found[1]) if found else parsed(value, float if kind == "number" else int)
