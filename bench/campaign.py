"""A whole recall campaign: how much of an ideal run it reaches, what a call costs, and what an answer costs by item.

Run from the project's folder: `python -m bench.campaign` (`--json`, `--help`). The product's own run, from the first
ticket to the last, against an endpoint on loopback in a process of its own, whose time does not count.
"""

import asyncio
import os
import signal
import sys
import threading
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import clock_gettime, perf_counter, process_time, pthread_getcpuclockid, thread_time
from types import FrameType
from typing import Any

from bench.gateway import endpoint
from bench.machine import machine, report
from bench.roles import said

from benchwright import app
from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Campaign, Model, Panel, Quota
from benchwright.domain.document import Document, Section, Span, whole
from benchwright.domain.vote import Rule
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.runner import Runner
from benchwright.engine.worker import Tools
from benchwright.llm.replies.repair import Repair
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import campaigns, documents
from benchwright.store.database import Connection, Database

LATENCY, WIDE = 0.5, 256  # seconds that a call takes; calls in flight
WRITTEN = 5  # answers of an item before its panel votes
JUDGES = 15
SIZES = (WRITTEN + 1, 200, 800)  # answers of an item
TICK = 0.003  # seconds of the processor's time between two looks at what it does
WORDS = "the clinic at river reported cases of fever after flood while teams from coast visited homes"
FILE = """\
name = "bench"
pipeline = "recall"
corpus = ["reports"]

[items]
per_document = 1

[recall]
refills = 0
check_stems = false
check_evidence = false
several_correct = 0.0
none_correct = 0.0
distractors = 3
no_correct = "keep"
waves = "eager"

[rule]
quorum = 1

[models.stub]
base_url = "{url}"
model = "stub"
width = {width}
adaptive = false

[roles]
default = "stub"
check_option = {{ panel = ["stub"], runs = 2 }}
"""
# The rooms by their paths. Of all frames on a stack, the innermost that lies in a room counts: so what all rooms use
# (domain, the standard library) counts for its user.
ROOMS = {
    "/benchwright/pipelines/": "fold and plan",
    "/benchwright/agents/": "prompts and replies",
    "/benchwright/llm/": "gateway",
    "/aiohttp/": "gateway",
    "/httpx2/": "gateway",
    "/benchwright/store/": "store",
    "/aiosqlite/": "store",
    "/benchwright/engine/": "engine",
}
REST = "event loop"
NOBODY = app.Watcher(lambda _: None)  # looks on


@dataclass(slots=True)
class Shares:
    """Where the processor's time goes, by looking every few milliseconds of it at what each thread is doing.

    What a thread used since the last look counts for the room in which it is met.
    """

    spent: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    seen: dict[int, float] = field(default_factory=dict)

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Look while this lasts."""
        self.seen.clear()
        before = signal.signal(signal.SIGPROF, self.look)
        signal.setitimer(signal.ITIMER_PROF, TICK, TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    def look(self, _: int, frame: FrameType | None) -> None:
        """One look; the main thread is met where the signal came."""
        frames = sys._current_frames()  # noqa: SLF001 - documented, in spite of its name
        main = threading.get_ident()
        for name, now in [(main, thread_time()), *others(main)]:
            used = now - self.seen.get(name, now)
            self.seen[name] = now
            if used:
                self.spent[room(frame if name == main else frames.get(name))] += used

    def rows(self, calls: int, cpu: float) -> list[dict[str, Any]]:
        """Each room's share, and what that is of a call."""
        total = sum(self.spent.values())
        return [
            {"part": name, "share": used / total, "CPU ms a call": 1e3 * cpu / calls * used / total}
            for name, used in sorted(self.spent.items(), key=lambda one: -one[1])
        ]


def others(main: int) -> Iterator[tuple[int, float]]:
    """The other threads, each with its time on the processor in seconds."""
    for thread in threading.enumerate():
        if thread.ident is not None and thread.ident != main:
            yield thread.ident, clock_gettime(pthread_getcpuclockid(thread.ident))


def room(frame: FrameType | None) -> str:
    """The room of the innermost frame that lies in one."""
    while frame:
        path = frame.f_code.co_filename
        if found := next((name for part, name in ROOMS.items() if part in path), None):
            return found
        frame = frame.f_back
    return REST


def text(number: int, words: int) -> str:
    """A report of about so many words, in sentences of twelve."""
    beginning = f"Report {number} tells what happened."
    every = islice(cycle(WORDS.split()), words)
    sentences = [" ".join(part).capitalize() + "." for part in iter(lambda: list(islice(every, 12)), [])]
    return " ".join([beginning, *sentences])


def write(folder: Path, url: str, items: int, words: int) -> Path:
    """Write a campaign of so many items, one for each document; its file."""
    reports = folder / "reports"
    reports.mkdir(parents=True)
    for number in range(items):
        (reports / f"{number:05}.md").write_text(f"# Report {number}\n\n## Findings\n\n{text(number, words)}\n")
    file = folder / "bench.toml"
    file.write_text(FILE.format(url=url, width=WIDE))
    return file


@dataclass(frozen=True, slots=True)
class Driven:
    """What a run took: calls, and seconds in all and of the processor's time."""

    calls: int
    wall: float
    cpu: float


async def driven(file: Path, shares: Shares) -> Driven:
    """One run of a campaign, from its first ticket on: reading the corpus does not count."""
    async with app.start_campaign(file, NOBODY) as (begun, _):
        wall, cpu = perf_counter(), process_time()
        with shares.taken():
            ended = await app.work(begun, NOBODY)
        wall, cpu = perf_counter() - wall, process_time() - cpu
        assert ended.how == "done", ended
        return Driven(await begun.database.read(partial(count, "calls")), wall, cpu)


