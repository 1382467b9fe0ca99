"""A card: what one person is asked, as data that the desk, the terminal and every form of file can draw.

A pipeline makes cards of its state; nothing outside its wing knows more of an item than they show.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from benchwright.agents.base import Masked, Quoted

Content = str | tuple[str, ...] | Quoted | Masked


@dataclass(frozen=True, slots=True)
class Shown:
    """A field that a card shows: a text, lines, or sentences of the item's document.

    `name` is its column in files. What is `hidden` is shown only once the person has decided, where people are blind.
    """

    name: str
    label: str
    content: Content
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """One of the named values of an input; `key` is the key that picks it at the desk and in the terminal."""

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
    """A field that a person fills in; `name` is its name in the answer and its column in files.

    With `only_with`, a name and a value of another input, it is filled in just where that input has that value.
    A number lies from `least` to `most`; a text has at most `most` characters.
    """

    name: str
    label: str
    form: Form
    values: tuple[Value, ...] = ()
    required: bool = True
    only_with: tuple[str, str] | None = None
    least: int = 0
    most: int = 20_000


class Combination(StrEnum):
    """How the words of several people become one."""

    AGREEMENT = "agreement"  # so many of one mind; a difference asks for a further person, or the adjudicator
    MAJORITY = "majority"  # more than half; a tie asks for a further person
    MEAN = "mean"  # the mean of numbers, unless they lie further apart than the bound


@dataclass(frozen=True, slots=True)
class Combine:
    """The rule of a card: how words are put together, and for means how far apart they may lie."""

    how: Combination = Combination.AGREEMENT
    bound: int = 0


@dataclass(frozen=True, slots=True)
class Card:
    """What people are asked about a part of an item, "" for the item as a whole.

    `step` is the role that the answers are recorded under, `rules` says by what people decide, in paragraphs, and
    `why` for what reason they are asked.
    """

    step: str
    about: str
    title: str
    shown: tuple[Shown, ...]
    inputs: tuple[Input, ...]
    rules: str
    why: str = ""
    combine: Combine = Combine()

    def input(self, name: str) -> Input:
        """The input of that name."""
        return next(one for one in self.inputs if one.name == name)


def visible(card: Card, *, decided: bool) -> Sequence[Shown]:
    """What a person may see of a card before or after deciding."""
    return [one for one in card.shown if decided or not one.hidden]
