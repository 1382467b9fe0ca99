"""Rows of outbreaks by country and year, made of WHO's Disease Outbreak News (CSV)."""

import re
from collections.abc import Iterator
from pathlib import Path

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.kg.tables import line_error, pick, rows

WANTED = ("Country", "iso3", "Year", "icd104n", "icd103n", "icd11l3", "Disease", "DONs")
RELATION = "had an outbreak in"
GENERIC = frozenset(("disease", "fever", "infection", "virus", "coronavirus", "classical"))
BRACKETED = re.compile(r"(.*?)(?: \[(\S+)\])?", re.DOTALL)


def read(path: Path) -> Iterator[Record]:
    """The disease and the country of every row, then the outbreak: its year, and the news that told of it."""
    for line, row in rows(path, WANTED):
        disease, country = pick(row, "Disease"), pick(row, "Country")
        if not disease or not country:
            raise line_error(path, line, "names no disease or no country")
        where = f"country:{pick(row, 'iso3') or country}"
        yield Entity(f"who:{disease}", disease, "disease", synonyms(row, disease))
        yield Entity(where, country, "country")
        yield Triple(f"who:{disease}", RELATION, where, f"WHO {row['DONs']}".strip(), pick(row, "Year"))


def synonyms(row: dict[str, str], disease: str) -> tuple[str, ...]:
    """The names of the classifications that mean just this disease, its acronym, its name without "unspecified"."""
    found = [disease]
    for column in ("icd104n", "icd103n", "icd11l3"):
        name, acronym = BRACKETED.fullmatch(pick(row, column)).groups()  # type: ignore[union-attr] # it fits any text
        if name and essence(name) == essence(disease):
            found += [name, acronym or ""]
    spelt = [form for name in found for form in (name, bare(name)) if form]
    return tuple(name for name in dict.fromkeys(spelt) if name != disease)


def bare(name: str) -> str:
    """The name without what only says that no more is known."""
    return re.sub(r",? (unspecified|not elsewhere classified|virus identified)", "", name)


def essence(name: str) -> frozenset[str]:
    """The words that tell one disease from another."""
    return frozenset(bare(name).casefold().split()) - GENERIC
