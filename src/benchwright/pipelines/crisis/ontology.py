"""The labels that incidents and places may have, from a file such as that of Incidents1M, with aliases.

A file of labels is a JSON object: `incidents` and `places` are lists of names; `aliases`, if given, maps another name
to the label that it stands for. A label of several words ("mudslide mudflow") often joins two names of one thing, so a
word that stands in one label alone is an alias of that label.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from benchwright.domain.ids import content_id
from benchwright.errors import UsageError

EXAMPLE = '{"incidents": ["flooded"], "places": ["street"], "aliases": {"flood": "flooded"}}'


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one sort, `sort` being "incident" or "place"; without any, every label is good."""

    sort: str
    names: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> Mapping[str, str]:
        """The label that each name stands for: labels themselves, words of one label alone, and given aliases."""
        words = Counter(word for name in self.names for word in set(name.split()))
        parts = {word: name for name in self.names for word in name.split() if words[word] == 1}
        return {**parts, **self.aliases, **{name: name for name in self.names}}

    def find(self, label: str) -> str:
        """The label that a name stands for; "" where there is none. Without any labels each stands for itself."""
        plain = fold(label)
        return self.known.get(plain, "") if self.names else plain

    def nearest(self, label: str) -> str:
        """The label that is spelt most alike; "" where none is near."""
        return next(iter(get_close_matches(fold(label), self.names, 1, 0.6)), "")

    def faults(self, labels: Iterable[str]) -> Iterator[str]:
        """A sentence for each label that is none of the list: what it was taken for, or which one is near."""
        for label in labels:
            if not self.names or fold(label) in self.names:
                continue
            if taken := self.find(label):
                yield f"{self.sort} {label!r} is outside of the labels: taken as {taken!r}"
            else:
                near = self.nearest(label)
                hint = f"; did you mean {near!r}?" if near else ""
                yield f"{self.sort} {label!r} is outside of the labels{hint}"


@dataclass(frozen=True, slots=True)
class Ontology:
    """The labels of incidents and places; `id` is the hash of what they are."""

    incidents: Labels = Labels("incident")
    places: Labels = Labels("place")

    @property
    def id(self) -> str:
        """The hash of the labels, for recipes; "" where there are none."""
        parts = [[one.names, dict(one.aliases)] for one in (self.incidents, self.places)]
        return content_id("labels", parts) if any(one.names for one in (self.incidents, self.places)) else ""


NO_LABELS = Ontology()


def fold(label: str) -> str:
    """A label without case, and with one blank between its words."""
    return " ".join(label.replace("_", " ").casefold().split())


def read_ontology(path: Path) -> Ontology:
    """The labels in a file; raises `UsageError` with what is wrong."""
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: the file of labels cannot be read ({error.strerror}): check its path") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: the file of labels is no JSON ({error}): write it as {EXAMPLE}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path}: holds no object: write the labels as {EXAMPLE}")
    incidents, places = (names_of(value, key, path) for key in ("incidents", "places"))
    aliases = aliases_of(value, {*incidents, *places}, path)
    sides = {
        sort: {name: label for name, label in aliases.items() if label in names}
        for sort, names in (("incident", incidents), ("place", places))
    }
    return Ontology(Labels("incident", incidents, sides["incident"]), Labels("place", places, sides["place"]))


def names_of(value: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    """A list of labels, each once."""
    found = value.get(key)
    if not isinstance(found, list) or not found or not all(isinstance(one, str) and one.strip() for one in found):
        raise UsageError(f"{path}: {key} should be a list of labels: write the file as {EXAMPLE}")
    return tuple(dict.fromkeys(map(fold, found)))


def aliases_of(value: Mapping[str, Any], labels: set[str], path: Path) -> dict[str, str]:
    """The aliases, each of a label that there is."""
    found = value.get("aliases", {})
    if not isinstance(found, dict) or not all(isinstance(one, str) for one in found.values()):
        raise UsageError(f"{path}: aliases should map a name to a label: write the file as {EXAMPLE}")
    aliases = {fold(name): fold(label) for name, label in found.items()}
    if wrong := next((label for label in aliases.values() if label not in labels), None):
        raise UsageError(f"{path}: the alias of {wrong!r} stands for no label: add that label, or take the alias out")
    return aliases
