"""The rough estimate: a few slots of a campaign worked off by its own queue in memory, by a model without sense."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path

from benchwright.agents.choice import judge_item
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import Document, View
from benchwright.engine.duplicates import Duplicates
from benchwright.engine.estimate import MINUTES, Estimate, Sample, estimate, measured, priced
from benchwright.engine.intake import take_in
from benchwright.engine.invented import READS, READS_HERE, WRITES, WRITES_HERE, Invented, Manner
from benchwright.engine.plans import planner
from benchwright.engine.readings import Readings
from benchwright.engine.record import StoreRecord
from benchwright.engine.runner import Runner
from benchwright.engine.status import wanted
from benchwright.engine.unasked import Unasked
from benchwright.engine.worker import Service, Tools
from benchwright.llm.gateway import Llm
from benchwright.llm.ledger import Ledger
from benchwright.llm.replies.repair import Repair
from benchwright.pipelines.base import Pipeline
from benchwright.store import campaigns, documents
from benchwright.store.database import Database

SLOTS = 12  # that are played
REFUSED = 10  # files that are named
# Checkers confirm every option, and what is written is hard at once; or each verdict is a coin's toss. Where items are
# judged, a third play: all is confirmed, and every item stays easy, so that all rounds of rewriting follow.
CONFIRMED, TOSSED = Manner(1.0, ease=0.0, found=0.0), Manner(0.5, ease=1.0)
EASY = Manner(1.0, ease=1.0)
SPEEDS = (
    f"{READS:.0f} and writes {WRITES:.0f} tokens a second, one in this process {READS_HERE:.0f} and {WRITES_HERE:.0f}"
)
ASSUMED = (
    "no model was asked: replies are invented, as long as their form allows; a token is taken for three bytes",
    "from: checkers confirm every option; to: each verdict is a coin's toss, with the rounds and tries that follow",
    "a sum takes each role where it has the least to do, and where it has the most",
    "no prompt token comes from a cache, no reply has to be mended, no token is spent on reasoning",
    f"a hosted model reads {SPEEDS}; as many calls at once as models are wide",
    f"people take {MINUTES} minutes for an option",
)
JUDGED = (
    "from: judges find every item hard enough at once; to: every item stays easy, with all rounds of rewriting",
    "no search and no graph was asked: from: they have nothing; to: as much as they are asked for, at once",
)
BATCHES = (
    "roles with batch = true are priced as batches; each of their batches may take a day, which is not in the time"
)
Sources = Sequence[tuple[Document, View]]


async def rough(campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]) -> Estimate:
    """Read the corpus as a run would, and play some of its slots; raises `CorpusError` if nothing is usable."""
    count, sources = await taken(campaign, pipeline, base, say)
    judged = judge_item.agent in pipeline.agents
    manners = (CONFIRMED, TOSSED, EASY) if judged else (CONFIRMED, TOSSED)
    facts = int((campaign.settings.get("knowledge") or {}).get("most", 0))
    samples = [
        await played(campaign, pipeline, sources, Invented(manner), Unasked(manner.found, facts).services)
        for manner in manners
    ]
    batches = [BATCHES] if any(role.batch for role in campaign.roles.values()) else []
    notes = [*ASSUMED, *(JUDGED if judged else ()), *priced(campaign), *batches]
    return estimate(samples, campaign, wanted(asdict(campaign.quota), count) or 0, notes)


async def taken(campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]) -> tuple[int, Sources]:
    """How many documents there are, and those of them that are played."""
    async with await Database.open(None, create=True) as database:
        await take_in(database, campaign, pipeline, base, say)
        listed = await database.read(documents.listed)
        for line in refusals({row.name: row.reason for row in listed if row.reason}):
            say(line)
        names = [row.id for row in listed if row.id]
        chosen = spread(names, ceil(SLOTS / (campaign.quota.per_document if campaign.quota.target is None else 1)))
        return len(names), [await database.read(partial(documents.get, name=name)) for name in chosen]


def refusals(reasons: Mapping[str, str]) -> Iterator[str]:
    """The first files that a run would refuse, with their `reasons`, and how many more there are."""
    yield from (f"refused {name}: {reason}" for name, reason in islice(reasons.items(), REFUSED))
    if len(reasons) > REFUSED:
        yield f"and {len(reasons) - REFUSED} more files refused"


def spread(names: Sequence[str], most: int) -> list[str]:
    """At most so many, from the first to the last at even distances."""
    count = min(most, len(names))
    return [names[place * len(names) // count] for place in range(count)]


async def played(
    campaign: Campaign, pipeline: Pipeline, sources: Sources, model: Llm, services: Mapping[str, Service]
) -> Sample:
    """What the first slots made of these documents take, by the campaign's own queue, ledger and repair."""
    async with await Database.open(None, create=True) as database:
        await database.write(lambda c: campaigns.begin(c, campaign.name, "", campaign.recipe(), "", ""))
        for document, view in sources:
            await database.write(partial(documents.admit, document=document, view=view))
        llm, readings = Repair(Ledger(model, StoreRecord(database))), Readings(database)
        duplicates = Duplicates(pipeline.stem_step, planner(pipeline))
        tools = Tools(campaign, pipeline, database, llm, readings, duplicates, slots=SLOTS, services=services)
        await Runner(tools).run()
        return await database.read(partial(measured, tries=campaign.quota.tries))
