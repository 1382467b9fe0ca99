"""Pairs of queries and texts, graded by a model that answers at once: what is left is what the program itself takes.

The phases before are filled in; the last one runs as `benchwright run` runs it, with ledger, store and all three
strategies, and then its set is exported. Extrapolated to the size of DisastIR (arXiv 2505.15856): 1,341,986 pairs.
"""

import argparse
import asyncio
import json
import resource
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.machine import machine, table

from benchwright.domain.call import Reply, Request, Usage
from benchwright.domain.campaign import Campaign, Model, Panel
from benchwright.domain.document import Document, Section, Span, View, whole
from benchwright.domain.filler import phrase
from benchwright.domain.ids import content_id, seeded_random
from benchwright.domain.item import Ending, ItemState, Seed
from benchwright.domain.source import About, view_json
from benchwright.domain.vote import Rule
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.record import StoreRecord
from benchwright.engine.runner import Runner
from benchwright.engine.worker import Tools
from benchwright.export.stored import StoredSet
from benchwright.llm.ledger import Departure, Ledger
from benchwright.pipelines.retrieval.body import Candidate, Described, Found, Pool, Query, as_json
from benchwright.pipelines.retrieval.formats import FORMATS
from benchwright.pipelines.retrieval.retrieval import Retrieval
from benchwright.pipelines.retrieval.settings import DOCUMENTS, PAIRS, PASSAGES, POOL, QUERIES
from benchwright.pipelines.texts import text_name
from benchwright.store import campaigns, documents, items, phases
from benchwright.store.database import Connection, Database

PAPER, IN_PAPER = 1_341_986, 239_704
PARTS, LINES = 28, 9  # passages of a document, sentences of a passage
DEPTH = 100  # texts of a query
WIDE, LATENCY = 200, 1.0  # calls in flight at most, and seconds that a hosted model takes for one
STEPS = 10  # moments at which memory is read


class AtOnce:
    """A grader that answers at once, by its schema."""

    async def ask(self, request: Request) -> Reply:
        """A grade, with what its strategy asks for."""
        wanted = request.schema["properties"]
        said: dict[str, Any] = {"grade": 2}
        if "answers" in wanted:
            said |= {"answers": True, "scores": {"exactness": 2, "coverage": 2}}
        elif "scores" in wanted:
            said["scores"] = dict.fromkeys(wanted["scores"]["properties"], 2)
        else:
            said["reason"] = "It answers a part."
        return Reply(json.dumps({name: said[name] for name in wanted}), usage=Usage(500, 20))


def document(number: int) -> Document:
    """A document of passages of about 250 tokens."""
    lines = [f"{phrase(number, n)} {phrase(n, number)} {phrase(number, n, 1)}." for n in range(PARTS * LINES)]
    spans, place = [], 0
    for line in lines:
        spans.append(Span(place, place + len(line)))
        place += len(line) + 1
    return Document(
        content_id("bench", number), f"{number}.md", "", " ".join(lines), (Section("", "body", tuple(spans)),)
    )


def text_of(found: Document, passage: int) -> str:
    """The words of a passage."""
    spans = found.sections[0].sentences[passage * LINES : (passage + 1) * LINES]
    return " ".join(found.text[span.start : span.end] for span in spans)


def pipeline() -> Retrieval:
    """One intent, three strategies, one grader."""
    models = {"glm": Model("glm", "direct", "glm", width=WIDE, context=32768)}
    roles = {role.name: Panel(("glm",)) for role in Retrieval.roles} | {"embed_texts": Panel(())}
    settings = {"intents": ("qa",), "planted": 0.0, "bound": 3, "depth": DEPTH}
    rule = Rule(1, 1)  # type: ignore[arg-type]
    campaign = Campaign("bench", "retrieval", (), models, roles, rule, settings=settings)
    return Retrieval.of(campaign, Path())


def fill(connection: Connection, queries: int, docs: Sequence[Document]) -> None:
    """All phases but the last."""
    views = [whole(one) for one in docs]
    runs = tuple((n * LINES + 1, (n + 1) * LINES) for n in range(PARTS))
    names = [[text_name(text_of(one, n)) for n in range(PARTS)] for one in docs]
    for one, view in zip(docs, views, strict=True):
        documents.admit(connection, one, view)
    phases.begin(connection, 0, PASSAGES, 0)
    phases.begin(connection, 1, DOCUMENTS, len(docs))
    keep(connection, DOCUMENTS, views, (described(view, runs) for view in views))
    phases.begin(connection, 2, QUERIES, queries)
    asked = [f"What of {phrase('query', n)}?" for n in range(queries)]
    keep(connection, QUERIES, [()] * queries, (query(n, text) for n, text in enumerate(asked)))
    phases.begin(connection, 3, POOL, queries)
    keep(connection, POOL, [()] * queries, (pool(n, text, views, names) for n, text in enumerate(asked)))
    phases.draw(connection, phases.every(connection)[-1], PAIRS, 0)


