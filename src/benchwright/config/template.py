"""The commented campaign that `benchwright init` writes."""

import json
import re
from collections.abc import Mapping
from importlib.resources import files
from string import Template
from textwrap import fill

from benchwright.config.draft import kinds
from benchwright.config.faults import nearest, shown
from benchwright.config.presets import PRESETS
from benchwright.config.shapes import named
from benchwright.errors import UsageError

WIDTH = 118  # characters of a line


def template(name: str, pipeline: str = "recall") -> str:
    """The text of a first campaign of that name for a pipeline; `UsageError` where either cannot serve."""
    try:
        named(name)
    except ValueError as error:
        message = f"campaign name: {error}"
        raise UsageError(message) from error
    if pipeline not in kinds():
        message = f"unknown pipeline {shown(pipeline)}{nearest(pipeline, kinds())}"
        raise UsageError(message)
    return filled("campaign", {"name": json.dumps(name, ensure_ascii=False), **values(pipeline)})


def values(pipeline: str) -> dict[str, str]:
    """What stands in the places of the template that are another for each pipeline."""
    kind = kinds()[pipeline]
    preset = next(name for name, preset in PRESETS.items() if preset.pipeline == pipeline)
    roles = f"Who does what. Every role may have a model of its own: {', '.join(kind.roles)}."
    return parts(pipeline, parts("refined", {"pipeline": pipeline})) | {
        "preset": preset,
        "paper": f"EpiQAL-{preset[-1].upper()}",
        "roles": fill(roles, WIDTH, initial_indent="# ", subsequent_indent="# "),
        "check": kind.voters[0],
    }


def parts(name: str, values: Mapping[str, str]) -> dict[str, str]:
    """The parts of a file, with these values in their places, by the names that stand before them behind "#: "."""
    found = re.split(r"^#: (\w+)\n", filled(name, values), flags=re.MULTILINE)[1:]
    return {part: text.strip("\n") for part, text in zip(found[::2], found[1::2], strict=True)}


def filled(name: str, values: Mapping[str, str]) -> str:
    """A file of the folder `templates` with these values in their places."""
    text = files(__package__).joinpath("templates", f"{name}.toml").read_text("utf-8")
    return Template(text).substitute(values).strip("\n") + "\n"
