"""A campaign from its file to its end: begin it, go on with it, reckon its cost, check what it needs.

A campaign is named by its file (`NAME.toml`); its database (`NAME.db`) lies beside it, its exports in `NAME-set/`.
What has begun is read from the database alone: the campaign file is kept in it.
"""

import gc
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import chain as concat
from math import inf
from pathlib import Path
from time import time
from typing import Any

from benchwright import __version__
from benchwright.begun import Opened, pipeline_of
from benchwright.campaign_file import mend_change
from benchwright.clock import utc_iso
from benchwright.config import describe_changes, describe_overrides, differences, load, template
from benchwright.domain.campaign import Campaign
from benchwright.domain.check import Check
from benchwright.domain.source import Inputs
from benchwright.domain.text import plural
from benchwright.engine import status as standing
from benchwright.engine.again import AskAgain, ask_again, ask_checkers_again
from benchwright.engine.alone import run_aside
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.earlier import describe_earlier_spending, earlier
from benchwright.engine.estimate import Estimate
from benchwright.engine.foresight import foresee_corpus
from benchwright.engine.intake import Intake, check_corpus, check_languages, names_read, take_in
from benchwright.engine.log import open_log
from benchwright.engine.pilot import estimate_from_pilot, part_of
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.record import StoreRecord, StoreShelf
from benchwright.engine.rough import rough
from benchwright.engine.runner import Ended, Runner, failed_end
from benchwright.engine.seen import read_item
from benchwright.engine.sent import record_sent
from benchwright.engine.services import check, services
from benchwright.engine.signals import stopped_by_signals
from benchwright.engine.texts import texts_service
from benchwright.engine.worker import Tools
from benchwright.errors import BenchwrightError, ChangedCampaign, UsageError
from benchwright.glance import Place, begun_place, place
from benchwright.llm.catalogue import chain, probe
from benchwright.pipelines import PIPELINES
from benchwright.pipelines.base import Pipeline, measures_apart
from benchwright.pipelines.kind import Report as KindReport
from benchwright.store import blobs, campaigns, items, jobs
from benchwright.store.database import Connection, Database
from benchwright.store.look import Look
from benchwright.store.owner import own_campaign, own_database

LONG = 3600.0  # seconds that reading a large campaign may take


@dataclass(frozen=True, slots=True)
class Watcher:
    """Where a run reports: `say` gets a line, `watch` holds while models work on the opened campaign.

    `log` is the file that the run's events are appended to, if any.
    """

    say: Callable[[str], None]
    watch: Callable[["Opened"], AbstractAsyncContextManager[None]] = lambda _: nullcontext()
    log: Path | None = None


def recipe(campaign: Campaign, pipeline: Pipeline) -> dict[str, Any]:
    """All that decides what the campaign makes: its own recipe, and the hashes of prompts and other sources."""
    prompts = {agent.name: agent.prompt.id for agent in pipeline.agents}
    schemas = {agent.name: agent.schema_id for agent in pipeline.agents}
    return campaign.recipe() | {"prompts": prompts, "schemas": schemas, "sources": pipeline.sources()}


def init(path: Path, pipeline: str, *, force: bool = False) -> Place:
    """Write a first campaign file and a folder for its documents; a file that is there stays unless `force`."""
    where = place(path)
    text = template(where.file.stem, pipeline)
    if where.file.exists() and not force:
        message = f"{where.file} is there already: choose another name, or overwrite it with --force"
        raise UsageError(message)
    try:
        where.file.with_name("documents").mkdir(parents=True, exist_ok=True)
        where.file.write_text(text, "utf-8")
    except OSError as error:
        message = f"{error.filename}: cannot be written: {error.strerror}"
        raise UsageError(message) from error
    return where


def inputs_of(pipeline: str) -> Sequence[Inputs]:
    """What a pipeline of that name takes from a corpus."""
    return PIPELINES[pipeline].inputs


