"""Libraries that come with an extra: imported where they are used, so that the rest works without them."""

import importlib
from typing import Any

from benchwright.errors import ConfigError


def library(module: str, use: str, extra: str) -> Any:
    """The module; raises `ConfigError` that names the extra where it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        message = f"{use} needs the extra {extra!r}: pip install 'benchwright[{extra}]' ({error.name} is missing)"
        raise ConfigError(message) from None