def count(table: str, connection: Connection) -> int:
    """The rows of a table."""
    number: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own names
    return number


async def runs(folder: Path, rounds: int, items: int, words: int) -> dict[str, Any]:
    """The same campaign several times over."""
    shares, found = Shares(), list[Driven]()
    async with endpoint(LATENCY, "--recall") as url:
        for number in range(rounds):
            file = write(folder / str(number), url, items, words)
            found.append(await driven(file, shares))
    rows = [
        {
            "items": items,
            "calls": one.calls,
            "wall s": one.wall,
            "ideal s": one.calls * LATENCY / WIDE,
            "share of ideal": one.calls * LATENCY / WIDE / one.wall,
            "CPU ms a call": 1e3 * one.cpu / one.calls,
        }
        for one in found
    ]
    whole_run = f"a campaign, width {WIDE}, {LATENCY} s a call, documents of {words} words"
    calls, cpu = sum(one.calls for one in found), sum(one.cpu for one in found)
    return {whole_run: rows, "its parts": shares.rows(calls, cpu)}


class Scripted:
    """Models that answer at once, in this process; what they cost is measured and left out."""

    def __init__(self) -> None:
        self.cpu = 0.0

    async def ask(self, request: Request) -> Reply:
        """The answer of the request's role."""
        began = thread_time()
        key = sha256(f"{request.messages[1].content[:40]} {request.model.name} {request.run}".encode()).hexdigest()
        answer = said(request.step, dict(request.schema), request.messages[-1].content, key)
        self.cpu += thread_time() - began
        return Reply(answer)


def recall(answers: int) -> Recall:
    """A recall campaign whose items take so many answers each."""
    judges = tuple(f"judge-{number}" for number in range(JUDGES if answers > JUDGES else 1))
    models = {name: Model(name, "direct", name, "http://127.0.0.1:9/v1", width=WIDE) for name in ("writer", *judges)}
    writers = ("choose_class", "choose_topic", "write_question", "write_correct_options", "design_distractors")
    panel = Panel(judges, (answers - WRITTEN) // len(judges))
    roles = dict.fromkeys(writers, Panel(("writer",))) | {"check_option": panel, "check_evidence": panel}
    settings = {"refills": 0, "waves": "eager", "check_stems": False, "check_evidence": False, "no_correct": "keep"}
    rule = Rule(Fraction(2, 3), Fraction(1, 3), 1)
    campaign = Campaign("bench", "recall", ("*.md",), models, roles, rule, Quota(), settings)
    return Recall.of(campaign, Path())


def document(number: int, words: int) -> Document:
    """A document as the corpus would read it."""
    body, spans, place = text(number, words), list[Span](), 0
    for sentence in body.split(". "):
        spans.append(Span(place, min(len(body), place + len(sentence) + 1)))
        place += len(sentence) + 2
    section = Section("Findings", "body", tuple(spans))
    return Document(f"{number:032x}", f"{number}.md", f"Report {number}", body, (section,))


async def answered(file: Path, answers: int, items: int) -> float:
    """Milliseconds of the processor's time that an answer takes where every item takes so many; models left out."""
    pipeline, models = recall(answers), Scripted()
    async with await Database.open(file, create=True) as database:
        recipe = pipeline.campaign.recipe()
        await database.write(lambda connection: campaigns.begin(connection, "bench", "", recipe, "now", "0"))
        for number in range(items):
            one = document(number, 100)
            await database.write(partial(documents.admit, document=one, view=whole(one)))
        duplicates = Duplicates(pipeline.question_step, planner(pipeline))
        tools = Tools(pipeline.campaign, pipeline, database, Repair(models), Readings(database), duplicates)
        cpu = process_time()
        ended = await Runner(tools).run()
        cpu = process_time() - cpu - models.cpu
        assert ended.how == "done", ended
        given = await database.read(partial(count, "answers"))
        assert given == answers * items, given
    for left in file.parent.glob(f"{file.name}*"):
        left.unlink()
    return 1e3 * cpu / given


async def growth(folder: Path, rounds: int, answers: int) -> list[dict[str, Any]]:
    """What an answer costs, by how many its item has, by turns."""
    found: dict[int, list[float]] = {size: [] for size in SIZES}
    for number in range(rounds):
        for size in SIZES:
            found[size].append(await answered(folder / f"{number}-{size}.db", size, max(1, answers // size)))
    few = median(found[SIZES[0]])
    return [
        {"answers an item": size, "CPU ms an answer": median(each), "best": min(each), "times few": median(each) / few}
        for size, each in found.items()
    ]


async def measured(options: Namespace) -> dict[str, Any]:
    """Everything, in one run."""
    with TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        os.environ["BENCHWRIGHT_STATE"] = name
        found: dict[str, Any] = {"machine": machine()}
        if options.only != "growth":
            found |= await runs(folder, options.rounds, options.items, options.words)
        if options.only != "run":
            title = "an answer by how many its item has, scripted models left out"
            found[title] = await growth(folder, options.rounds, options.answers)
    return found | {"load afterwards": {"load": machine()["load"]}}


def main() -> None:
    """Read the command line, measure, print."""
    parser = ArgumentParser(prog="python -m bench.campaign", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    parser.add_argument("--items", type=int, default=500, help="how many items the campaign makes")
    parser.add_argument("--words", type=int, default=1_500, help="how long a document is")
    parser.add_argument("--answers", type=int, default=1_600, help="how many answers each size of items is measured by")
    parser.add_argument("--only", choices=("run", "growth"), help="this part alone")
    parser.add_argument("--folder", type=Path, help="where the files go: on the disk that is to be measured")
    options = parser.parse_args()
    report(asyncio.run(measured(options)), as_json=options.json)


if __name__ == "__main__":
    main()