async def describe_new_review(path: Path) -> str:
    """That the file's `[review]` is not the one that people review under; "" where it is."""
    where = begun_place(path)
    with suppress(UsageError):  # a file that is gone or faulty: what has begun is in the database
        policy = load(where.file).recipe()["review"]
        async with await Look.at(where.database) as database:
            record = await database.read(campaigns.get)
        if changes := differences({"review": record.recipe.get("review", policy)}, {"review": policy}):
            found = "; ".join(changes)
            return f"{where.file}: a change is not taken yet ({found}): 'benchwright run --accept-changes' takes it"
    return ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run came to.

    `counts` are those of the kind, which `lines` say in sentences; `shortfalls` are the wanted items that no try has
    filled, by the last cause; `example` is the id of an item to look at, `embedded` says that only the embedded model
    was used.
    """

    ended: Ended
    status: standing.Status
    intake: Intake
    shortfalls: tuple[tuple[str, int], ...]
    example: str | None
    embedded: bool
    counts: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def json(self) -> dict[str, Any]:
        """The report as JSON values."""
        values = {name: value for name, value in asdict(self).items() if name != "lines"}
        return values | {"status": self.status.json()}


ADVICE = "advice"  # the name of a check that forbids nothing


async def report(begun: Opened, ended: Ended, intake: Intake) -> Report:
    """Look at what a run has left behind."""
    models = {name for panel in begun.campaign.roles.values() for name in panel.models}
    embedded = all(begun.campaign.models[name].provider == "local" for name in models)

    def operation(connection: Connection) -> Report:
        found = concat.from_iterable(items.pages(connection, state) for state in ("waiting", "kept", ""))
        example = next((row.id for row in found), None)
        counts, shortfalls = count_items(connection, begun), tuple(items.shortfalls(connection))
        lines = tuple(counts.lines())
        return Report(ended, status, intake, shortfalls, example, embedded, counts.summary(), lines)

    status = await begun.status()
    return await begun.database.read(operation, seconds=LONG)


def count_items(connection: Connection, begun: Opened) -> KindReport:
    """What the items of a campaign come to, in whatever state they are."""
    counts = begun.pipeline.kind.report(begun.campaign, begun.place.vectors)
    for row in items.pages(connection):
        counts.take(read_item(connection, begun.pipeline, row))
    return counts


async def run(path: Path, watcher: Watcher, *, accept_changes: bool = False, again: AskAgain | None = None) -> Report:
    """Start a campaign, or go on with it, perhaps with what failed. Raises whatever stops it; see `errors.py`."""
    async with start_campaign(path, watcher, accept_changes=accept_changes) as (begun, intake):
        if again:
            plan, now = planner(begun.pipeline), utc_iso(time())
            watcher.say(await begun.database.write(lambda connection: ask_again(connection, again, plan, now)))
        ended = await work(begun, watcher)
        return await report(begun, ended, intake)


@asynccontextmanager
async def start_campaign(
    path: Path, watcher: Watcher, *, accept_changes: bool = False
) -> AsyncIterator[tuple[Opened, Intake]]:
    """A campaign that this process owns, its models looked at, its corpus taken in."""
    where = place(path)
    await mend_change(where, utc_iso(time()))
    campaign = load(where.file)
    pipeline = pipeline_of(campaign, where)
    for line in describe_overrides(where.file):
        watcher.say(line)
    with own_campaign(where.database, utc_iso(time())):
        spare = frozenset(campaign.models) if measures_apart(pipeline) else frozenset[str]()
        demand(await doctor(path), watcher.say, spare)
        async with (
            await Database.open(where.database, create=True) as database,
            own_database(database, where.database, utc_iso(time())),
        ):
            begun = Opened(where, campaign, pipeline, database)
            await begin(begun, watcher, accept_changes=accept_changes)
            async with failure_on_record(database):
                intake = await take_in(database, campaign, pipeline, where.file.parent, watcher.say)
                if unseen := await database.read(partial(count_unseen_images, pipeline=pipeline)):
                    images = plural(unseen, "image")
                    watcher.say(f"the records name {images}, and no model is shown any: {TELL_IN_WORDS}")
                yield begun, intake


@asynccontextmanager
async def failure_on_record(database: Database) -> AsyncIterator[None]:
    """Record an error that ends a run; what only interrupts it, such as a second Ctrl-C, leaves no end."""
    try:
        yield
    finally:
        if isinstance(error := sys.exception(), Exception):
            ended = failed_end(error)
            with suppress(BenchwrightError):  # a store that cannot be written to: the error itself is told
                await database.write(lambda connection: campaigns.end(connection, asdict(ended)))


TELL_IN_WORDS = "a record needs words as well, or else it cannot be used"


def count_unseen_images(connection: Connection, pipeline: Pipeline) -> int:
    """How many images the corpus has that no role shows to a model."""
    return 0 if any(agent.frame.images for agent in pipeline.agents) else blobs.count(connection)


async def estimate(path: Path, watcher: Watcher, pilot: int = 0) -> Estimate:
    """What a campaign will come to: roughly, without a call, or by a pilot of so many items, made for real."""
    if not pilot:
        where = place(path)
        campaign = load(where.file)
        for line in describe_overrides(where.file):
            watcher.say(line)
        return await rough(campaign, pipeline_of(campaign, where), where.file.parent, watcher.say)
    async with start_campaign(path, watcher) as (begun, _):
        ended = await work(begun, watcher, pilot)
        return await begun.database.read(
            lambda connection: estimate_from_pilot(connection, begun.pipeline, begun.campaign, pilot, ended)
        )


async def resume(path: Path, watcher: Watcher) -> Report:
    """Continue a campaign that has begun."""
    return await run(begun_place(path).file, watcher)


async def begin(begun: Opened, watcher: Watcher, *, accept_changes: bool) -> None:
    """Record a new campaign, or make sure that the file still describes the one that has begun."""
    now, source = utc_iso(time()), begun.place.file.read_text("utf-8-sig")
    frozen = recipe(begun.campaign, begun.pipeline)
    record = await begun.database.read(campaigns.find)
    if record is None:
        await begun.database.write(
            lambda connection: campaigns.begin(connection, begun.campaign.name, source, frozen, now, __version__)
        )
    elif changes := differences(record.recipe, frozen):
        if await begun.database.read(names_read) and not accept_changes:  # without any, nothing was made
            message = (
                f"{begun.place.file}, or what it rests on, has changed since its run began ({record.began}):\n"
                f"{describe_changes(changes)}\n"
                "undo that, or accept the changes with --accept-changes: answers on record stay"
            )
            raise ChangedCampaign(message)
        plan = planner(begun.pipeline)
        await begun.database.write(lambda connection: accept(connection, source, frozen, now, plan))
        watcher.say(f"accepted {len(changes)} {'change' if len(changes) == 1 else 'changes'}")
    else:
        await begun.database.write(lambda connection: campaigns.refresh(connection, source))


def accept(connection: Connection, source: str, frozen: dict[str, Any], now: str, plan: jobs.Planner) -> None:
    """Take changes, and plan every unfinished item again under them."""
    campaigns.accept(connection, source, frozen, now)
    jobs.replan(connection, plan)


@contextmanager
def collect_rarely() -> Iterator[None]:
    """Look for cycles in memory less often: a run makes many objects and few cycles, and is the faster for it."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


