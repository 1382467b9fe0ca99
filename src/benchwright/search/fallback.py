"""Searches in the order of trust: the first that finds anything; what the others failed at is said, never hidden."""

from collections.abc import Sequence

from benchwright.domain.snippet import Found
from benchwright.errors import BadRequest, Transient
from benchwright.search.base import Search

NOTHING = "nothing about it"


class Fallback:
    """Several searches as one that never fails: where none finds anything, it says why."""

    def __init__(self, searches: Sequence[Search]) -> None:
        """They are asked in this order."""
        self.searches = tuple(searches)

    async def look(self, query: str, most: int) -> Found:
        """What the first search with anything found, and what was wrong with those before it."""
        failures: list[str] = []
        for search in self.searches:
            try:
                snippets = await search.find(query, most)
            except (Transient, BadRequest) as error:
                failures.append(f"{search.name}: {error}")
                continue
            if snippets:
                return Found(snippets, search.name, tuple(failures))
            failures.append(f"{search.name}: {NOTHING}")
        return Found(failures=tuple(failures))
