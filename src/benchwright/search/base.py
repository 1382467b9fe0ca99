"""What every search is, and where what it found is kept."""

from typing import Protocol

from benchwright.domain.snippet import Snippet

KEPT = 2000  # characters of a snippet that are stored
ASKED = 300  # characters of a query that leave


class Search(Protocol):
    """One source of snippets. A look-up fetches no page: what comes is what the source itself shows of it.

    Only `benchwright corpus collect` fetches what a search names (`corpus/fetch.py`).
    """

    @property
    def name(self) -> str:
        """What it is called in messages, with all that decides what it finds."""
        ...

    async def find(self, query: str, most: int) -> tuple[Snippet, ...]:
        """At most so many snippets, the best first; none where it has nothing.

        Raises `Transient`, or `BadRequest` where the source will never answer like this.
        """
        ...


class Cache(Protocol):
    """Where snippets are kept; `save` returns when they are durable."""

    async def find(self, key: str) -> tuple[Snippet, ...] | None:
        """The snippets of a query that was answered; None for any other."""
        ...

    async def save(self, key: str, search: str, query: str, snippets: tuple[Snippet, ...]) -> None:
        """Keep what a search found."""
        ...


def snippet(text: str, url: str, title: str = "") -> Snippet:
    """A snippet as it is stored: on one line, of bounded length, its address one of the web or none."""
    address = url if url.startswith(("https://", "http://")) else ""
    return Snippet(" ".join(text.split())[:KEPT], address[:KEPT], " ".join(title.split())[:KEPT])


def trim_query(query: str) -> str:
    """A query on one line, of bounded length."""
    return " ".join(query.split())[:ASKED]
