"""Which language a document is in (py3langid, extra `lang`), and a refusal of those that a campaign does not want."""

from collections.abc import Collection
from typing import Any

from benchwright.domain.document import Document
from benchwright.domain.extra import library
from benchwright.errors import Unreadable

SAMPLE = 20_000  # characters


def identifier() -> Any:
    """The library; raises `ConfigError` where it is missing."""
    return library("py3langid", "telling the language of documents ([documents] languages)", "lang")


def language_of(text: str) -> str:
    """The code (ISO 639-1) of the language of a text, by its letters alone; "" for one without letters."""
    sample = text[:SAMPLE]
    if not any(map(str.isalpha, sample)):
        return ""
    code, _ = identifier().classify(sample)
    return str(code)


def refuse_other_languages(document: Document, wanted: Collection[str]) -> None:
    """Raise `Unreadable` for a document in none of the wanted languages; what its file says of itself is not asked."""
    if wanted and (found := language_of(document.text)) not in wanted:
        names = ", ".join(sorted(wanted))
        message = f"{document.name}: is in the language '{found}', [documents] languages wants {names}"
        raise Unreadable(message, "other language")


def unknown_codes(wanted: Collection[str]) -> list[str]:
    """Those of the codes that the library never tells; raises `ConfigError` where it is missing."""
    known = {str(code) for code, _ in identifier().rank("a")}
    return sorted(set(wanted) - known)
