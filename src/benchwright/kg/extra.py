"""Libraries that come with an extra, imported where they are used."""

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchwright.errors import ConfigError


def library(module: str, use: str, extra: str) -> Any:
    """The module; raises `ConfigError` that names the extra where it is missing."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        message = f"{use} needs the extra {extra!r}: pip install 'benchwright[{extra}]' ({error.name} is missing)"
        raise ConfigError(message) from None


@contextmanager
def opening(model: str, what: str) -> Iterator[None]:
    """While a library opens a model; raises `ConfigError` for one that is not there, or whose files are not sound."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        why = str(error).strip().partition("\n")[0] or type(error).__name__
        message = (
            f"{what} {model!r} cannot be opened ({why}): name its folder, or a model of the hub while that is there"
        )
        raise ConfigError(message) from error
