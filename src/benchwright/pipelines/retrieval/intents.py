"""What queries are for and about: intents, and categories with their event types. Both are files; others may be named.

Source of those that ship with the package: DisastIR (arXiv 2505.15856), section 3.2 and tables 7-16.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from benchwright.agents.retrieval.grade_by_steps import Criterion
from benchwright.agents.retrieval.write_query import Negative, Size
from benchwright.domain.ids import content_id
from benchwright.errors import ConfigError

NAME = r"^[a-z][a-z0-9_]{0,31}$"
BETWEEN = re.compile(r"(\d+) to (\d+) words")
ONE_SIDED = re.compile(r"(less than|at most|at least) (\d+) words")
DRAWN = ("query_length", "clarity", "difficulty", "text_length")
Shaped = TypeVar("Shaped", bound="Table")


def size_of(words: str) -> Size:
    """The length that such words mean, as in "5 to 20 words"; raises `ValueError` for others."""
    if (found := BETWEEN.fullmatch(words)) and int(found[1]) <= int(found[2]):
        return Size(words, int(found[1]), int(found[2]))
    if one := ONE_SIDED.fullmatch(words):
        form, number = one[1], int(one[2])
        if form == "at least":
            return Size(words, number, None)
        return Size(words, 1, number - (form == "less than"))
    message = f"{words!r} is no length: write such as 'less than 10 words', 'at most 50 words', '5 to 20 words'"
    raise ValueError(message)


def demand_length(words: str) -> str:
    """The words, if they are a length."""
    size_of(words)
    return words


Words = Annotated[str, AfterValidator(demand_length)]


class Table(BaseModel):
    """A table of one of the files."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class NegativeTable(Table):
    """A text that is not relevant, or less so."""

    name: str = Field(pattern=NAME)
    about: str = Field(min_length=1)


class IntentTable(Table):
    """One intent; the file that ships with the package says what each key means."""

    title: str
    query: str
    text: str
    task: str
    takes: Literal["passage", "summary"]
    relevant: int = Field(ge=1)
    names_event: bool
    seed_graded: bool
    strategies: tuple[Literal["direct", "steps", "criteria"], ...] = Field(min_length=1)
    levels: tuple[str, ...] = Field(min_length=2, max_length=11)
    answer: str
    if_yes: tuple[str, ...]
    if_no: tuple[str, ...]
    query_length: tuple[Words, ...] = Field(min_length=1)
    clarity: tuple[str, ...] = Field(min_length=1)
    difficulty: tuple[str, ...] = Field(min_length=1)
    text_length: tuple[Words, ...] = Field(min_length=1)
    unfit: tuple[dict[Literal["query_length", "clarity", "difficulty", "text_length"], str], ...] = ()
    negatives: tuple[NegativeTable, ...] = ()
    criteria: dict[str, str] = {}

    @model_validator(mode="after")
    def check_parts(self) -> Self:
        """What is named exists, and something can be drawn."""
        if unknown := {*self.if_yes, *self.if_no} - set(self.criteria):
            raise ValueError(f"criteria has no {', '.join(sorted(unknown))}")
        if self.relevant >= len(self.levels):
            raise ValueError(f"relevant is {self.relevant}, and the greatest level is {len(self.levels) - 1}")
        if not self.criteria and set(self.strategies) - {"direct"}:
            raise ValueError("strategies other than 'direct' need criteria")
        if not self.draws:
            raise ValueError("unfit leaves nothing to draw")
        return self

    @property
    def draws(self) -> tuple[Mapping[str, str], ...]:
        """All values that fit together, each as likely as any other."""
        every = product(*(getattr(self, name) for name in DRAWN))
        each = [dict(zip(DRAWN, values, strict=True)) for values in every]
        return tuple(one for one in each if not any(bad.items() <= one.items() for bad in self.unfit))


class IntentFile(Table):
    """The file of intents."""

    intents: dict[str, IntentTable] = Field(min_length=1)


class Category(Table):
    """A category with its event types."""

    name: str = Field(min_length=1)
    short: str = ""
    about: str = ""
    events: tuple[str, ...] = Field(min_length=1)

    def __str__(self) -> str:
        """As a prompt lists it."""
        return f"{self.name}: {self.about}" if self.about else self.name


class CategoryFile(Table):
    """The file of categories."""

    categories: tuple[Category, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def check_names(self) -> Self:
        """Each name is one thing."""
        names = [event for one in self.categories for event in one.events]
        for kind, given in (("category", [one.name for one in self.categories]), ("event", names)):
            if twice := {name for name in given if given.count(name) > 1}:
                raise ValueError(f"{kind} {', '.join(sorted(twice))} is named twice")
        return self


@dataclass(frozen=True)
class Intent:
    """An intent under its name."""

    name: str
    table: IntentTable

    @property
    def most(self) -> int:
        """The greatest grade."""
        return len(self.table.levels) - 1

    @property
    def half(self) -> int:
        """The least grade of the upper half of the scale."""
        return (self.most + 1) // 2

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels as prompts list them."""
        return tuple(f"{grade} {words}" for grade, words in enumerate(self.table.levels))

    @property
    def negatives(self) -> tuple[Negative, ...]:
        """The negatives that a writer adds."""
        return tuple(Negative(one.name, one.about) for one in self.table.negatives)

    def criteria(self, names: tuple[str, ...] | None = None) -> tuple[Criterion, ...]:
        """The criteria of these names, or all."""
        chosen = tuple(self.table.criteria) if names is None else names
        return tuple(Criterion(name, self.table.criteria[name]) for name in chosen)


@cache
def load_file(name: str, folder: Path, shape: type[Table]) -> tuple[Table, str]:
    """Read a file that ships with the package (a bare name), or one below `folder` (a path that ends in .toml).

    With the hash of its text. Raises `ConfigError`.
    """
    shipped = files(__package__).joinpath(f"{name}.toml")
    try:
        text = (folder / name if name.endswith(".toml") else shipped).read_text("utf-8-sig")
        found = shape.model_validate(tomllib.loads(text))
    except OSError as error:
        message = f"{name!r} cannot be read ({error.strerror}): name a .toml file, or leave the key out"
        raise ConfigError(message) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{name!r} is not TOML: {error}") from error
    except ValidationError as error:
        fault = error.errors()[0]
        raise ConfigError(f"{name!r}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    return found, content_id("retrieval", text)


def load_intents(name: str, folder: Path, chosen: tuple[str, ...]) -> tuple[tuple[Intent, ...], str]:
    """The chosen intents of a file, all where none is chosen, and the hash of its text."""
    found, made = load_file(name, folder, IntentFile)
    assert isinstance(found, IntentFile)  # noqa: S101 - its own shape
    demand_known("intents", chosen, tuple(found.intents))
    names = chosen or tuple(found.intents)
    return tuple(Intent(one, found.intents[one]) for one in names), made


def load_categories(name: str, folder: Path, chosen: tuple[str, ...]) -> tuple[tuple[Category, ...], str]:
    """The chosen categories of a file, all where none is chosen, and the hash of its text."""
    found, made = load_file(name, folder, CategoryFile)
    assert isinstance(found, CategoryFile)  # noqa: S101 - its own shape
    by_name = {word: one for one in found.categories for word in (one.name, one.short) if word}
    demand_known("categories", chosen, tuple(by_name))
    return tuple(by_name[one] for one in chosen) or found.categories, made


def demand_known(key: str, chosen: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Raise `ConfigError` for a name that the file does not have."""
    if strange := [name for name in chosen if name not in known]:
        raise ConfigError(f"[retrieval] {key}: {', '.join(strange)} is none of {', '.join(known)}")
