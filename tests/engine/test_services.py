"""Which services a campaign gets, that they are closed, and what `doctor` is told of what they need."""

import asyncio
import importlib.util
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.engine.looked_up import KNOWLEDGE, SEED, begun, furnish
from tests.rig import rig
from tests.scripted_choice import KNOWN, inference
from tests.scripted_choice import answer as scripted

from benchwright.domain.item import Seed
from benchwright.engine.runner import How, Runner
from benchwright.engine.services import check
from benchwright.errors import ConfigError
from benchwright.pipelines.lookups import GRAPHS, EntityAsk, TopicAsk, TopicFacts, find_facts
from benchwright.store import items

GLOSSARY = {"glossary": "terms.csv"}


@pytest.mark.parametrize(
    ("settings", "queues"),
    [
        ({"taxonomy": "epidemiology"}, []),
        ({"knowledge": KNOWLEDGE, "search": GLOSSARY}, ["graphs", "search"]),
        ({"knowledge": KNOWLEDGE, "search": GLOSSARY, "refine": False}, ["graphs"]),
        ({"knowledge": None, "search": GLOSSARY, "refine": {"rounds": 3}}, ["search"]),
        ({"knowledge": {"graphs": []}, "search": {}}, ["search"]),
    ],
)
async def test_a_campaign_gets_the_services_that_its_settings_want(
    settings: Mapping[str, Any], queues: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    furnish(tmp_path)
    async with begun(tmp_path, settings) as (found, _):
        assert list(found) == queues


async def test_closed_services_leave_no_thread_and_no_open_file(tmp_path: Path) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    furnish(tmp_path)
    async with begun(tmp_path, {"knowledge": KNOWLEDGE, "search": GLOSSARY}) as (found, _):
        await asyncio.gather(found["graphs"](TopicAsk("any"), SEED), found["search"](EntityAsk("quelm fever", 3), SEED))
    assert not [one.name for one in threading.enumerate() if one.name.startswith(("graphs", "search"))]
    with pytest.raises((RuntimeError, sqlite3.ProgrammingError)):
        await found["search"](EntityAsk("quelm fever", 3), SEED)


def told(settings: Mapping[str, Any], folder: Path) -> list[tuple[str, bool, str]]:
    return [
        (one.name, one.ok, one.message.replace(f"{folder}/", ""))
        for one in check(settings, folder, folder / "c-graphs")
    ]


def test_doctor_is_told_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    furnish(tmp_path)
    monkeypatch.setattr("benchwright.search.duckduckgo.find_spec", lambda name: name)  # as where it is installed
    web = {"use": ["glossary", "duckduckgo", "searxng"], "searxng": "http://localhost:1", **GLOSSARY}
    assert told({"knowledge": KNOWLEDGE, "search": web}, tmp_path) == [
        ("graph Ills", True, "ills.csv begins as a graph of the form triples"),
        ("finder", True, "a dictionary of the graphs' names finds what is mentioned: no GLiNER model is named"),
        ("search glossary", True, "terms.csv has 1 entries"),
        ("search duckduckgo", True, "duckduckgo (us-en) is asked over the network, not before the run"),
        ("search searxng", True, "searxng at http://localhost:1 is asked over the network, not before the run"),
    ]


async def test_doctor_is_told_that_a_graph_is_loaded_and_reads_none_of_it_again(tmp_path: Path) -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")
    furnish(tmp_path)
    async with begun(tmp_path, {"knowledge": KNOWLEDGE}):
        assert told({"knowledge": KNOWLEDGE}, tmp_path)[0] == ("graph Ills", True, "ills.csv is loaded")
    (tmp_path / "ills.csv").write_text("another one", "utf-8")
    assert told({"knowledge": KNOWLEDGE}, tmp_path)[0][1] is False


def test_a_graph_must_not_lie_where_the_campaign_lies_whose_files_change(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for path in (".", ".."):
        knowledge = {"graphs": [{"form": "ibkh", "path": path}]}
        name, ok, message = told({"knowledge": knowledge}, tmp_path / "in")[0]
        assert (name, ok) == ("graph ibkh", False)
        assert message.endswith("give the graph a folder of its own")


async def test_a_graph_without_anything_that_is_looked_for_is_told_with_what_it_has(tmp_path: Path) -> None:
    furnish(tmp_path)
    with pytest.raises(ConfigError, match=r"Ills has nothing of the kind 'diseases': .* country, disease, drug, sym"):
        async with begun(tmp_path, {"knowledge": {**KNOWLEDGE, "labels": ["diseases"]}}):
            pass


def test_doctor_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty.csv").write_text("subject,relation,object\n", "utf-8")
    (tmp_path / "terms.csv").write_text("word,meaning\n", "utf-8")
    real = importlib.util.find_spec
    gone = {"fast_gliner", "gliner", "numpy", "torch", "transformers", "ddgs"}
    for where in ("benchwright.kg.vectors", "benchwright.search.duckduckgo", "importlib.util"):
        monkeypatch.setattr(f"{where}.find_spec", lambda name, *rest: None if name in gone else real(name, *rest))
    graphs = [{"form": "hetionet", "path": "none"}, {"form": "triples", "path": "empty.csv"}]
    knowledge = {"graphs": graphs, "finder": "gliner:some/model", "vectors": "some/bert"}
    faults = told({"knowledge": knowledge, "search": {"use": ["glossary", "duckduckgo"], **GLOSSARY}}, tmp_path)
    assert [name for name, ok, _ in faults if not ok] == [name for name, *_ in faults]
    assert [message.partition(":")[0] for *_, message in faults] == [
        "none",
        "empty.csv holds nothing",
        "the finder gliner",
        "the embedding model 'some/bert' needs the extra 'gliner'",
        "terms.csv",
        "the search duckduckgo needs the package ddgs",
    ]


def test_doctor_is_told_where_nothing_could_be_looked_up_and_where_only_graphs_could(tmp_path: Path) -> None:
    furnish(tmp_path)
    ((name, ok, message),) = told({"search": {}}, tmp_path)
    assert (name, ok) == ("search", True)
    assert message.startswith("no glossary, graph or web search is configured, so easy questions cannot be made harder")
    *_, (_, _, message) = told({"knowledge": KNOWLEDGE, "search": {}}, tmp_path)
    assert message == "what graphs state is all that is looked up"
    assert told({"search": {}, "refine": False}, tmp_path) == []


def test_doctor_is_told_of_a_glossary_without_entries(tmp_path: Path) -> None:
    (tmp_path / "terms.csv").write_text("term,description\n", "utf-8")
    ((_, ok, message),) = told({"search": GLOSSARY}, tmp_path)
    assert (ok, message.startswith("terms.csv has no entry below its first line")) == (False, True)


async def test_what_is_owed_to_code_is_answered_by_its_service_and_signed_by_code() -> None:
    asked: list[tuple[int, Any]] = []

    async def find(ask: Any, seed: Seed) -> Mapping[str, Any]:
        asked.append((seed.slot, ask))
        return TopicFacts.of(KNOWN[:1], (), ("a graph",), ()).model_dump(mode="json")

    made: Any = inference(refine=False, waves="eager", several_correct=0, none_correct=0)
    async with rig(made, scripted) as here:
        tools = replace(here.tools, services={GRAPHS: find})
        assert (await Runner(tools).run()).how in {How.WAITING, How.DONE, How.PARTIAL}
        rows = await here.database.read(lambda connection: list(items.pages(connection)))
        answers = await here.database.read(lambda c: [one for row in rows for one in items.answers(c, row.seq)])
    found = [one for one in answers if one.step == find_facts.name]
    assert {slot for slot, _ in asked} == {row.seed.slot for row in rows}
    assert len(found) == len(asked) == len(rows)
    assert {(one.by, one.call, one.failure) for one in found} == {("code", None, None)}
    assert [one.relation for one in TopicFacts.model_validate(found[0].value).facts] == [KNOWN[0].relation]
