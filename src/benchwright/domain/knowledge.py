"""What a knowledge graph states: entities under their names, and relations between two of them with their source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

from benchwright.domain.ids import content_id
from benchwright.domain.snippet import harmless
from benchwright.domain.text import plain
from benchwright.errors import UsageError

SHORTEST_PLURAL = 4  # letters: "gas" and "bus" are no plurals
BRITISH = re.compile(r"(?<=[a-z])[ao]e(?=[a-z])|(?<=[a-z]{3}o)u(?=r\Z)|\boe(?=[ds])")  # haemorrhage, tumour, oedema
BRACKETED = re.compile(r"([^()\[\]]*[^()\[\]\s])\s*[(\[]([^()\[\]]+)[)\]]\s*")
QUALIFIERS = frozenset(
    ("finding", "disorder", "disease", "symptom", "sign", "syndrome", "procedure", "adult", "child", "unspecified")
)
HYPHENS = re.compile(r"[-\u2010\u2011](?=[^\W\d_])")
PARTS = re.compile(r"(?<=[A-Z]{2})(?=[A-Z][a-z])")
ENDINGS = (("iases", "iasis"), ("ioses", "iosis"), ("ies", "y"), ("sses", "ss"), ("ruses", "rus"), ("s", ""))


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that a graph knows; `kind` in small letters, such as "disease"."""

    id: str
    name: str
    kind: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation as a file states it, between two ids; `source` says who claims it, `details` what else is known."""

    subject: str
    relation: str
    object: str
    source: str
    details: str = ""


Record = Entity | Triple  # what a file of a graph is read as; a triple comes after its ends


class Named(NamedTuple):
    """An entity under one of its names."""

    name: str
    entity: Entity
    synonym: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A triple whose ends are known by name."""

    subject: Entity
    relation: str
    object: Entity
    source: str
    details: str = ""

    @property
    def id(self) -> str:
        """The same for the same claim of the same source, on any machine."""
        return content_id("fact", [self.subject.id, self.relation, self.object.id, self.source, self.details])

    @property
    def ends(self) -> tuple[Entity, Entity]:
        """Subject and object."""
        return self.subject, self.object

    def other(self, end: str) -> Entity:
        """The end that has not the id `end`; the object where both have it."""
        return self.subject if self.object.id == end else self.object

    def __str__(self) -> str:
        """One line, whatever a graph's file holds: "chloroquine | treats | malaria | 2004 (Hetionet)"."""
        parts = (self.subject.name, self.relation, self.object.name, self.details)
        return harmless(f"{' | '.join(filter(None, parts))} ({self.source})")


@lru_cache(maxsize=65536)
def form(name: str) -> str:
    """The normal form of a name: without case, punctuation and plural; equal forms are the same name."""
    return " ".join(map(singular, plain(name).split()))


def singular(word: str) -> str:
    """The word without the ending of a plural, in American spelling; crude, but the same for every text."""
    if len(word) >= SHORTEST_PLURAL and not word.endswith(("ss", "us", "is")):
        ends = ((ending, instead) for ending, instead in ENDINGS if word.endswith(ending))
        word = next((word.removesuffix(ending) + instead for ending, instead in ends), word)
    return BRITISH.sub(lambda found: "" if found[0] == "u" else "e", word)


def spellings(name: str) -> tuple[str, ...]:
    """The name, and how else it is spelt: without its bracket, as what the bracket says, an acronym in one or parts.

    "Mpox (monkeypox)" is Mpox and monkeypox, "MERS-CoV" is MERSCoV and MERS CoV.
    """
    found = [name]
    if bracketed := BRACKETED.fullmatch(name):
        found = [bracketed[1], *([] if form(bracketed[2]) in QUALIFIERS else [bracketed[2]])]
    for one in list(found):
        if " " not in one and sum(map(str.isupper, one)) > 1:
            found += [HYPHENS.sub("", one), PARTS.sub(" ", HYPHENS.sub(" ", one))]
    return tuple(dict.fromkeys(found))


def merge_entities(known: Entity | None, found: Entity) -> Entity:
    """An entity that may have been told of before: the first name stays, other names are synonyms."""
    if known is None:
        return found
    more = (*known.synonyms, found.name, *found.synonyms)
    return replace(known, synonyms=tuple(name for name in dict.fromkeys(more) if name != known.name))


def names_of(entity: Entity) -> Iterator[tuple[str, Named]]:
    """The entity under each of its names, with the name's normal form; each form once."""
    seen = {""}
    names = (entity.name, *entity.synonyms)
    spelt = (spelling for name in names for spelling in spellings(name))
    for number, name in enumerate((*names, *spelt)):
        if (wanted := form(name)) not in seen:
            seen.add(wanted)
            yield wanted, Named(name, entity, number > 0)


def unknown_end(label: str, triple: Triple, end: str) -> UsageError:
    """The error for a triple whose end no file tells of."""
    message = (
        f"{label}: the triple {triple.subject} {triple.relation} {triple.object} names {end}, of which no file of "
        "entities tells: are all files of one release, and complete?"
    )
    return UsageError(message)
