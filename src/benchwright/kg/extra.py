"""What a library of an extra says when it cannot open a model."""

from collections.abc import Iterator
from contextlib import contextmanager

from benchwright.errors import ConfigError


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
