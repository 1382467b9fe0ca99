"""A taxonomy: classes with topics. One ships with the package; a campaign may name its own file."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from benchwright.agents.choice.topic import topic_line
from benchwright.domain.ids import content_id
from benchwright.domain.keys import dotted_key, key_lines, nearest
from benchwright.errors import ConfigError


class Topic(BaseModel):
    """A topic: what a question is about."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str = Field(min_length=1)
    about: str = ""

    def __str__(self) -> str:
        """The topic as a prompt shows it."""
        return topic_line(self.name, self.about)


class TopicClass(Topic):
    """A class of topics."""

    topics: tuple[Topic, ...] = Field(min_length=1)


class TaxonomyFile(BaseModel):
    """The file: `[[classes]]` with `name`, `about` and `[[classes.topics]]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    classes: tuple[TopicClass, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The classes in order, and the hash of the text they came from."""

    classes: tuple[TopicClass, ...]
    id: str


@cache
def load_taxonomy(name: str, folder: Path) -> Taxonomy:
    """Read a taxonomy that ships with the package (a bare name), or a file below `folder` (a path ending in .toml)."""
    shipped = files(__package__).joinpath(f"{name}.toml")
    file = folder / name if name.endswith(".toml") else shipped
    label = f"taxonomy {file if name.endswith('.toml') else name}"
    try:
        text = file.read_text("utf-8-sig")
        classes = TaxonomyFile.model_validate(tomllib.loads(text)).classes
    except OSError as error:
        message = f"{label}: cannot be read ({error.strerror}): name a .toml file, or a taxonomy that is here"
        message += nearest(name, sorted(shipped_names()))
        raise ConfigError(message) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"{label}:{line}: is not UTF-8 text: save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at line ")
        number = place.partition(",")[0] or text.rstrip().count("\n") + 1
        raise ConfigError(f"{label}:{number}: is not TOML: {what}") from error
    except ValidationError as error:
        raise ConfigError("\n".join(describe_faults(label, text, error))) from error
    return Taxonomy(classes, content_id("taxonomy", text))


def shipped_names() -> set[str]:
    """The taxonomies that ship with the package."""
    found = files(__package__).iterdir()
    return {one.name.removesuffix(".toml") for one in found if one.name.endswith(".toml")}


def describe_faults(label: str, text: str, error: ValidationError) -> Iterator[str]:
    """One line for each fault: where it stands, what it is, and which key was probably meant."""
    lines, faults = key_lines(text), error.errors()
    around = {fault["loc"][:depth] for fault in faults for depth in range(len(fault["loc"]))}
    for fault in faults:
        where = fault["loc"]
        if where in around:  # what is wrong within it is told
            continue
        line = next((lines[where[:depth]] for depth in range(len(where), 0, -1) if where[:depth] in lines), 0)
        place = f"{label}:{line}" if line else label
        yield f"{place}: {dotted_key(where)}: {describe_fault(fault)}"


def describe_fault(fault: ErrorDetails) -> str:
    """What is wrong with a key."""
    depth = sum(isinstance(part, int) for part in fault["loc"])
    known = (TaxonomyFile, TopicClass, Topic)[min(depth, 2)].model_fields
    match fault["type"]:
        case "extra_forbidden":
            return f"unknown key{nearest(str(fault['loc'][-1]), known)}"
        case "missing":
            return "is missing"
        case "too_short" | "string_too_short":
            return "is empty"
    return (
        fault["msg"]
        .replace("Input should be a valid tuple", "should be a list of tables, [[...]]")
        .removeprefix("Input ")
    )


def number_topics(things: tuple[Topic, ...]) -> tuple[str, ...]:
    """The things as a prompt lists them, numbered from 1."""
    return tuple(f"{n}. {thing}" for n, thing in enumerate(things, 1))
