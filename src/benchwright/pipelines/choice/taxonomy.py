"""A taxonomy: classes with topics. One ships with the package; a campaign may name its own file."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from benchwright.domain.ids import content_id
from benchwright.errors import ConfigError


class Topic(BaseModel):
    """A topic: what a question is about."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str = Field(min_length=1)
    about: str = ""

    def __str__(self) -> str:
        """The topic as a prompt shows it."""
        return f"{self.name}: {self.about}" if self.about else self.name


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
    try:
        text = (folder / name if name.endswith(".toml") else shipped).read_text("utf-8")
        classes = TaxonomyFile.model_validate(tomllib.loads(text)).classes
    except OSError as error:
        message = f"taxonomy {name!r} cannot be read ({error.strerror}): name a .toml file, or 'epidemiology'"
        raise ConfigError(message) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"taxonomy {name!r} is not TOML: {error}"
        raise ConfigError(message) from error
    except ValidationError as error:
        fault = error.errors()[0]
        message = f"taxonomy {name!r}: {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
        raise ConfigError(message) from error
    return Taxonomy(classes, content_id("taxonomy", text))


def number_topics(things: tuple[Topic, ...]) -> tuple[str, ...]:
    """The things as a prompt lists them, numbered from 1."""
    return tuple(f"{n}. {thing}" for n, thing in enumerate(things, 1))
