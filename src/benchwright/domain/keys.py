"""Keys of TOML texts: on which line each stands, how it is written, and which one was probably meant."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

Where = tuple[str | int, ...]

KEY = r"""(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)"""
HEADER = re.compile(rf"^\s*(\[\[?)\s*({KEY}(?:\s*\.\s*{KEY})*)\s*\]\]?\s*(?:#.*)?$")
ENTRY = re.compile(rf"^\s*({KEY}(?:\s*\.\s*{KEY})*)\s*=")


def key_lines(text: str) -> dict[Where, int]:
    """The line, from 1, on which each table and key of a TOML text first stands, as far as a plain reading tells."""
    lines: dict[Where, int] = {}
    lists: Counter[Where] = Counter()  # how many tables of each list have begun
    table: Where = ()
    for number, line in enumerate(text.split("\n"), 1):
        if header := HEADER.match(line):
            table = last_of(lists, split(header[2]))
            lines.setdefault(table, number)
            if header[1] == "[[":
                table = (*table, lists[table])
                lists[table[:-1]] += 1
                lines[table] = number
        elif entry := ENTRY.match(line):
            keys = split(entry[1])
            for depth in range(1, len(keys) + 1):
                lines.setdefault((*table, *keys[:depth]), number)
    return lines


def last_of(lists: Mapping[Where, int], names: Where) -> Where:
    """A table's path, where a list of tables stands for the last of them that has begun, as TOML has it."""
    path: Where = ()
    for name in names:
        path = (*path, lists[path] - 1, name) if path in lists else (*path, name)
    return path


def split(keys: str) -> Where:
    """The parts of a dotted key, without their quotes."""
    return tuple(key.strip("\"'") for key in re.findall(KEY, keys))


def dotted_key(where: Where) -> str:
    """A key's path as TOML writes it."""
    return ".".join(key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key) for key in map(str, where))


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the one that was probably meant, else all there are."""
    names = list(known)
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f"; did you mean {close[0]}?"
    return f"; known are {', '.join(names)}" if names else ""


def flat(table: Mapping[str, Any], above: Where = ()) -> Iterator[tuple[Where, Any]]:
    """Every key of a table and of those within it, with its value."""
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from flat(value, (*above, key))
        else:
            yield (*above, key), value
