"""The service of texts on the real store: passages, near-duplicates, rankings, and files that are made once."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.retrieval import world
from tests.retrieval.made import retrieval

from benchwright.corpus.text import read_markdown
from benchwright.domain.document import whole
from benchwright.domain.embed import Vector, pack, unpack
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.domain.source import ItemRef
from benchwright.engine import texts as service_module
from benchwright.engine.texts import Texts, texts_service
from benchwright.errors import Transient
from benchwright.pipelines.choice.recall import Recall
from benchwright.pipelines.retrieval.body import Described, Passages, Query, as_json
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PASSAGES, QUERIES
from benchwright.pipelines.texts import (
    TEXTS,
    Likeness,
    LikenessAsk,
    RankAsk,
    Ranked,
    Repeats,
    RepeatsAsk,
    Split,
    SplitAsk,
    text_name,
)
from benchwright.store import documents, items, phases
from benchwright.store.database import Connection, Database


@dataclass
class Words:
    """An embedder of words; `asked` counts texts, `down` makes the next call fail."""

    asked: list[str] = field(default_factory=list)
    down: int = 0

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.sleep(0)
        if self.down:
            self.down -= 1
            raise Transient("the endpoint is down")
        self.asked += texts
        return [unpack(pack(world.vector(text))) for text in texts]


@dataclass
class Shelf:
    """A service, its embedder, and the documents by their places."""

    texts: Texts
    words: Words
    seeds: list[Seed]
    folder: Path

    async def split(self, place: int, most: int = 120) -> Split:
        return Split.model_validate(await self.texts(SplitAsk(most), self.seeds[place]))

    async def rank(self, query: str, **given: Any) -> Ranked:
        ask = RankAsk(query, "find", (DOCUMENTS, QUERIES), 3, bm25=True, modes=("exact", "hnsw"))
        return Ranked.model_validate(await self.texts(replace(ask, **given), self.seeds[0]))

    async def repeats(self, item: str, phase: str = PASSAGES, above: float = 0.9, group: str = "") -> Repeats:
        return Repeats.model_validate(await self.texts(RepeatsAsk(phase, item, above, group), self.seeds[0]))


@asynccontextmanager
async def shelf(folder: Path, *, embeds: bool = True) -> AsyncIterator[Shelf]:
    """Three documents, the third like the first, that have passed all phases up to the queries."""
    made = retrieval(embedders=("vectors",) if embeds else ())
    texts = [world.document("Earthquake", 0), world.document("Measles", 1), world.document("Earthquake", 0) + "End."]
    words = Words()
    folder.mkdir(exist_ok=True)
    async with await Database.open(folder / "a.db", create=True) as database:
        found = [read_markdown(text.encode(), f"r{n}.md") for n, text in enumerate(texts)]
        views = [whole(one) for one in found]
        for document, view in zip(found, views, strict=True):
            await database.write(partial(documents.admit, document=document, view=view))
        seeds = [Seed(n, 0, view, "{}", PASSAGES) for n, view in enumerate(views)]
        runs = ((1, 3), (4, 6), (7, 7))
        split = [as_json(Passages({}, f"r{n}", "T", "", runs, (9, 9, 9), 0)) for n in range(3)]
        described = [
            as_json(Described({}, f"r{n}", "T", "", "c", "e", f"Summary {n} of it.", runs[:2])) for n in range(3)
        ]
        query = Query(
            "qa", "c", "e", "r0", "What of {n}?", "A text.", {"hard_negative": "Another.", "neutral": " "}, {}, ("n",)
        )
        asked = [as_json(query) | {"query": text} for text in ("What of it?", "what  of it?", "Who came?")]

        def put(connection: Connection) -> None:
            phases.begin(connection, 0, PASSAGES, 3)
            keep(connection, PASSAGES, [seed.about for seed in seeds], split)
            one = phases.draw(connection, phases.every(connection)[-1], DOCUMENTS, 0)
            keep(connection, DOCUMENTS, [seed.about for seed in seeds], described)
            two = phases.draw(connection, one, QUERIES, 0)
            keep(connection, QUERIES, [ItemRef("x")] * 3, asked)
            phases.draw(connection, two, "pool", 0)

        await database.write(put)
        service = texts_service(made, made.setup.campaign, database, lambda _: words, folder / "vectors")
        async with service as found_services:
            texts_of = found_services[TEXTS]
            assert isinstance(texts_of, Texts)
            yield Shelf(texts_of, words, seeds, folder / "vectors")


def keep(connection: Connection, phase: str, abouts: Sequence[Any], bodies: Sequence[Any]) -> None:
    """Items of a phase that were kept."""
    for slot, (about, body) in enumerate(zip(abouts, bodies, strict=True)):
        seq = items.add(connection, Seed(slot, 0, about, "{}", phase))
        assert seq
        items.move(connection, seq, Ending(ItemState.KEPT, "kept", "", body))


def item(place: int, phase: str, one: Shelf) -> str:
    return Seed(place, 0, one.seeds[place].about, "{}", phase).id


@pytest.mark.parametrize("embeds", [True, False])
async def test_a_document_is_split_within_its_bound_with_or_without_vectors(tmp_path: Path, embeds: bool) -> None:
    async with shelf(tmp_path, embeds=embeds) as one:
        found = await one.split(0)

        assert found.name == "r0.md"
        assert len(found.passages) > 4
        assert all(first <= last for first, last in found.passages)
        assert max(found.tokens) <= 120
        assert bool(one.words.asked) == embeds
        assert (await one.split(0, 40)).left_out > 0


async def test_what_repeats_another_text_is_found_by_its_words_or_its_vector(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        names = [item(n, PASSAGES, one) for n in range(3)]
        same = await one.repeats(names[2])

        assert {n: where.item for n, where in same.repeats.items()}.items() >= {0: names[0], 1: names[0]}.items()
        assert not (await one.repeats(names[0], above=1.0)).repeats
        assert not (await one.repeats("nobody")).repeats


async def test_queries_are_compared_with_queries_alone(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        found = [
            await one.repeats(Seed(n, 0, ItemRef("x"), "{}", QUERIES).id, QUERIES, 0.99, QUERIES) for n in range(3)
        ]

        assert [bool(each.repeats) for each in found] == [False, True, False]


async def test_without_a_model_that_embeds_only_the_same_words_repeat(tmp_path: Path) -> None:
    async with shelf(tmp_path, embeds=False) as one:
        found = await one.repeats(item(2, PASSAGES, one), above=0.1)

        assert found.repeats
        assert not (await one.repeats(item(1, PASSAGES, one), above=0.1)).repeats


async def test_the_best_texts_are_found_by_each_ranking_with_where_they_stand(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        place = world.place_of("Measles", 1)
        found = await one.rank(f"measles in {place}", own=("A text.", "Never seen."))

        assert [(ranking.by, ranking.mode) for ranking in found.rankings] == [
            ("bm25", "exact"), ("vectors", "exact"), ("vectors", "hnsw"),
        ]  # fmt: skip
        stated = {text.id: text for text in found.stated}
        assert {name for ranking in found.rankings for name, _ in ranking.hits} <= set(stated)
        best = stated[found.rankings[0].hits[0][0]]
        assert (best.origin, best.last > 0) == ("passage", True)
        assert found.views[best.view]["document"] == one.seeds[1].view.document
        assert stated[text_name("A text.")].text == "A text."
        assert set(found.ranks["bm25/exact"]) == {text_name("A text.")}
        assert found.ranks["vectors/exact"][text_name("A text.")] > 0
        assert found.texts == 4 + 3 + 2
        scores = [score for _, score in found.rankings[1].hits]
        assert scores == sorted(scores, reverse=True)


async def test_exact_search_alone_makes_no_index(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        await one.rank("wells", modes=("exact",), bm25=False)
        assert {path.suffix for path in one.folder.iterdir()} == {".npy"}


async def test_matrix_and_index_are_made_once_and_serve_the_next_run(tmp_path: Path) -> None:
    async with shelf(tmp_path / "one") as first:
        found = await first.rank("wells and roads")
    (tmp_path / "two" / "vectors").mkdir(parents=True)
    for path in first.folder.iterdir():
        (tmp_path / "two" / "vectors" / path.name).write_bytes(path.read_bytes())
    async with shelf(tmp_path / "two") as second:
        assert await second.rank("wells and roads") == found
        assert second.words.asked == ["wells and roads"]


async def test_a_failed_batch_leaves_no_file_and_the_next_try_makes_all_rows(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        one.words.down = 1
        with pytest.raises(Transient):
            await one.rank("wells")
        assert not list(one.folder.glob("*.npy"))
        assert len((await one.rank("wells")).rankings) == 3


async def test_what_several_ask_for_at_once_is_made_once(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        await asyncio.gather(*(one.rank(f"wells {n}", bm25=False, modes=("exact",)) for n in range(4)))
        assert len(one.words.asked) == 9 + 4


async def test_texts_are_read_and_embedded_some_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with shelf(tmp_path / "one") as one:
        whole = await one.rank("wells and roads")
    monkeypatch.setattr(service_module, "TOGETHER", 3)
    monkeypatch.setattr(service_module, "ITEMS", 1)
    async with shelf(tmp_path / "two") as one:
        assert await one.rank("wells and roads") == whole


async def test_no_texts_no_rankings(tmp_path: Path) -> None:
    made = retrieval()
    async with await Database.open(tmp_path / "a.db", create=True) as database:
        await database.write(lambda connection: phases.begin(connection, 0, PASSAGES, 0))
        service = texts_service(made, made.setup.campaign, database, lambda _: Words(), tmp_path)
        async with service as served:
            ask = RankAsk("q", "t", (PASSAGES,), 3, bm25=True, modes=("exact",))
            found = await served[TEXTS](ask, Seed(0, 0, ()))
            repeats = await served[TEXTS](RepeatsAsk(PASSAGES, "x", 0.9), Seed(0, 0, ()))
    assert (found["rankings"], found["texts"], repeats) == ([], 0, {"repeats": {}})


async def test_a_pipeline_that_asks_for_no_texts_has_no_such_service(tmp_path: Path) -> None:
    made = Recall.of(replace(retrieval().setup.campaign, pipeline="recall", settings={}), tmp_path)
    async with (
        await Database.open(None, create=True) as database,
        texts_service(made, made.campaign, database, lambda _: Words(), tmp_path) as served,
    ):
        assert not served
    assert not list(made.pieces({}))


async def test_how_near_texts_are_in_meaning_is_their_cosine_by_the_first_model(tmp_path: Path) -> None:
    async with shelf(tmp_path) as one:
        ask = LikenessAsk("Earthquake here", ("Earthquake here", "Measles there"))
        found = Likeness.model_validate(await one.texts(ask, one.seeds[0]))
    assert found.by == "vectors"
    assert found.cosines[0] == 1
    assert found.cosines[1] < 1
