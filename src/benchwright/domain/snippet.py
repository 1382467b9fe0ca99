"""What a search found: a few lines by strangers, where they stand, and how they are shown so that they stay data."""

import unicodedata
from dataclasses import dataclass

LONGEST = 600  # characters of a snippet that are shown
TAG = "search_results"
# The small and the full-width ones are brackets too, once a reader folds them.
BRACKETS = str.maketrans(dict.fromkeys("<\ufe64\uff1c", "\u2039") | dict.fromkeys(">\ufe65\uff1e", "\u203a"))


@dataclass(frozen=True, slots=True)
class Snippet:
    """Lines about something as somebody else wrote them, and the address or file where they stand."""

    text: str
    url: str
    title: str = ""

    def __str__(self) -> str:
        """Title and text as a prompt shows them."""
        return harmless(f"{self.title}: {self.text}" if self.title else self.text)


@dataclass(frozen=True, slots=True)
class Found:
    """The snippets, which search they are `by` ("" where none had any), and what went wrong with those before it."""

    snippets: tuple[Snippet, ...] = ()
    by: str = ""
    failures: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Results:
    """A field of a question that shows snippets, numbered and between tags that none of them can close."""

    snippets: tuple[Snippet, ...]

    def __str__(self) -> str:
        """One line for each."""
        lines = (f"{number}. {snippet}" for number, snippet in enumerate(self.snippets, 1))
        return "\n".join([f"<{TAG}>", *lines, f"</{TAG}>"])


def harmless(text: str) -> str:
    """The text on one line, without invisible characters, its angle brackets no longer those of tags; cut to length.

    All else stays as it is written: in another Unicode form a power of ten would lose its exponent.
    """
    visible = "".join(" " if unicodedata.category(char) in {"Cc", "Zl", "Zp"} else char for char in text)
    shown = "".join(char for char in visible if unicodedata.category(char)[0] != "C")
    line = " ".join(shown.translate(BRACKETS).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "\u2026"