async def work(begun: Opened, watcher: Watcher, slots: float = inf) -> Ended:
    """Run the campaign, or its first `slots`, to its end or to a pause."""
    database, plan, now = begun.database, planner(begun.pipeline), utc_iso(time())
    duplicates = Duplicates(begun.pipeline.question_step, plan)

    def prepare(connection: Connection) -> jobs.Rescued:
        campaigns.pause(connection, paused=False)
        campaigns.end(connection, None)
        rescued = jobs.rescue(connection, plan)
        ask_checkers_again(connection, begun.pipeline, plan, now)
        duplicates.load(connection, now)
        return rescued

    rescued = await database.write(prepare)
    for line in describe_rescued(rescued):
        watcher.say(line)
    before = await database.read(partial(earlier, models=begun.campaign.models))
    for line in describe_earlier_spending(begun.campaign.budget, before):
        watcher.say(line)
    await record_sent(database, begun.campaign)
    models, cap = begun.campaign.models, begun.campaign.budget
    llm = chain(StoreRecord(database), models, cap, before, StoreShelf(database), watcher.say)
    readings = Readings(database)
    tools = Tools(begun.campaign, begun.pipeline, database, llm, readings, duplicates, slots=slots, leave=llm.leave)
    where, settings = begun.place, begun.campaign.settings
    try:
        async with (
            open_log(watcher.log, begun.campaign, watcher.say) as note,
            services(settings, where.file.parent, where.graphs, database, watcher.say) as served,
            texts_service(begun.pipeline, begun.campaign, database, llm.embedder, where.vectors) as texts,
        ):
            runner = Runner(
                replace(tools, services={**served, **texts}, note=note), bool(rescued.suspects), watcher.say
            )
            with collect_rarely(), stopped_by_signals(runner, watcher.say):
                async with watcher.watch(begun):
                    ended = part_of(await runner.run(), slots, await begun.status())
            note("end", how=ended.how, cause=ended.cause, until=ended.until, words=ended.reason)
    finally:
        await llm.aclose()
    await database.write(lambda connection: campaigns.end(connection, asdict(ended)))
    return ended


