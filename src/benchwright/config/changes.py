"""What changed between two recipes: shown when a campaign file is not the one its run began with."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchwright.domain.ids import canonical

SHOWN_MOST = 80  # characters of a value
OURS = ("prompts.", "schemas.")  # the parts of a recipe that come with Benchwright


def differences(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """Each change between two `Campaign.recipe()`s as a line like "rule.accept: 4/5 -> 3/4", in order of the keys."""
    return list(changes(json.loads(canonical(old)), json.loads(canonical(new)), ""))


def describe_changes(found: Sequence[str]) -> str:
    """Differences as lines of a message, which says whose those are that no campaign file holds."""
    ours = "\n(prompts and schemas are Benchwright's own: this is another version of it)"
    return "\n".join(f"  {one}" for one in found) + (ours if any(one.startswith(OURS) for one in found) else "")


def changes(old: Mapping[Any, Any], new: Mapping[Any, Any], before: str) -> Iterator[str]:
    """The changes within one table, `before` being its path."""
    for key in sorted(old.keys() | new.keys()):
        path = f"{before}{short_value(key)}"
        if key not in new:
            yield f"{path}: removed (was {short_value(old[key])})"
        elif key not in old:
            yield f"{path}: added ({short_value(new[key])})"
        elif type(old[key]) is type(new[key]) and within(old[key]) and within(new[key]):
            yield from changes(within(old[key]), within(new[key]), f"{path}.")
        elif canonical(old[key]) != canonical(new[key]):
            yield f"{path}: {short_value(old[key])} -> {short_value(new[key])}"


def within(value: object) -> Mapping[Any, Any]:
    """What a table holds, or a list of tables by their places; nothing for any other value."""
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return dict(enumerate(value))
    return value if isinstance(value, dict) else {}


def short_value(value: object) -> str:
    """A value on one line: text bare where that is clear, the rest as JSON, long ones cut."""
    text = value if isinstance(value, str) and value.isprintable() and value else canonical(value)
    return text if len(text) <= SHOWN_MOST else f"{text[: SHOWN_MOST - 3]}..."
