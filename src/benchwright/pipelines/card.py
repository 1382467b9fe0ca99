"""A card: what one person is asked, as data that the desk, the terminal and every form of file can draw.

A pipeline makes cards of its state; nothing outside its wing knows more of an item than they show.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from benchwright.agents.base import Masked, Quoted, field_text
from benchwright.domain.call import Image
from benchwright.domain.document import Reading
from benchwright.domain.opinion import AGREED, REASON, Combine
from benchwright.errors import UsageError

Content = str | tuple[str, ...] | Quoted | Masked | Image
Check = Callable[[Mapping[str, Any]], str]  # what is wrong with values though each fits its input; "" for nothing
SCALE = 11  # numbers, from which on they are no row of buttons any more
# Keys that move the desk and the terminal: skip, undo, document, how to decide, this item, quit, reason, next, fill in.
MOVES = "sudhiqmjf"
UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Shown:
    """A field that a card shows: a text, lines, sentences of the item's document, or an image.

    `name` is its column in files. What is `hidden` is shown only once the person has decided, where people are blind.
    The `subject` is what is decided about: a file in which it reads otherwise is about something else.
    """

    name: str
    label: str
    content: Content
    hidden: bool = False
    subject: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """One of the named values of an input; `key` picks it at the desk and in the terminal, and is none of `MOVES`."""

    value: str
    label: str
    key: str


class Form(StrEnum):
    """What an input takes."""

    VALUES = "values"  # one of its named values
    NUMBER = "number"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Input:
    """A field that a person fills in; `name` is its name in the answer, `column` in files where that is another.

    With `only_with`, a name and a value of another input, it is filled in just where that input has that value.
    A number lies from `least` to `most`; a text has at most `most` characters, and `begins` as this one.
    """

    name: str
    label: str
    form: Form
    values: tuple[Value, ...] = ()
    required: bool = True
    only_with: tuple[str, str] | None = None
    least: int = 0
    most: int = 20_000
    column: str = ""
    begins: str = ""

    @property
    def column_name(self) -> str:
        """Its column in files."""
        return self.column or self.name

    @property
    def choices(self) -> tuple[Value, ...]:
        """What one picks from: its values, or the numbers of a short scale, each its own key; else nothing."""
        if self.form is Form.NUMBER and self.most - self.least < SCALE:
            return tuple(Value(str(n), str(n), str(n)) for n in range(self.least, self.most + 1))
        return self.values


def no_fault(_: Mapping[str, Any], /) -> str:
    """The check of a card whose inputs say all."""
    return ""


@dataclass(frozen=True, slots=True)
class Card:
    """What people are asked about a part of an item, "" for the item as a whole.

    `step` is the role that the answers are recorded under, `rules` says by what people decide, in paragraphs, and
    `why` for what reason they are asked. An `unasked` card may be answered at any time while its item is in the
    making. An `alone` card shows all that people may see: what its item is made of would tell them what to decide, or
    whose work they judge. `notes` stand beside what people said, by name, and `fate` is what became of the part, once
    that is certain.
    """

    step: str
    about: str
    title: str
    shown: tuple[Shown, ...]
    inputs: tuple[Input, ...]
    rules: str
    why: str = ""
    combine: Combine = AGREED
    check: Check = field(default=no_fault, compare=False)
    unasked: bool = False
    alone: bool = False
    notes: tuple[tuple[str, str], ...] = ()
    fate: str = ""

    def input(self, name: str) -> Input:
        """The input of that name."""
        return next(one for one in self.inputs if one.name == name)

    @property
    def subjects(self) -> tuple[Shown, ...]:
        """What is decided about."""
        return tuple(one for one in self.shown if one.subject)

    @property
    def lead(self) -> Input | None:
        """The one input that decides with one press: all others are optional, or go with a value of it."""
        plain = [one for one in self.inputs if one.required and not one.only_with]
        return plain[0] if len(plain) == 1 and plain[0].choices else None

    @property
    def note(self) -> Input | None:
        """The reason, where one may be added to whatever is decided."""
        return next((one for one in self.inputs if one.name == REASON and not one.required), None)

    def inputs_only_with(self, name: str, value: str) -> tuple[Input, ...]:
        """The inputs that are filled in just where that one has this value."""
        return tuple(one for one in self.inputs if one.only_with == (name, value))


def visible(card: Card, *, decided: bool) -> Sequence[Shown]:
    """What a person may see of a card before or after deciding."""
    return [one for one in card.shown if decided or not one.hidden]


def as_text(content: Content, reading: Reading) -> str:
    """A field as files show it: lines one below the other, sentences under their numbers, an image by its label."""
    if isinstance(content, Image):
        return content.label
    if isinstance(content, Quoted | Masked):
        return field_text(content, reading)
    return content if isinstance(content, str) else "\n".join(content)


# -------------------------------------------------------------------------------------------------------- filling in


def is_filled_in(card: Card, given: Mapping[str, str]) -> bool:
    """Whether anything but a reason is filled in."""
    return any(given.get(one.name, "").strip() for one in card.inputs if one.name != REASON)


def relevant(card: Card, given: Mapping[str, str]) -> dict[str, str]:
    """What is given without the inputs that do not go with the rest: a page sends those too."""
    found = {one.name: given.get(one.name, "") for one in card.inputs}
    return {one.name: found[one.name] for one in card.inputs if applies(one, found)}


def fill_in(card: Card, given: Mapping[str, str]) -> dict[str, Any]:
    """The values of a card by the names of its inputs, of texts; raises `UsageError` for whoever filled them in.

    What is left empty is "", and None of a number.
    """
    values = {one.name: VALUE_OF[one.form](one, given.get(one.name, "")) for one in card.inputs}
    for one in card.inputs:
        empty, due = values[one.name] in {"", None}, applies(one, values)
        if one.only_with and ((empty and due and one.required) or (not empty and not due)):
            value, name = one.only_with[1], one.column_name
            message = f"{value!r} needs {name!r}, and only {value!r} has it: fill in both or neither"
            raise UsageError(message)
        if empty and due and one.required:
            message = f"{one.column_name!r} is empty: fill it in"
            raise UsageError(message)
    return values


def applies(one: Input, values: Mapping[str, Any]) -> bool:
    """Whether an input goes with the values of the others."""
    return one.only_with is None or values[one.only_with[0]] == one.only_with[1]


def read_value(one: Input, given: str) -> str:
    """One of the named values, whatever the case and the blanks."""
    word = "_".join(given.lower().split())
    known = {"_".join(value.value.lower().split()): value.value for value in one.values}
    if word and word not in known:
        message = f"{one.column_name} {given!r} is none of {', '.join(known.values())}: write one of these, or nothing"
        raise UsageError(message)
    return known.get(word, "")


def read_number(one: Input, given: str) -> int | None:
    """A whole number within the bounds."""
    text = given.strip()
    if not text:
        return None
    if not re.fullmatch(r"[-+]?\d{1,18}(\.0*)?", text) or not one.least <= int(text.partition(".")[0]) <= one.most:
        message = (
            f"{one.column_name} {given!r} is no whole number from {one.least} to {one.most}: write one, or nothing"
        )
        raise UsageError(message)
    return int(text.partition(".")[0])


def read_text(one: Input, given: str) -> str:
    """A text that can be stored; a reason may hold what it likes, the others come into items."""
    text = given.replace("\r\n", "\n").replace("\r", "\n").strip()
    if len(text) > one.most:
        message = f"{one.column_name} has {len(text)} characters, {one.most} at most: shorten it"
        raise UsageError(message)
    if re.search("[\ud800-\udfff]", text):
        message = "it holds half a character, which no file can store: type that text again"
        raise UsageError(message)
    if one.name != REASON and UNPRINTABLE.search(text):
        message = f"{one.column_name} holds control characters: type it again"
        raise UsageError(message)
    return text


VALUE_OF: Mapping[Form, Callable[[Input, str], Any]] = {
    Form.VALUES: read_value,
    Form.NUMBER: read_number,
    Form.TEXT: read_text,
}
