"""Numbers in texts: which of those a claim states occur in what it cites, however each is written."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
SMALL = 12  # up to here numbers are written as words in any language, count what a sentence lists, or name months

GROUPED = r"([1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+|(?:[ '\u2019]\d{3})+))(?:[.,·](\d+))?(?!\d)"  # 12 345.6
SINGLE = r"(\d+)(?:[.,·](\d+))?"
NUMBER = re.compile(rf"{GROUPED}|\d+(?:\.\d+){{2,}}|{SINGLE}")
NAMED = re.compile(r"(?:[^\W\d]-?)\d+(?:[.,]\d+)*")  # H5N1, COVID-19, RR95: part of a name
WORDED = re.compile(rf"\b(?:({'|'.join(TENS)})(?:[\s-]({'|'.join(UNITS[1:10])}))?|({'|'.join(UNITS[13:])}))\b")
POWER = re.compile(r"(?<=\d)(?=[\u207a\u207b]?[\u00b9\u00b2\u00b3\u2070-\u2079])")  # 10 to the sixth is not 106
EXEMPT = re.compile(r"100+")  # all (100 %), and what rates are given per


@lru_cache(maxsize=4096)
def unstated_numbers(text: str, source: str) -> tuple[str, ...]:
    """The numbers of `text` that `source` does not state, as written; small ones and those in names are let pass.

    Generous: a number counts as stated if any reading of it is (1,234 may be 1234 or 1.234; English words count).
    """
    stated = tuple(number_texts(NAMED.sub(" ", digits(text))))
    known = number_readings(digits(source)) if stated else set[str]()
    return tuple(number for number in stated if not is_known(number, known))


def digits(text: str) -> str:
    """The text with every script's decimal digits and separators as 0-9 and points or commas; a power as 10^6."""
    folded = unicodedata.normalize("NFKC", POWER.sub("^", text)).translate({0x066B: ".", 0x066C: ","})
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in folded)


def number_readings(source: str) -> set[str]:
    """Every reading of every number in a text, and every run of digits by itself."""
    runs = map(trim_zeros, re.findall(r"\d+", source))
    return {*runs, *number_words(source), *(reading for number in number_texts(source) for reading in readings(number))}


def number_texts(text: str) -> Iterator[str]:
    """The numbers of a text as they are written."""
    return (found[0] for found in NUMBER.finditer(text))


def is_known(number: str, known: set[str]) -> bool:
    """Whether the number is known or exempt; a date or a row of numbers may be so part by part."""
    meanings = readings(number)
    if exempt(meanings[0]) or not known.isdisjoint(meanings):
        return True
    parts = re.split(r"[ .]", number)
    apart = " " in number or len(parts) > 2  # noqa: PLR2004 - one point makes a decimal, two a date
    return apart and all(exempt(part) or part in known for part in map(trim_zeros, parts))


def readings(number: str) -> tuple[str, ...]:
    """What a written number may mean, the likeliest first."""
    if grouped := re.fullmatch(GROUPED, number):
        return trim_zeros(re.sub(r"\D", "", grouped[1]), grouped[2]), re.sub("[,·]", ".", number)
    if single := re.fullmatch(SINGLE, number):
        return (trim_zeros(*single.groups()),)
    return (number,)


def trim_zeros(whole: str, decimals: str | None = None) -> str:
    """A number without leading zeros and without zeros after the last decimal, its decimals after a point."""
    rest = (decimals or "").rstrip("0")
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")


def exempt(reading: str) -> bool:
    """Whether a number is too common, or too often a word, to be looked for."""
    small = len(reading) <= len(str(SMALL)) and reading.isdigit() and int(reading) <= SMALL
    return small or EXEMPT.fullmatch(reading) is not None


def number_words(text: str) -> Iterator[str]:
    """The numbers from 13 to 99 that stand in the text as English words."""
    for tens, unit, teen in WORDED.findall(text.casefold()):
        yield str(UNITS.index(teen)) if teen else str(10 * (TENS.index(tens) + 2) + (UNITS.index(unit) if unit else 0))
