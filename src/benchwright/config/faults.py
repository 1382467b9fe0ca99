"""The mistakes of a campaign file: where each stands, what it is, and the way out; all told at once."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from benchwright.domain.keys import Where, dotted_key, nearest

Shaped = TypeVar("Shaped", bound=BaseModel)

SECRET_KEY = re.compile(
    r"^(key|token)$|(api|access|private|auth)[_-]?(key|token)|secret|passw|bearer|credential|authorization",
    re.IGNORECASE,
)
SECRET_VALUE = re.compile(r"^(sk|pk|rk|hf|gsk|ghp|xai|glpat|bearer|basic)[-_ ]|^AIza|^eyJ|^AKIA", re.IGNORECASE)
KEY_ADVICE = (
    "looks like a secret, which must not stand in a campaign: put it into an environment variable"
    ' and name that one, api_key_env = "NAME_OF_THE_VARIABLE"'
)
AS_TOML = {"model_type": "Input should be a table", "tuple_type": "Input should be a list"}
TOLD_MOST = 100  # mistakes of one table that are explained
SHOWN_MOST = 40  # characters of a wrong value that a message repeats


@dataclass(frozen=True, slots=True)
class Faults:
    """What is wrong with one campaign file, collected as (line or 0, text)."""

    path: Path
    lines: Mapping[Where, int]
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, where: Where, message: str) -> None:
        """Note a mistake at a key, `("models", "glm", "rpm")`."""
        line = next((self.lines[where[:n]] for n in range(len(where), 0, -1) if where[:n] in self.lines), 0)
        place = f"{self.path}:{line}" if line else str(self.path)
        self.found.append((line, f"{place}: {dotted_key(where)}: {message}" if where else f"{place}: {message}"))

    def check_table(
        self, shape: type[Shaped], raw: object, where: Where = (), also: Iterable[str] = ()
    ) -> Shaped | None:
        """The table as its shape, or None after noting its mistakes; `also` are names to suggest beside its fields."""
        if not isinstance(raw, dict):
            self.add(where, f"should be a table, not {short_value(raw)}")
            return None
        try:
            return shape.model_validate(raw, context={"folder": self.path.parent})
        except ValidationError as error:
            faults = error.errors()
            told = [(place_of(fault, raw), fault) for fault in faults[:TOLD_MOST]]
            for place, text in innermost([(place, explain_fault(fault, place, shape, also)) for place, fault in told]):
                self.add((*where, *place), text)
            if len(faults) > TOLD_MOST:
                self.add(where, f"has {len(faults) - TOLD_MOST} more mistakes: mend these first")
            return None

    def text(self) -> str:
        """One line a mistake, in the order of the file; those without a line come last."""
        return "\n".join(text for _, text in sorted(self.found, key=lambda fault: fault[0] or float("inf")))


def place_of(fault: ErrorDetails, raw: object) -> Where:
    """The keys that lead to a fault in a table, without pydantic's names for the alternatives that it tried."""
    place: Where = ()
    for part in fault["loc"]:
        if part in (entries := within(raw)):
            place, raw = (*place, part), entries[part]
    return (*place, fault["loc"][-1]) if fault["type"] == "missing" else place


def within(value: object) -> Mapping[str | int, object]:
    """What a table or a list holds, by key or place; nothing for any other value."""
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list) else {}


def innermost(faults: Iterable[tuple[Where, str]]) -> list[tuple[Where, str]]:
    """One fault for each place, and none where others are known within it: these are why it fits no alternative."""
    found: dict[Where, list[str]] = {}
    for place, text in faults:
        found.setdefault(place, []).append(text)
    around = {place[:depth] for place in found for depth in range(len(place))}
    return [(place, either(texts)) for place, texts in found.items() if place not in around]


def either(texts: Sequence[str]) -> str:
    """What a value should be that fits none of its alternatives, each of which "should be ..., not ..."."""
    *others, last = texts
    starts = [f"{text.rpartition(', not ')[0]} or " for text in others]
    return "".join([*starts, last.removeprefix("should be ") if starts else last])


def holder(shape: Any, names: Sequence[str]) -> type[BaseModel] | None:
    """The shape of the table that the last of these keys belongs to, by that of the table with the first."""
    if not (isinstance(shape, type) and issubclass(shape, BaseModel)):  # a list of tables, a table or false
        return next(filter(None, (holder(part, names) for part in get_args(shape))), None)
    return holder(shape.model_fields[names[0]].annotation, names[1:]) if names[1:] else shape


def explain_fault(fault: ErrorDetails, place: Where, outermost: type[BaseModel], also: Iterable[str]) -> str:
    """What a fault that pydantic found means to the writer of the file."""
    key = str(place[-1]) if place else ""
    shape = holder(outermost, [part for part in place if isinstance(part, str)]) or outermost
    match fault["type"]:
        case "extra_forbidden" if SECRET_KEY.search(key) or SECRET_VALUE.match(str(fault["input"])):
            return KEY_ADVICE
        case "extra_forbidden":
            return f"unknown key{nearest(key, [*shape.model_fields, *(also if len(place) == 1 else ())])}"
        case "missing" | "too_short" | "string_too_short" as kind:
            about = shape.model_fields[key].description if key in shape.model_fields else None
            return ("is missing" if kind == "missing" else "is empty") + (f": {about}" if about else "")
        case "value_error":
            return str(fault["ctx"]["error"])
        case _:
            return amiss(fault)


def amiss(fault: ErrorDetails) -> str:
    """What a value should be, and what it is."""
    text = AS_TOML.get(fault["type"], fault["msg"]).replace("be False", "be false").replace("String ", "Input ")
    return f"{text.removeprefix('Input ')}, not {short_value(fault['input'])}" if text.startswith("Input ") else text


def short_value(value: object) -> str:
    """A wrong value as a message may repeat it: short, on one line, and never a secret."""
    if isinstance(value, str):
        return "a value that looks like a secret" if SECRET_VALUE.match(value) else repr(value[:SHOWN_MOST])
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)[:SHOWN_MOST]
    kinds: dict[type, str] = {dict: "a table", list: "a list"}
    return kinds.get(type(value), "a date or time")


def floats(value: Any) -> Any:
    """The value with every exact decimal as a float: what all tables but `[rule]` want."""
    if isinstance(value, dict):
        return {key: floats(part) for key, part in value.items()}
    if isinstance(value, list):
        return [floats(part) for part in value]
    return float(value) if isinstance(value, Decimal) else value
