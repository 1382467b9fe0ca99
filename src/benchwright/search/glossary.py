"""A glossary of your own, a CSV file: what things are, and what else they are called, without any network.

Columns: `term`, `description`, and if you like `synonyms` (several apart by ; or |) and `source` (an address).
"""

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from re import split

from benchwright.domain.snippet import Snippet
from benchwright.domain.text import plain
from benchwright.errors import ConfigError

WIDEST = 12  # words of a name that is looked for


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing; the first of its `names` is the term. `source` is an address, or the file and the line."""

    names: tuple[str, ...]
    description: str
    source: str


class Glossary:
    """Entries by all their names."""

    def __init__(self, name: str, entries: Iterable[Entry]) -> None:
        """`name` is what the glossary is called in messages."""
        self._name = name
        self.entries: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            for form in dict.fromkeys(map(plain, entry.names)):
                self.entries[form].append(entry)

    @property
    def name(self) -> str:
        """With its file."""
        return f"glossary {self._name}"

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """The entries that the query names, the longest names first."""
        found = {entry: None for form in runs(plain(query).split()) for entry in self.entries.get(form, ())}
        return tuple(Snippet(entry.description, entry.source, entry.names[0]) for entry in list(found)[:most])

    def other_names(self, name: str) -> tuple[str, ...]:
        """What else a thing is called: names that a description of it must not say."""
        form = plain(name)
        names = (other for entry in self.entries.get(form, ()) for other in entry.names)
        return tuple(dict.fromkeys(other for other in names if plain(other) != form))


def runs(words: list[str]) -> Iterator[str]:
    """All runs of neighbouring words, the longest first."""
    for length in range(min(len(words), WIDEST), 0, -1):
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def load(path: Path) -> Glossary:
    """Read a file; raises `ConfigError` with the line of the first mistake."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ConfigError(f"the glossary {path} cannot be read: {why}") from None
    head = text.partition("\n")[0]
    rows = csv.reader(StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    try:
        columns = [column.strip().casefold() for column in next(rows, [])]
        if missing := {"term", "description"} - set(columns):
            raise ConfigError(f"{path}:1: the first line must name as columns: {', '.join(sorted(missing))}")
        return Glossary(path.name, [entry(path, rows.line_num, columns, row) for row in rows if any(row)])
    except csv.Error as error:
        raise ConfigError(f"{path}:{rows.line_num}: {error}") from None


def entry(path: Path, line: int, columns: list[str], row: list[str]) -> Entry:
    """The entry of a row that ends in this line; raises `ConfigError` where it says nothing, or more."""
    if beyond := [cell for cell in row[len(columns) :] if cell.strip()]:
        advice = 'put a text with a comma in it between quotes, "..."'
        raise ConfigError(f"{path}:{line}: has more cells than the first line, {beyond[0][:40]!r}: {advice}")
    cells = dict(zip(columns, (" ".join(cell.split()) for cell in row), strict=False))
    term, description = cells.get("term"), cells.get("description")
    if not term or not description:
        raise ConfigError(f"{path}:{line}: a glossary entry needs a term and a description: fill them in, or remove it")
    synonyms = (name.strip() for name in split("[;|]", cells.get("synonyms", "")))
    return Entry((term, *filter(None, synonyms)), description, cells.get("source") or f"{path.name}:{line}")
