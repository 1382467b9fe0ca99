"""From a campaign file to a `Campaign`."""

import re
import tomllib
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from stat import S_ISREG
from typing import Any, NoReturn

from benchwright.config.draft import Draft, kinds
from benchwright.config.faults import Faults
from benchwright.domain.campaign import Campaign
from benchwright.domain.keys import key_lines
from benchwright.errors import ConfigError

LARGEST = 1 << 20  # bytes of a campaign file
DEEPEST = 30  # tables in tables
TOO_DEEP = "is nested too deeply: a campaign has tables of keys"
TWICE = re.compile(r"Cannot (overwrite|declare|mutate|redefine)|Duplicate")  # what tomllib says of a second one


def load(path: Path) -> Campaign:
    """The campaign that a file describes; `ConfigError` names every mistake in it, one a line."""
    return parse(path, read(path))


def parse(path: Path, text: str) -> Campaign:
    """The campaign that a text describes; `path` is where it was read, or would be, and names it in mistakes."""
    draft = Draft(parse_toml(path, text), kinds(), Faults(path, key_lines(text)))
    campaign = draft.campaign()
    if campaign is None:
        raise ConfigError(draft.faults.text())
    return campaign


def read(path: Path) -> str:
    """The file's text, without a byte order mark."""
    if path.is_dir():
        fail(f"{path}: is a folder: name the campaign file in it")
    try:
        found = path.stat()
        if not S_ISREG(found.st_mode):
            fail(f"{path}: is no regular file: copy its text into one")
        if found.st_size > LARGEST:
            fail(f"{path}: has more than {LARGEST >> 20} MB, a campaign file has some kB: name the right file")
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        fail(f"{path}:{line}: is not UTF-8 text: save the file as UTF-8", error)
    except FileNotFoundError as error:
        fail(f"{path}: no such file: `benchwright init` writes a first campaign", error)
    except OSError as error:
        fail(f"{path}: cannot be read: {error.strerror}", error)


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """The file's tables, decimals kept exact."""
    try:
        tables = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        what, _, place = str(error).partition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", place)
        line, column = found.groups() if found else (text.rstrip().count("\n") + 1, "end")
        twice = describe_twice(text, int(line)) if TWICE.match(what) else ""
        fail(f"{path}:{line}: is not TOML: {what}, column {column}{twice}", error)
    except (ValueError, ArithmeticError) as error:
        fail(f"{path}: holds a number that is too long: shorten it", error)
    except RecursionError as error:
        fail(f"{path}: {TOO_DEEP}", error)
    if is_deeper(tables, DEEPEST):
        fail(f"{path}: {TOO_DEEP}")
    return tables


def is_deeper(tables: dict[str, Any], most: int) -> bool:
    """Whether tables and lists stand in each other more than so many times; however deep, this is no recursion."""
    layer: list[Any] = [tables]
    for _ in range(most):
        layer = [part for value in layer for part in entries(value)]
    return any(isinstance(value, dict | list) for value in layer)


def entries(value: object) -> Iterable[Any]:
    """What a table or a list holds; nothing for another value."""
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def describe_twice(text: str, line: int) -> str:
    """What to do about a table or key that a text has twice, the second time on this line."""
    lines = text.split("\n")
    second = next(iter(key_lines(lines[line - 1])), ())
    first = key_lines("\n".join(lines[: line - 1])).get(second, 0)
    place = f"on line {first}" if first else "further up"
    return f": it stands there already, {place}; put both into one, or take one out"


def fail(message: str, cause: Exception | None = None) -> NoReturn:
    """The file cannot even be looked at."""
    raise ConfigError(message) from cause
