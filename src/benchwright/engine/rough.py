"""The rough estimate: what a pipeline expects of each role, times the items wanted. Asks nobody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import TypeVar

from benchwright.domain.call import Usage, tokens
from benchwright.domain.campaign import Campaign
from benchwright.domain.source import ItemRef, Outline, Sources, as_reading
from benchwright.engine.estimate import MINUTES, Estimate, Sample, describe_prices, estimate
from benchwright.engine.intake import take_in
from benchwright.engine.status import list_refusals
from benchwright.llm.prices import cost
from benchwright.pipelines.base import Expected, Pipeline, Served
from benchwright.store.calls import Share
from benchwright.store.database import Connection, Database
from benchwright.store.sources import Corpus, content

T = TypeVar("T")

LOOKED_AT = 12  # sources whose length is measured
REFUSED = 10  # files that are named
READS, WRITES = 2000.0, 50.0  # tokens a second of a hosted model
READS_HERE, WRITES_HERE = 200.0, 20.0  # of one in this process
SPEEDS = (
    f"{READS:.0f} and writes {WRITES:.0f} tokens a second, one in this process {READS_HERE:.0f} and {WRITES_HERE:.0f}"
)
ASSUMED = (
    "no model was asked; three bytes count as a token, and each source as long as the mean of those looked at",
    "from: each first attempt succeeds, all checkers agree at once; to: every attempt, round and vote is needed",
    "no prompt token comes from a cache, no reply has to be mended, no token is spent on reasoning",
    f"a hosted model reads {SPEEDS}; as many calls at once as models are wide",
    f"people take {MINUTES} minutes for a card",
)
BATCHES = (
    "roles with batch = true are priced as batches; each of their batches may take a day, which is not in the time"
)


async def rough(campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]) -> Estimate:
    """Read the corpus as a run would, and reckon; raises `CorpusError` if nothing is usable."""
    count, wanted, length = await measure_sources(campaign, pipeline, base, say)
    samples = [sample(campaign, pipeline, wanted, length, most=most) for most in (False, True)]
    batches = [BATCHES] if any(role.batch for role in campaign.roles.values()) else []
    notes = [*ASSUMED, *describe_prices(campaign), *batches]
    found = estimate(samples, campaign, sum(wanted.values()), notes)
    return replace(found, sampled=min(count, LOOKED_AT))


async def measure_sources(
    campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]
) -> tuple[int, Mapping[str, int], int]:
    """How many sources there are, how many items of each phase are wanted, and the mean length in tokens of some."""
    async with await Database.open(None, create=True) as database:
        taken = await take_in(database, campaign, pipeline, base, say)
        for line in refusals(await database.read(list_refusals), taken.refused):
            say(line)
        return await database.read(partial(measure, pipeline=pipeline))


def measure(connection: Connection, pipeline: Pipeline) -> tuple[int, Mapping[str, int], int]:
    """The same of a corpus that was taken in."""
    corpus = Corpus(connection)
    shown = [content(connection, corpus[place].about) for place in spread(range(len(corpus)), LOOKED_AT)]
    length = fmean(tokens(as_reading(one).text) for one in shown)
    return len(corpus), wanted_by_phase(pipeline, corpus), round(length)


def wanted_by_phase(pipeline: Pipeline, corpus: Sources) -> Mapping[str, int]:
    """How many items each phase wants, if all items of the phase before are kept."""
    wanted, sources = dict[str, int](), corpus
    for phase in pipeline.phases:
        wanted[phase] = pipeline.wanted_items(phase, sources)
        sources = (Outline(ItemRef("")),) * wanted[phase]
    return wanted


def refusals(reasons: Mapping[str, str], count: int) -> Iterator[str]:
    """The first files and lines that a run would refuse, with their `reasons`, and how many more of all there are."""
    yield from (f"refused {name}: {reason}" for name, reason in islice(reasons.items(), REFUSED))
    if count > REFUSED:
        yield f"and {count - REFUSED} more files refused"


def spread(things: Sequence[T], most: int) -> list[T]:
    """At most so many, from the first to the last at even distances."""
    count = min(most, len(things))
    return [things[place * len(things) // count] for place in range(count)]


def sample(campaign: Campaign, pipeline: Pipeline, wanted: Mapping[str, int], length: int, *, most: bool) -> Sample:
    """The mean item of so many of each phase, at the least or at the most, about sources of so many tokens."""
    roles = {role.name: role for role in pipeline.roles}
    attempts = campaign.quota.tries if most else 1
    shares, cards = list[Share](), 0.0
    for expected in pipeline.expect():
        calls = expected.calls[most] * attempts * wanted[expected.phase] / (sum(wanted.values()) or 1)
        if roles[expected.role].served is Served.PEOPLE:
            cards += calls
        else:
            shown = length if expected.shown is None else min(length, expected.shown)
            prompt = shown + roles[expected.role].agent.prompt.size + expected.ask
            shares += reckon(campaign, expected, calls, Usage(prompt, expected.reply[most]))
    return Sample((0,), tuple(shares), {0: cards})


def reckon(campaign: Campaign, expected: Expected, calls: float, usage: Usage) -> Iterator[Share]:
    """So many calls of a role, spread evenly over its models, each of this size."""
    panel = campaign.roles[expected.role]
    for name in panel.models:
        model, each = campaign.models[name], calls / len(panel.models)
        paid = cost(model, usage, batch=panel.batch)
        here = model.provider == "local"
        reads, writes = (READS_HERE, WRITES_HERE) if here else (READS, WRITES)
        yield Share(
            slot=0,
            step=expected.role,
            model=name,
            calls=each,
            prompt=each * usage.prompt,
            completion=each * usage.completion,
            cached=0.0,
            thinking=0.0,
            cost=None if paid is None else each * float(paid),
            latency=each * (usage.prompt / reads + usage.completion / writes),
        )
