"""The tables that say where things are looked up: what they take, and what is said of mistakes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from benchwright.kg.sources import FORMS, VOCABULARIES
from benchwright.pipelines import sources
from benchwright.pipelines.sources import GraphSource, KnowledgeSettings, SearchSettings, source_hashes

TRIPLES = {"form": "triples", "path": "own.csv"}


def fault(shape: type[KnowledgeSettings | SearchSettings], table: dict[str, Any]) -> str:
    with pytest.raises(ValidationError) as caught:
        shape.model_validate(table)
    (first, *_) = caught.value.errors()
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def test_the_forms_and_vocabularies_are_those_that_can_be_read() -> None:
    for form in FORMS:
        assert GraphSource.model_validate({"form": form, "path": "x"}).display_name == form
    assert KnowledgeSettings().vocabularies == VOCABULARIES


def test_what_was_read_is_the_same_after_a_recipe_has_kept_it() -> None:
    for settings in (KnowledgeSettings(graphs=(GraphSource(form="ibkh", path="a"),)), SearchSettings(glossary="t.csv")):
        assert type(settings).model_validate(settings.model_dump(mode="json")) == settings


def test_the_defaults_need_no_model_and_no_network() -> None:
    assert (KnowledgeSettings().finder, KnowledgeSettings().labels, KnowledgeSettings().threshold) == (
        "dictionary",
        ("disease",),
        0.9,
    )
    assert SearchSettings().use == ("glossary",)


@pytest.mark.parametrize(
    ("given", "kinds"),
    [
        ({}, ("disease",)),
        ({"labels": ["disease", "drug"]}, ("disease", "drug")),
        ({"labels": ["country"]}, ()),
        ({"vocabularies": []}, ()),
        ({"finder": "gliner:some/model"}, ()),
    ],
)
def test_only_vocabularies_of_what_is_looked_for_are_read_and_only_by_a_dictionary(
    given: dict[str, Any], kinds: tuple[str, ...]
) -> None:
    assert KnowledgeSettings.model_validate(given).dictionaries == kinds


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"graphs": [{"form": "graphml", "path": "x"}]}, "graphs.0.form: Input should be 'ekg', 'hetionet', 'ibkh'"),
        ({"graphs": [{"form": "ekg", "path": ""}]}, "graphs.0.path: String should have at least 1 character"),
        ({"graphs": [{**TRIPLES, "label": "../x"}]}, "graphs.0.label: String should match pattern"),
        ({"graphs": [TRIPLES, TRIPLES]}, ": Value error, several graphs are called 'triples': give each a label"),
        ({"graphs": [{**TRIPLES, "label": "A"}, {**TRIPLES, "label": "a"}]}, ": Value error, several graphs are"),
        ({"finder": "spacy"}, 'finder: Value error, should be "dictionary", or a GLiNER model by its folder'),
        ({"finder": "gliner: "}, "finder: Value error, should be"),
        ({"finder": "fast-gliner:x", "threshold": 0.4}, ": Value error, fast-gliner drops all below 0.5: raise"),
        ({"labels": []}, "labels: Tuple should have at least 1 item"),
        ({"vocabularies": ["gene"]}, "vocabularies.0: Input should be 'disease' or 'drug'"),
        ({"treshold": 0.5}, "treshold: Extra inputs are not permitted"),
    ],
)
def test_mistakes_about_graphs_are_told_with_the_way_out(table: dict[str, Any], message: str) -> None:
    assert fault(KnowledgeSettings, table).startswith(message)


def test_a_library_that_honours_it_takes_any_threshold() -> None:
    assert KnowledgeSettings(finder="torch-gliner:x", threshold=0.4).threshold == 0.4


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"use": []}, "use: Tuple should have at least 1 item"),
        ({"use": ["google"]}, "use.0: Input should be 'glossary', 'duckduckgo' or 'searxng'"),
        ({"use": ["glossary", "glossary"]}, ": Value error, use names a search twice"),
        ({"use": ["searxng"]}, ": Value error, use names searxng, but not where it is: give searxng ="),
        ({"searxng": "http://localhost:8888"}, ': Value error, searxng is given, but not asked: add "searxng" to use'),
        ({"use": ["duckduckgo"], "glossary": "t.csv"}, ": Value error, glossary is given, but not asked"),
        ({"searxng": "localhost"}, "searxng: Value error, should be an address such as http://localhost:8888"),
        ({"searxng": "http://[::1"}, "searxng: Value error, should be an address"),
        ({"searxng": "http://me:pw@localhost"}, "searxng: Value error, should be an address"),
        ({"region": "germany"}, "region: String should match pattern"),
    ],
)
def test_mistakes_about_searches_are_told_with_the_way_out(table: dict[str, Any], message: str) -> None:
    assert fault(SearchSettings, table).startswith(message)


def test_an_address_is_kept_without_its_closing_slash() -> None:
    assert SearchSettings(use=("searxng",), searxng="http://localhost:8888/").searxng == "http://localhost:8888"


def test_what_a_campaign_draws_on_is_another_when_a_file_has_another_size(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "a.csv").write_text("a", "utf-8")
    (tmp_path / "terms.csv").write_text("b", "utf-8")
    knowledge = KnowledgeSettings(graphs=(GraphSource(form="ibkh", path="deep"),))
    search = SearchSettings(glossary="terms.csv")
    before = source_hashes(knowledge, search, tmp_path)
    assert set(before) == {"graph ibkh", "glossary"}
    assert source_hashes(knowledge, SearchSettings(), tmp_path) == {"graph ibkh": before["graph ibkh"]}
    assert source_hashes(None, search, tmp_path) == {"glossary": before["glossary"]}
    assert source_hashes(None, None, tmp_path) == {}
    (tmp_path / "deep" / "er" / "a.csv").write_text("ab", "utf-8")
    (tmp_path / "terms.csv").unlink()
    after = source_hashes(knowledge, search, tmp_path)
    assert all(after[name] != before[name] for name in before)


def test_an_edit_that_keeps_the_size_is_seen_in_a_small_file_and_a_large_one_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, terms = SearchSettings(glossary="terms.csv"), tmp_path / "terms.csv"

    def looked_at(text: str) -> Mapping[str, str]:
        terms.write_text(text, "utf-8")
        return source_hashes(None, search, tmp_path)

    assert looked_at("before") != looked_at("behind")
    monkeypatch.setattr(sources, "SMALL", 5)
    assert looked_at("before") == looked_at("behind") != looked_at("below it")
