"""The rough estimate: what a pipeline expects of each role, times the items wanted. Asks nobody."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean

from benchwright.domain.call import Usage, tokens
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import read_out
from benchwright.engine.estimate import MINUTES, Estimate, Sample, estimate, priced
from benchwright.engine.intake import take_in
from benchwright.engine.status import wanted
from benchwright.llm.prices import cost
from benchwright.pipelines.base import Expected, Pipeline, Served
from benchwright.store import documents
from benchwright.store.calls import Share
from benchwright.store.database import Database

LOOKED_AT = 12  # documents whose length is measured
REFUSED = 10  # files that are named
READS, WRITES = 2000.0, 50.0  # tokens a second of a hosted model
READS_HERE, WRITES_HERE = 200.0, 20.0  # of one in this process
SPEEDS = (
    f"{READS:.0f} and writes {WRITES:.0f} tokens a second, one in this process {READS_HERE:.0f} and {WRITES_HERE:.0f}"
)
ASSUMED = (
    "no model was asked; a token is taken for three bytes, a document for as long as the mean of those looked at",
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
    count, length = await measure_documents(campaign, pipeline, base, say)
    samples = [sample(campaign, pipeline, length, most=most) for most in (False, True)]
    batches = [BATCHES] if any(role.batch for role in campaign.roles.values()) else []
    notes = [*ASSUMED, *priced(campaign), *batches]
    found = estimate(samples, campaign, wanted(asdict(campaign.quota), count) or 0, notes)
    return replace(found, sampled=min(count, LOOKED_AT))


async def measure_documents(
    campaign: Campaign, pipeline: Pipeline, base: Path, say: Callable[[str], None]
) -> tuple[int, int]:
    """How many documents there are, and the mean length in tokens of what is shown of some of them."""
    async with await Database.open(None, create=True) as database:
        await take_in(database, campaign, pipeline, base, say)
        listed = await database.read(documents.listed)
        for line in refusals({row.name: row.reason for row in listed if row.reason}):
            say(line)
        names = [row.id for row in listed if row.id]
        found = [await database.read(partial(documents.get, name=name)) for name in spread(names, LOOKED_AT)]
        return len(names), round(fmean(tokens(read_out(document, view).text) for document, view in found))


def refusals(reasons: Mapping[str, str]) -> Iterator[str]:
    """The first files that a run would refuse, with their `reasons`, and how many more there are."""
    yield from (f"refused {name}: {reason}" for name, reason in islice(reasons.items(), REFUSED))
    if len(reasons) > REFUSED:
        yield f"and {len(reasons) - REFUSED} more files refused"


def spread(names: Sequence[str], most: int) -> list[str]:
    """At most so many, from the first to the last at even distances."""
    count = min(most, len(names))
    return [names[place * len(names) // count] for place in range(count)]


def sample(campaign: Campaign, pipeline: Pipeline, length: int, *, most: bool) -> Sample:
    """One item as the estimate reckons it, at the least or at the most, about documents of so many tokens."""
    roles = {role.name: role for role in pipeline.roles}
    attempts = campaign.quota.tries if most else 1
    shares, cards = list[Share](), 0
    for expected in pipeline.expect():
        calls = expected.calls[most] * attempts
        if roles[expected.role].served is Served.PEOPLE:
            cards += round(calls)
        else:
            prompt = length + roles[expected.role].agent.prompt.size + expected.ask
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
