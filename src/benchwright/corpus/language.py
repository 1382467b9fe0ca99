"""Which language a document or a text is in (py3langid, extra `lang`), and a refusal of those that nobody wants."""

from collections.abc import Collection
from importlib.util import find_spec
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


# --------------------------------------------------------------------------------------------------- single texts

BYTES_LEAST = 40  # of the letters of a text whose language is told, in UTF-8: below it is a guess
SURE = 12.0  # by how much the logarithm of a language's probability exceeds that of the one that is wanted
NAMES = {
    "arabic": "ar",
    "bengali": "bn",
    "chinese": "zh",
    "czech": "cs",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hebrew": "he",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "korean": "ko",
    "norwegian": "no",
    "persian": "fa",
    "polish": "pl",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "spanish": "es",
    "swahili": "sw",
    "swedish": "sv",
    "thai": "th",
    "turkish": "tr",
    "ukrainian": "uk",
    "urdu": "ur",
    "vietnamese": "vi",
}


def is_installed() -> bool:
    """Whether languages can be told at all."""
    return find_spec("py3langid") is not None


def known_code(name: str) -> str:
    """The code of a language that is named in English, or by its code; "" where it is not known here."""
    known = name.strip().casefold()
    return NAMES.get(known, known if known in NAMES.values() else "")


def other_language(text: str, wanted: str) -> str:
    """The code of the language of a text that is surely not in the wanted one; "" where it is, or may be.

    Words with digits, such as names of strains and codes, are of no language.
    """
    words = " ".join(word for word in text.split() if not any(map(str.isdigit, word)))
    letters = "".join(filter(str.isalpha, words))
    if not wanted or len(letters.encode()) < BYTES_LEAST or not is_installed():
        return ""
    ranked = [(str(code), float(score)) for code, score in identifier().rank(words[:SAMPLE])]
    (first, best), scores = ranked[0], dict(ranked)
    return first if wanted in scores and best - scores[wanted] > SURE else ""
