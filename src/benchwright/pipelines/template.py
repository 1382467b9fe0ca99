"""What a pipeline adds to the commented campaign file that `benchwright init` writes, and the values of a paper."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Any

ITEMS = """\
per_document = 1                 # or, instead, target = 30 kept items in all
tries = 2                        # at each item before it is given up"""


@dataclass(frozen=True, slots=True)
class Starter:
    """A pipeline's own lines: its name with a comment, the table of its settings, panels worth a thought.

    `items` are those of `[items]`.
    """

    pipeline: str
    settings: str
    panels: str = ""
    items: str = ITEMS


@dataclass(frozen=True, slots=True)
class Preset:
    """A paper's values; a key that stands in the campaign file wins over each.

    `system` is what the paper calls it. `tables` are keys by table, `runs` how often each voting model is asked;
    temperatures are those of models that vote and of all others.
    """

    pipeline: str
    system: str
    tables: Mapping[str, Mapping[str, Any]]
    runs: int
    voter_temperature: float
    writer_temperature: float


@dataclass(frozen=True, slots=True)
class Play:
    """What `benchwright drill` plays: a pipeline, its table of settings, the role that votes.

    `reply` is what a model without sense says to the body of a request: content that its agent accepts.
    """

    pipeline: str
    settings: str
    votes: str
    reply: Callable[[dict[str, Any]], str]


def read_parts(package: str, name: str, values: Mapping[str, str]) -> dict[str, str]:
    """The parts of the file `templates/NAME.toml` of a package, by the names that stand before them behind "#: "."""
    found = re.split(r"^#: (\w+)\n", fill_template(package, name, values), flags=re.MULTILINE)[1:]
    return {part: text.strip("\n") for part, text in zip(found[::2], found[1::2], strict=True)}


def fill_template(package: str, name: str, values: Mapping[str, str]) -> str:
    """The file `templates/NAME.toml` of a package with these values in their places."""
    text = files(package).joinpath("templates", f"{name}.toml").read_text("utf-8")
    return Template(text).substitute(values).strip("\n") + "\n"
