"""The queue "texts": passages of documents, near-duplicates, and the best texts for a query, all by code.

What is found depends on the kept items of earlier phases alone, which a barrier has fixed. Matrices and indexes lie in
a folder beside the campaign, named by what they are made of: they can be deleted, and are made again.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import fsum
from operator import mul
from pathlib import Path
from typing import Any

from benchwright.corpus.passages import document_passages, find_near_duplicates
from benchwright.domain.call import tokens
from benchwright.domain.campaign import Campaign, Model
from benchwright.domain.document import Document, View, read_out
from benchwright.domain.embed import Vector, space
from benchwright.domain.ids import canonical, content_id
from benchwright.domain.item import Seed
from benchwright.domain.source import ItemRef, view_json, view_of
from benchwright.engine.alone import Alone
from benchwright.engine.worker import Service
from benchwright.llm.embedder import Embedder
from benchwright.pipelines.base import Piece, Pipeline, Served
from benchwright.pipelines.texts import (
    BM25,
    EXACT,
    HNSW,
    TEXTS,
    Likeness,
    LikenessAsk,
    RankAsk,
    Ranked,
    Ranking,
    Repeats,
    RepeatsAsk,
    Split,
    SplitAsk,
    Stated,
    Where,
    text_name,
)
from benchwright.retrieval.bm25 import Bm25
from benchwright.retrieval.dense import Hnsw, Matrix, Writing
from benchwright.retrieval.hits import Hits
from benchwright.retrieval.prompts import Prompts, known_prompts
from benchwright.store import documents, items, phases
from benchwright.store.database import Connection, Database

TOGETHER = 256  # texts that are embedded and written at once
ITEMS = 50  # that are read from the store at once
LONG = 600.0  # seconds that reading these may take
DIGITS = 5  # of a cosine
ALIKE = (1.0,)  # the vector of every sentence where no model embeds: only their length then divides them


@dataclass(frozen=True, slots=True)
class Lent:
    """An embedding model: what embeds, its entry in the catalogue, and what it wants to read before texts."""

    embedder: Embedder
    model: Model
    prompts: Prompts


@dataclass(frozen=True)
class Collection:
    """The texts of some phases and one group: where each first stands, and the names of those of each item."""

    phases: tuple[str, ...]
    group: str
    where: Mapping[str, tuple[str, int]]
    names: Mapping[str, tuple[str, ...]]
    rows: Mapping[str, int] = field(init=False)
    id: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", {name: row for row, name in enumerate(self.where)})
        object.__setattr__(self, "id", content_id("texts", list(self.where)))

    @property
    def order(self) -> tuple[str, ...]:
        """The names by their rows."""
        return tuple(self.where)


class Texts:
    """The service. What is made of a collection is made once in a run, whoever asks for it first."""

    def __init__(self, pipeline: Pipeline, database: Database, lent: Sequence[Lent], folder: Path) -> None:
        """`lent` are the models in the order of their role; files go into `folder`."""
        self._pipeline = pipeline
        self._database = database
        self._lent = lent
        self._folder = folder
        self._alone = Alone("texts")
        self._made: dict[object, asyncio.Task[Any]] = {}

    async def __call__(self, ask: Any, seed: Seed) -> Mapping[str, Any]:
        """The answer to one of the questions."""
        match ask:
            case SplitAsk():
                found: Split | Repeats | Ranked | Likeness = await self._split(ask, view_of(seed.about))
            case LikenessAsk():
                found = await self._likeness(ask)
            case RepeatsAsk():
                found = await self._repeats(ask)
            case _:
                found = await self._rank(ask)
        return found.model_dump(mode="json")

    async def aclose(self) -> None:
        """Wait for what is running."""
        for task in self._made.values():
            task.cancel()
        await asyncio.gather(*self._made.values(), return_exceptions=True)
        await self._alone.aclose()

    async def _once(self, key: object, make: Any) -> Any:
        """What `make()` gives, once for all who ask; a failure is not kept."""
        if key not in self._made:
            task = asyncio.ensure_future(make())
            self._made[key] = task
            task.add_done_callback(partial(self._forget_failure, key))
        return await asyncio.shield(self._made[key])

    def _forget_failure(self, key: object, done: "asyncio.Task[Any]") -> None:
        """What could not be made is made anew for whoever asks next."""
        if done.cancelled() or done.exception():
            self._made.pop(key, None)

    # ----------------------------------------------------------------------------------------------- the questions

    async def _split(self, ask: SplitAsk, view: View) -> Split:
        """The passages of a document."""
        document, _ = await self._database.read(partial(documents.get, name=view.document), seconds=LONG)
        sentences = read_out(document, view).sentences
        vectors: Sequence[Sequence[float]] = [ALIKE] * len(sentences)
        if self._lent:
            one = self._lent[0]
            vectors = await one.embedder.embed([one.prompts.for_passage(sentence.text) for sentence in sentences])
        found = await self._alone.do(partial(document_passages, document, view, vectors, ask.most))
        runs = [(one.first, one.last) for one in found]
        sizes = [sum(tokens(sentences[n - 1].text) for n in range(first, last + 1)) for first, last in runs]
        return Split(
            name=document.name,
            title=document.title,
            language=document.language,
            passages=tuple(runs),
            tokens=tuple(sizes),
            left_out=len(sentences) - sum(last - first + 1 for first, last in runs),
        )

    async def _likeness(self, ask: LikenessAsk) -> Likeness:
        """The cosines of a text with others, by the first model: it is asked only where there is one."""
        one = self._lent[0]
        texts = [one.prompts.for_passage(text) for text in (ask.text, *ask.others)]
        first, *others = await one.embedder.embed(texts)
        return Likeness(by=one.model.name, cosines=tuple(cosine(first, other) for other in others))

    async def _repeats(self, ask: RepeatsAsk) -> Repeats:
        """The repeated texts of one item."""
        collection = await self._collection((ask.phase,), ask.group)
        kept_of = await self._once(
            ("repeats", collection.id, ask.above), partial(self._find_repeats, collection, ask.above)
        )
        repeats = {}
        for number, name in enumerate(collection.names.get(ask.item, ())):
            kept = kept_of.get(name, name)
            if collection.where[kept] != (ask.item, number):
                item, place = collection.where[kept]
                repeats[number] = Where(item=item, number=place)
        return Repeats(repeats=repeats)

    async def _find_repeats(self, collection: Collection, above: float) -> Mapping[str, str]:
        """Each name that repeats another, with that one."""
        if not self._lent or not collection.where:
            return {}
        matrix = await self._matrix(collection, self._lent[0])
        find = partial(find_near_duplicates, collection.order, matrix.rows, above)
        clusters = await self._alone.do(find)
        return {name: kept for kept, dropped in clusters.items() for name in dropped}

    async def _rank(self, ask: RankAsk) -> Ranked:
        """The best texts by each ranking."""
        collection = await self._collection(ask.phases, "")
        own = {text_name(text): row for text in ask.own if (row := collection.rows.get(text_name(text))) is not None}
        rankings, ranks = list[Ranking](), dict[str, dict[str, int]]()
        async for by, mode, hits, found in self._each_ranking(ask, collection, own):
            named = tuple((collection.order[row], score) for row, score in hits)
            rankings.append(Ranking(by=by, mode=mode, hits=named))
            ranks |= {f"{by}/{mode}": found} if found else {}
        there = sorted({name for one in rankings for name, _ in one.hits} | set(own))
        stated, views = await self._database.read(partial(self._state, collection=collection, names=there), LONG)
        return Ranked(rankings=tuple(rankings), stated=stated, views=views, ranks=ranks, texts=len(collection.where))

    def _state(
        self, connection: Connection, collection: Collection, names: Sequence[str]
    ) -> tuple[tuple[Stated, ...], tuple[dict[str, Any], ...]]:
        """What each name stands for, and the views in which passages stand."""
        views: dict[str, dict[str, Any]] = {}
        found = []
        for name in names:
            item, number = collection.where[name]
            piece = tuple(self._pieces(phases.item_body(connection, item), collection.group))[number]
            if piece.last:
                view = view_of(items.find(connection, item).seed.about)
                views.setdefault(canonical(view_json(view)), view_json(view))
                at = list(views).index(canonical(view_json(view)))
                found.append(Stated(id=name, origin=piece.origin, view=at, first=piece.first, last=piece.last))
            else:
                found.append(Stated(id=name, origin=piece.origin, text=piece.text))
        return tuple(found), tuple(views.values())

    def _pieces(self, body: Mapping[str, Any], group: str) -> Iterator[Piece]:
        """The texts of an item in one group."""
        return (piece for piece in self._pipeline.pieces(body) if piece.group == group)

    async def _each_ranking(
        self, ask: RankAsk, collection: Collection, own: Mapping[str, int]
    ) -> AsyncIterator[tuple[str, str, Hits, dict[str, int]]]:
        """Each ranking: by whom, how, what it finds, and where `own` texts come in it."""
        if not collection.where:
            return
        if ask.bm25:
            index = await self._once((BM25, collection.id), partial(self._bm25, collection))
            hits = await self._alone.do(partial(index.search, ask.query, ask.most))
            yield BM25, EXACT, hits, {name: index.rank(ask.query, row) for name, row in own.items()}
        for one in self._lent:
            matrix = await self._matrix(collection, one)
            [vector] = await one.embedder.embed([one.prompts.for_query(ask.query, ask.task)])
            for mode in ask.modes:
                if mode == EXACT:
                    hits = await self._alone.do(partial(matrix.search, vector, ask.most))
                    yield one.model.name, mode, hits, {name: matrix.rank(vector, row) for name, row in own.items()}
                else:
                    near = await self._once((HNSW, collection.id, one.model.name), partial(self._hnsw, collection, one))
                    yield one.model.name, mode, await self._alone.do(partial(near.search, vector, ask.most)), {}

    # ------------------------------------------------------------------------------------------- what is made once

    async def _collection(self, names: tuple[str, ...], group: str) -> Collection:
        """The texts of the kept items of these phases."""
        made: Collection = await self._once(("collection", names, group), partial(self._collect, names, group))
        return made

    async def _collect(self, names: tuple[str, ...], group: str) -> Collection:
        where: dict[str, tuple[str, int]] = {}
        of_item: dict[str, tuple[str, ...]] = {}
        async for item, texts in self._texts(names, group):
            of_item[item] = tuple(map(text_name, texts))
            for number, name in enumerate(of_item[item]):
                if texts[number].split():
                    where.setdefault(name, (item, number))
        return Collection(names, group, where, of_item)

    async def _matrix(self, collection: Collection, one: Lent) -> Matrix:
        """The vectors of a collection by one model."""
        made: Matrix = await self._once(
            ("matrix", collection.id, one.model.name), partial(self._embed, collection, one)
        )
        return made

    async def _embed(self, collection: Collection, one: Lent) -> Matrix:
        """Embed what is not on record, and write the rows, if the file is not there."""
        path = self._path(collection, one, "npy")
        if not path.exists():
            writing = Writing(path, len(collection.where))
            async for texts in self._in_order(collection):
                vectors = await one.embedder.embed([one.prompts.for_passage(text) for text in texts])
                await self._alone.do(partial(writing.append, vectors))
            await self._alone.do(writing.close)
        return Matrix(path)

    async def _hnsw(self, collection: Collection, one: Lent) -> Hnsw:
        matrix = await self._matrix(collection, one)
        return await self._alone.do(partial(Hnsw, matrix, self._path(collection, one, "usearch")))

    async def _bm25(self, collection: Collection) -> Bm25:
        texts = [text async for some in self._in_order(collection) for text in some]
        return await self._alone.do(partial(Bm25, texts))

    def _path(self, collection: Collection, one: Lent, suffix: str) -> Path:
        made_of = content_id("matrix", [collection.id, space(one.model), one.prompts.passage])
        return self._folder / f"{made_of}.{suffix}"

    async def _in_order(self, collection: Collection) -> AsyncIterator[list[str]]:
        """The texts of a collection by their rows, some at a time."""
        some: list[str] = []
        async for item, texts in self._texts(collection.phases, collection.group):
            places = zip(count(), texts, collection.names[item], strict=False)
            some += [text for n, text, name in places if collection.where.get(name) == (item, n)]
            while len(some) >= TOGETHER:
                yield some[:TOGETHER]
                del some[:TOGETHER]
        if some:
            yield some

    async def _texts(self, names: Iterable[str], group: str) -> AsyncIterator[tuple[str, list[str]]]:
        """Each kept item of these phases with its texts, in the order of the set."""
        for name in names:
            start, some = 0, list[tuple[str, list[str]]]()
            while start == 0 or len(some) == ITEMS:
                read = partial(self._read, phase=name, group=group, places=range(start, start + ITEMS))
                some = await self._database.read(read, seconds=LONG)
                start += ITEMS
                for one in some:
                    yield one

    def _read(self, connection: Connection, phase: str, group: str, places: range) -> list[tuple[str, list[str]]]:
        """Some items of a phase, as the phase after it draws on them."""
        drawn = phases.Inputs(connection, self._pipeline.phases.index(phase) + 1)
        found = []
        for place in places[: max(0, len(drawn) - places.start)]:
            outline = drawn[place]
            assert isinstance(outline.about, ItemRef)  # noqa: S101 - what a barrier passes on are items
            item = outline.about.item
            found.append((item, list(self._item_texts(connection, item, outline.body or {}, group))))
        return found

    def _item_texts(self, connection: Connection, item: str, body: Mapping[str, Any], group: str) -> Iterator[str]:
        """The texts of one item; its document is read if a text stands there."""
        sentences: Sequence[Any] = ()
        for piece in self._pieces(body, group):
            if piece.last and not sentences:
                document, view = document_of(connection, item)
                sentences = read_out(document, view).sentences
            shown = sentences[piece.first - 1 : piece.last] if piece.last else ()
            yield piece.text or " ".join(one.text for one in shown)


@asynccontextmanager
async def texts_service(
    pipeline: Pipeline, campaign: Campaign, database: Database, embedder: Callable[[str], Embedder], folder: Path
) -> AsyncIterator[Mapping[str, Service]]:
    """The service by its queue, open for a run; none where the pipeline asks for no texts."""
    lenders = [role.name for role in pipeline.roles if role.served is Served.EMBEDDERS]
    if not lenders:
        yield {}
        return
    own = {name: Prompts(**one) for name, one in campaign.settings.get("prompts", {}).items()}
    used = [campaign.models[name] for name in campaign.roles[lenders[0]].models]
    lent = [Lent(embedder(one.name), one, own.get(one.name) or known_prompts(one.target)) for one in used]
    texts = Texts(pipeline, database, lent, folder)
    try:
        yield {TEXTS: texts}
    finally:
        await texts.aclose()


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of two vectors of length 1; digits that differ from machine to machine are left out."""
    return round(fsum(map(mul, one, other)), DIGITS)


def document_of(connection: Connection, item: str) -> tuple[Document, View]:
    """The document that an item is about, and what of it is seen."""
    view = view_of(items.find(connection, item).seed.about)
    return documents.get(connection, view.document)[0], view
