"""The service behind the queue "search", on loopback sites and files, with what it found kept in the store."""

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.engine.looked_up import KNOWLEDGE, SEED, begun, furnish
from tests.search.site import Said, site

from benchwright.domain.snippet import Snippet
from benchwright.engine.searches import StoreCache
from benchwright.engine.worker import Service
from benchwright.errors import ConfigError
from benchwright.pipelines.lookups import EntityAsk, EntityFound
from benchwright.store.database import Database

PAGE = json.dumps({"results": [{"url": "https://a.example/1", "title": "Quelm", "content": "Borne by midges."}]})


async def look(service: Service, entity: str = "quelm fever", most: int = 6) -> EntityFound:
    return EntityFound.model_validate(await service(EntityAsk(entity, most), SEED))


def texts(found: EntityFound) -> list[str]:
    return [snippet.text for snippet in found.snippets]


async def test_a_glossary_tells_what_a_thing_is_and_what_else_it_is_called(tmp_path: Path) -> None:
    furnish(tmp_path)
    async with begun(tmp_path, {"search": {"glossary": "terms.csv"}}) as (found, _):
        assert list(found) == ["search"]
        answer = await look(found["search"], "Quelm Fever")
    assert texts(answer) == ["A fever of the tropics."]
    assert (answer.by, answer.failures, answer.names) == ("glossary terms.csv", (), ("break-knee", "QF"))


async def test_of_names_with_two_letters_abbreviations_alone_are_told(tmp_path: Path) -> None:
    furnish(tmp_path)
    (tmp_path / "terms.csv").write_text("term,description,synonyms\nconsumption,A cough.,TB;it;A\n", "utf-8")
    async with begun(tmp_path, {"search": {"glossary": "terms.csv"}}) as (found, _):
        answer = await look(found["search"], "consumption")
    assert answer.names == ("TB",)


async def test_without_a_network_a_graph_tells_its_facts_one_relation_after_the_other_with_their_sources(
    tmp_path: Path,
) -> None:
    furnish(tmp_path)
    settings = {"knowledge": KNOWLEDGE, "search": {"use": ["glossary"]}}
    async with begun(tmp_path, settings) as (found, _):
        answer = await look(found["search"], "the quelm fevers of Fiji", 4)
        nobody = await look(found["search"], "the moon")
    assert answer.by == "graph Ills"
    assert texts(answer) == [
        "quelm fever presents joint pain",
        "quelmicin treats quelm fever",
        "quelm fever had an outbreak in Fiji (2004)",
        "marsh fever resembles quelm fever",
    ]
    assert {(one.title, one.url) for one in answer.snippets} == {
        ("quelm fever, disease", source) for source in ("Ills", "Drugs 7", "WHO DON1")
    }
    assert (nobody.snippets, nobody.by, nobody.failures) == ((), "", ("graph Ills: nothing about it",))


async def test_a_glossary_is_trusted_more_than_graphs_and_both_tell_other_names(tmp_path: Path) -> None:
    furnish(tmp_path)
    rows = "term,description,synonyms\nquelm fever,A fever.,break-knee;infection\nmidge,A fly.,\n"
    (tmp_path / "terms.csv").write_text(rows, "utf-8")
    outbreak = {"Disease Name": "QuelmFever", "Real Events": {"1": "Outbreak of QuelmFever occurred in Fiji."}}
    (tmp_path / "ills.json").write_text(json.dumps({"1": outbreak}), "utf-8")
    knowledge = {"graphs": [{"form": "ekg", "path": "ills.json"}], "vocabularies": []}
    settings = {"knowledge": knowledge, "search": {"glossary": "terms.csv"}}
    async with begun(tmp_path, settings) as (found, _):
        answer = await look(found["search"])
        graph = await look(found["search"], "QuelmFever")
    assert (answer.by, answer.names) == ("glossary terms.csv", ("break-knee", "QuelmFever"))
    assert (graph.by, graph.names) == ("graph ekg", ("Quelm Fever",))


async def test_what_the_web_says_is_kept_before_it_is_used_and_asked_for_once(tmp_path: Path) -> None:
    furnish(tmp_path)
    with site(lambda path: Said(PAGE)) as place:
        settings = {"search": {"use": ["searxng"], "searxng": place.url}}
        async with begun(tmp_path, settings) as (found, said):
            answers = await asyncio.gather(*(look(found["search"]) for _ in range(3)))
            assert await look(found["search"]) == answers[0]
        asked = [parse_qs(urlsplit(path).query)["q"] for path, _ in place.asked]
    assert asked == [["quelm fever definition characteristics epidemiology"]]
    assert texts(answers[0]) == ["Borne by midges."]
    assert (answers[0].by, said) == (f"searxng at {place.url}", [])


async def test_a_cache_is_the_stores_and_tells_an_empty_answer_from_none() -> None:
    async with await Database.open(None, create=True) as database:
        cache = StoreCache(database, lambda: 0.0)
        kept = (Snippet("Borne by midges.", "https://a.example/1", "Quelm"),)
        await cache.save("k", "searxng", "quelm", kept)
        await cache.save("n", "searxng", "moon", ())
        assert [await cache.find(key) for key in ("k", "n", "other")] == [kept, (), None]


@pytest.mark.parametrize(
    "said",
    [Said("slow down", 202), Said("<html></html>"), Said("late", wait=1.4)],
    ids=["the 202 rate page", "an empty page", "a timeout"],
)
async def test_searches_that_fail_in_each_of_their_ways_are_passed_over_and_told_of_once(
    said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ddgs", reason="DuckDuckGo needs the extra 'search'")
    from ddgs.engines.duckduckgo import Duckduckgo

    from benchwright.search import duckduckgo

    monkeypatch.setattr(duckduckgo, "GAP", 0.0)
    furnish(tmp_path)
    with site(lambda path: said) as first, site(lambda path: Said(status=503)) as second:
        monkeypatch.setattr(Duckduckgo, "search_url", f"{first.url}/html/")
        web = {"glossary": "terms.csv", "searxng": second.url, "timeout": 1}
        use = ["duckduckgo", "searxng", "glossary"]
        async with begun(tmp_path, {"search": {"use": use, **web}}) as (found, lines):
            found_first = await look(found["search"])
            nowhere = await look(found["search"], "the moon")
    assert found_first.by == "glossary terms.csv"
    assert [failure.partition(":")[0] for failure in found_first.failures] == ["duckduckgo (us-en)", "searxng at http"]
    assert nowhere.by == ""
    assert nowhere.failures[2] == "glossary terms.csv: nothing about it"
    assert len(lines) == 2
    assert all(line.startswith("search: ") and line.endswith("; glossary terms.csv is asked instead") for line in lines)


async def test_where_nobody_else_knows_it_that_is_said(tmp_path: Path) -> None:
    with site(lambda path: Said(status=503)) as place:
        settings: dict[str, Any] = {"search": {"use": ["searxng"], "searxng": place.url, "words": ""}}
        async with begun(tmp_path, settings) as (found, lines):
            assert (await look(found["search"])).snippets == ()
    assert lines == [f"search: searxng at {place.url}: HTTP 503; nobody else knows it"]


async def test_a_glossary_that_cannot_be_read_stops_the_run_before_it_begins(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the glossary .*none\.csv cannot be read"):
        async with begun(tmp_path, {"search": {"glossary": "none.csv"}}):
            pass