def describe_rescued(rescued: jobs.Rescued) -> Iterator[str]:
    """What people must know about how the run before ended."""
    if rescued.asked:
        yield f"going on with {plural(rescued.asked, 'call')} that an interrupted run left"
    if rescued.suspects:
        them = plural(rescued.suspects, "call")
        yield f"{them} may be why earlier runs died: of these one is asked at a time, beside all others"


def demand(checks: Sequence[Check], say: Callable[[str], None], spare: frozenset[str] = frozenset()) -> None:
    """Raise `UsageError` for models, graphs and searches that cannot work, before anything is paid; say advice.

    Of `spare` models one has to work: the others are only told.
    """
    failed = {check.name: f"  {check.name}: {check.message}" for check in checks if not check.ok}
    if failed and not (failed.keys() <= spare and any(check.ok and check.name in spare for check in checks)):
        raise UsageError("\n".join(["these cannot be used:", *failed.values()]))
    for lines in failed.values():
        say(f"cannot be used now, the next run asks it again:\n{lines}")
    for advice in (one.message for one in checks if one.name == ADVICE):
        say(advice)


def shown_images(campaign: Campaign, pipeline: Pipeline) -> frozenset[str]:
    """The models that a role shows images, and their substitutes."""
    roles = [campaign.roles[agent.name] for agent in pipeline.agents if agent.frame.images]
    names = {name for panel in roles for name in panel.models}
    return frozenset(names | {campaign.models[name].substitute for name in names} - {""})


async def doctor(path: Path, say: Callable[[str], None] | None = None) -> list[Check]:
    """Look at the corpus, and every model that a role uses: prices, keys, endpoints; then at graphs and searches.

    Spends no paid token, and asks no search. With `say` the corpus is read as a run would read it, which is told how
    far that has got; without, only its names are looked at.
    """
    where = place(path)
    campaign, base = load(where.file), where.file.parent
    models, cap = campaign.models, campaign.budget
    pipeline = pipeline_of(campaign, where)
    seeing = shown_images(campaign, pipeline)
    probes = [
        await probe(models[name], cap, batch=name in campaign.batch_models, images=name in seeing)
        for name in campaign.serving_models
    ]
    doubts = [Check(ADVICE, ok=True, message=doubt) for doubt in pipeline.doubts()]
    named = await run_aside(partial(check_corpus, campaign.corpus, base, pipeline))
    corpus = await foresee_corpus(campaign, pipeline, base, say) if say and named.ok else named
    preset = [Check("preset", ok=True, message="\n".join(lines))] if (lines := describe_overrides(where.file)) else []
    further = check(campaign.settings, base, where.graphs)
    return [*preset, corpus, *check_languages(campaign), *probes, *further, *doubts]
