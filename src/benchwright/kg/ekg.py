"""eKG-DONs, the JRC's graph of WHO's Disease Outbreak News: its Turtle file, or the JSON made of it.

Each record is one outbreak: a disease, a country (which may be missing), a date, cases and deaths as far as known.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from benchwright.domain.extra import library
from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.errors import UsageError
from benchwright.kg.outbreaks import RELATION

SOURCE = "eKG-DONs"
FIELDS = ("virus_extracted", "country_extracted", "date_extracted", "cases_extracted", "deaths_extracted")
SENTENCE = re.compile(
    # a country's name has no digit, and no word with which such a sentence goes on
    r"Outbreak of (?P<virus>(?:(?! occurred\b| reported\b).)+) occurred"
    r"(?: in (?P<country>(?:(?! (?:on|with|reported|occurred|was|were|since|during|between|from|until)\b)"
    r"[^\d;:])*?))??"
    r"(?: on (?P<date>\d{4}(?:-\d\d){0,2}))?(?: and(?: was)? reported(?: on)? \d{4}(?:-\d\d){0,2})?"
    r"(?:, with confirmed (?P<cases>\d+) cases)?(?: and (?P<deaths>\d+) deaths)?\."
)
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")  # PneumococcalInfection


class Disease(BaseModel):
    """An entry of the JSON form."""

    model_config = ConfigDict(extra="ignore")

    name: str = Field(alias="Disease Name")
    events: dict[str, str] = Field(default={}, alias="Real Events")


def read(path: Path) -> Iterator[Record]:
    """The diseases, countries and outbreaks of a Turtle (`.ttl`) or JSON file."""
    return read_turtle(path) if path.suffix == ".ttl" else read_json(path)


def read_json(path: Path) -> Iterator[Record]:
    """Each sentence about an outbreak taken apart; its date is that of the outbreak, not of the report."""
    try:
        diseases = TypeAdapter(dict[str, Disease]).validate_python(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, ValidationError) as error:
        raise UsageError(f"{path}: is not the JSON form of eKG-DONs: {error}") from error
    for disease in diseases.values():
        for key, text in disease.events.items():
            if not (found := SENTENCE.fullmatch(text)):
                raise UsageError(f"{path}: {disease.name}, {key} is no sentence about an outbreak: {text!r}")
            said = {name: value or "" for name, value in found.groupdict().items()}
            yield from outbreak(disease.name, said["country"], said["date"], said["cases"], said["deaths"])


def read_turtle(path: Path) -> Iterator[Record]:
    """Each record that names a disease."""
    rdflib = library("rdflib", "reading Turtle", "kg")
    graph: Any = rdflib.Graph()
    try:
        graph.parse(data=path.read_bytes(), format="turtle")
    except (OSError, rdflib.plugins.parsers.notation3.BadSyntax) as error:
        raise UsageError(f"{path}: is not Turtle: {error}") from error
    for record in sorted(set(graph.subjects(rdflib.DCTERMS.identifier)), key=str):
        # the file has its fields now in its own namespace, now in that of RDF Schema
        said = {re.split(r"[/#]", str(name))[-1]: str(value) for name, value in graph.predicate_objects(record)}
        disease, country, date, cases, deaths = (said.get(name, "").strip() for name in FIELDS)
        if disease:
            yield from outbreak(disease, country, date, cases, deaths, f"{SOURCE} {said.get('label', '')}".strip())


def outbreak(disease: str, country: str, date: str, cases: str, deaths: str, source: str = SOURCE) -> Iterator[Record]:
    """The disease, the place and the outbreak of one record; "an unnamed place" where none is told."""
    known, place = f"ekg:{disease}", country.strip() or "an unnamed place"
    apart = CAMEL.sub(" ", disease)
    yield Entity(known, disease, "disease", (apart,) if apart != disease else ())
    yield Entity(f"place:{place}", place, "country")
    counts = [f"{number} {what}" for number, what in ((cases, "cases"), (deaths, "deaths")) if number]
    yield Triple(known, RELATION, f"place:{place}", source, "; ".join(filter(None, [date, *counts])))
