"""Models measured on a set: an evaluation begun, answers from elsewhere read, reports made. Reports ask nobody."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchwright import pipelines
from benchwright.app import LONG, count_items
from benchwright.begun import Opened, look_at_campaign
from benchwright.domain.campaign import Model
from benchwright.domain.embed import unpack
from benchwright.domain.item import ItemState
from benchwright.errors import UsageError
from benchwright.llm.providers.minilm_runtime import Runtime
from benchwright.pipelines.kind import Line, Table
from benchwright.pipelines.measurement import Measurement, Section
from benchwright.retrieval.bm25 import Bm25
from benchwright.retrieval.dense import Hnsw, Matrix, Writing
from benchwright.retrieval.hits import Hits
from benchwright.store import items
from benchwright.store.database import Connection

EVALUATION = "evaluation"  # the pipeline whose campaigns measure models on a set
FILE = "{}-evaluation.toml"
DEPTH = 1000  # texts of a ranking, as trec_eval's measures look at
BATCH = 64  # texts that are embedded at once
Ranking = dict[str, dict[str, float]]  # of each query the scores of texts


def begin_evaluation(place: Path, models: Sequence[str], wish: Mapping[str, Any], file: Path | None) -> Path:
    """Write the file of an evaluation; one that is there stays if it says the same, so that a run continues."""
    rows = pipelines.find_set_file(place)
    name = place.resolve().name if place.is_dir() else place.resolve().stem
    where = file or Path(FILE.format(name))
    corpus = Path(os.path.relpath(rows.resolve(), where.resolve().parent)).as_posix()
    text = pipelines.write_evaluation(place, corpus, models, wish)
    try:
        if where.exists():
            if where.read_text("utf-8-sig") != text:
                message = (
                    f"{where} is there already and says something else: 'benchwright evaluate {where}' continues it;"
                    " --into NAME.toml begins another"
                )
                raise UsageError(message)
        else:
            where.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"{where}: cannot be written: {error.strerror}") from error
    return where


def measure_answers(place: Path, answers: Path, *, paper: bool) -> Measurement:
    """Measure answers that were given elsewhere."""
    return pipelines.measure_answers(place, answers, paper=paper)


def measure_collection(
    place: Path, runs: Sequence[Path], retrievers: Sequence[str], leaderboard: Path | None = None
) -> Measurement:
    """Measure rankings of a test collection: those of files, and those that retrievers make now."""

    def rank(texts: Mapping[str, str], queries: Mapping[str, str]) -> dict[str, Ranking]:
        return dict(rank_texts(retrievers, texts, queries))

    return pipelines.measure_collection(place, runs, rank, leaderboard)


def rank_texts(
    retrievers: Sequence[str], texts: Mapping[str, str], queries: Mapping[str, str]
) -> Iterator[tuple[str, Ranking]]:
    """What each retriever finds for each query, the best `DEPTH` texts; vectors are searched exactly and by HNSW."""
    if retrievers and not (texts and queries):
        raise UsageError("a retriever needs texts and queries: the collection has grades only, so name --run FILE")
    names = list(texts)

    def search(find: Callable[[str], Hits]) -> Ranking:
        return {query: {names[place]: score for place, score in find(text)} for query, text in queries.items()}

    for retriever in retrievers:
        if retriever == "bm25":
            index = Bm25(texts.values())
            yield retriever, search(lambda text, index=index: index.search(text, DEPTH))  # type: ignore[misc]
        else:
            yield from rank_by_vectors(retriever, list(texts.values()), search)


def rank_by_vectors(
    retriever: str, texts: Sequence[str], search: Callable[[Callable[[str], Hits]], Ranking]
) -> Iterator[tuple[str, Ranking]]:
    """What an embedded model finds by its vectors; they lie in a folder that goes when all is found."""
    embedder = Runtime(Model(retriever, "local", retriever, embeds=True))
    with TemporaryDirectory() as folder:
        file = Path(folder) / "texts.npy"
        writing = Writing(file, len(texts))
        for start in range(0, len(texts), BATCH):
            vectors, _ = embedder.vectors(tuple(texts[start : start + BATCH]))
            writing.append([unpack(one) for one in vectors])
        writing.close()
        matrix = Matrix(file)
        near = Hnsw(matrix, Path(folder) / "texts.usearch")
        for name, index in (("exact", matrix), ("hnsw", near)):
            yield f"{retriever}-{name}", search(partial(find_near, embedder, index))


def find_near(embedder: Runtime, index: Matrix | Hnsw, text: str) -> Hits:
    """The nearest texts."""
    vectors, _ = embedder.vectors((text,))
    return index.search(unpack(vectors[0]), DEPTH)


async def report(path: Path, *, paper: bool = False) -> Measurement:
    """The report on a campaign: of an evaluation how the models did, of any other what was made."""
    async with look_at_campaign(path) as begun:
        if begun.campaign.pipeline != EVALUATION:
            return await begun.database.read(lambda connection: describe_campaign(connection, begun), seconds=LONG)
        name = begun.campaign.corpus[0]
        rows = begun.place.file.parent / name
        kind = begun.pipeline.kind

        def operation(connection: Connection) -> Measurement:
            bodies = [kind.read(row.body) for row in items.pages(connection, ItemState.KEPT)]
            return pipelines.measure_items(rows, bodies, paper=paper)

        found = await begun.database.read(operation, seconds=LONG)
        states = (await begun.status()).items
    left = states.get("open", 0)
    note = [f"{left} questions are not answered yet: 'benchwright evaluate {path}' continues"] if left else []
    notes = (*note, *found.notes)
    return replace(found, notes=notes, json={**found.json, "notes": list(notes)})


def describe_campaign(connection: Connection, begun: Opened) -> Measurement:
    """What a campaign has made, and why what fell fell."""
    counts = count_items(connection, begun)
    card = counts.card()
    ends = tuple((state, cause, number) for state, cause, number in items.causes(connection))
    sections = (
        Section("What was made", (*(Line(line) for line in counts.lines()), Table(("", "number"), card.counts))),
        Section("How items ended", (Table(("state", "cause", "items"), ends),)),
        *(Section(part.title, part.content) for part in card.parts),
        Section("How it was made", (Line(card.method),)),
    )
    rows = [("state", "cause", "items"), *ends]
    return Measurement(f"Campaign {begun.campaign.name}", sections, {"counts": counts.counts(), "ends": ends}, rows)
