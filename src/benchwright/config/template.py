"""The commented campaign that `benchwright init` writes."""

import json
from importlib.resources import files
from string import Template

from benchwright.config.shapes import named
from benchwright.errors import UsageError


def template(name: str) -> str:
    """The text of a first campaign of that name; `UsageError` where the name cannot serve."""
    try:
        named(name)
    except ValueError as error:
        message = f"campaign name: {error}"
        raise UsageError(message) from error
    text = files("benchwright").joinpath("campaign.toml.template").read_text("utf-8")
    return Template(text).substitute(name=json.dumps(name, ensure_ascii=False))