def keep(connection: Connection, phase: str, abouts: Sequence[About], bodies: Iterator[Any]) -> None:
    """Items of a phase that were kept."""
    for slot, (about, body) in enumerate(zip(abouts, bodies, strict=True)):
        seq = items.add(connection, Seed(slot, 0, about, "{}", phase))
        assert seq
        items.move(connection, seq, Ending(ItemState.KEPT, "kept", "", as_json(body)))


def described(view: View, runs: tuple[tuple[int, int], ...]) -> Described:
    """A document with its passages."""
    return Described(view_json(view), "r.md", "", "en", "Geohazard", "Tsunami", "", runs)


def query(number: int, text: str) -> Query:
    """A query with its relevant text."""
    return Query("qa", "Geohazard", "Tsunami", "r.md", text, f"It was {phrase('text', number)}.", {}, {}, ("a need",))


def pool(number: int, text: str, views: Sequence[View], names: Sequence[Sequence[str]]) -> Pool:
    """The texts of a query, by chance."""
    chance = seeded_random("pool", number)
    chosen = {(chance.randrange(len(views)), chance.randrange(PARTS)) for _ in range(DEPTH)}
    used = sorted({place for place, _ in chosen})
    found = (Found("bm25", "exact", 1, 1.0),)
    each = [
        Candidate(names[d][n], "passage", found, view=used.index(d), first=n * LINES + 1, last=(n + 1) * LINES)
        for d, n in sorted(chosen)
    ]
    kept = tuple(view_json(views[place]) for place in used)
    item = content_id("query", number)
    return Pool(item, "qa", "Geohazard", "Tsunami", text, "", tuple(each), kept, ("bm25/exact",), {}, 9)


async def measure(folder: Path, pairs: int) -> dict[str, Any]:
    """Grade so many pairs, and write them."""
    made, queries = pipeline(), -(-pairs // DEPTH)
    docs = [document(n) for n in range(max(40, pairs * IN_PAPER // PAPER // PARTS))]
    path = folder / "bench.db"
    async with await Database.open(path, create=True) as database:
        await database.write(lambda c: campaigns.begin(c, "bench", "", made.setup.campaign.recipe(), "now", "0"))
        await database.write(lambda c: fill(c, queries, docs))
        before, memory = path.stat().st_size, list[int]()
        llm = Ledger(Departure(AtOnce(), record := StoreRecord(database)), record)
        duplicates = Duplicates("", planner(made))
        tools = Tools(made.setup.campaign, made, database, llm, Readings(database), duplicates)
        watching = asyncio.create_task(watch(memory))
        wall, cpu = perf_counter(), process_time()
        ended = await Runner(tools).run()
        wall, cpu = perf_counter() - wall, process_time() - cpu
        watching.cancel()
        assert ended.how in {"done", "partial"}, ended  # the phases before drew on nothing: they are filled in
        began = perf_counter()
        count = await database.read(lambda c: write(StoredSet(c, made.setup.campaign, made), folder), seconds=3600)
        size = sum(one.stat().st_size for one in folder.glob("bench.db*") if one.suffix != ".reserve")
    return figures(count, wall, cpu, (size - before) / count, perf_counter() - began, memory)


async def watch(memory: list[int]) -> None:
    """Read the resident memory now and then."""
    while True:
        memory.append(int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize())
        await asyncio.sleep(1)


def write(found: StoredSet, folder: Path) -> int:
    """Export the grades in BEIR's form; how many they are."""
    count = 0
    with (folder / "qrels.tsv").open("w") as file:
        for line in FORMATS["beir"].files(found)["qrels/test.tsv"]:
            file.write(line)
            count += 1
    return count - 1


def figures(pairs: int, wall: float, cpu: float, size: float, export: float, memory: Sequence[int]) -> dict[str, Any]:
    """What was measured, and what that is at the paper's size."""
    marks = [memory[len(memory) * n // STEPS] // 1_000_000 for n in range(1, STEPS)]
    return {
        "pairs": pairs,
        "pairs a second": pairs / wall,
        "CPU ms a pair": 1e3 * cpu / pairs,
        "bytes a pair": size,
        "export ms a pair": 1e3 * export / pairs,
        "MB on the way": " ".join(map(str, marks)),
        "paper: hours of CPU": PAPER * cpu / pairs / 3600,
        "paper: hours at 200 in flight, 1 s a call": max(PAPER * wall / pairs, PAPER * 3 * LATENCY / WIDE) / 3600,
        "paper: GB of database": PAPER * size / 1e9,
    }


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        found = asyncio.run(measure(Path(folder), asked.pairs))
    if asked.json:
        print(json.dumps({"machine": machine(), "pairs": found}))
    else:
        print(table("pairs graded by three strategies", [{"": name, "figure": value} for name, value in found.items()]))


if __name__ == "__main__":
    main()
