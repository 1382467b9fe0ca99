"""The pilot: the first items of a campaign, made for real and kept, tell what the whole will come to."""

from benchwright.domain.campaign import Campaign
from benchwright.engine.estimate import MINUTES, Estimate, describe_prices, estimate, measure_slots
from benchwright.engine.runner import Ended, How
from benchwright.engine.status import Status, status
from benchwright.errors import UsageError
from benchwright.pipelines.base import Pipeline
from benchwright.store.database import Connection

MEASURED = (
    "calls, tokens, money and times are those of items that were made; `run` continues and pays for none again",
    "calls that led to no answer, such as repairs, are spread over all others",
    "from - to: 95 % of a t-distribution over items, wide for few of them",
    f"people take {MINUTES} minutes for a card; what models owe after their decisions is not in it",
)


def part_of(ended: Ended, slots: float, found: Status) -> Ended:
    """How a run of the first `slots` has ended: as a pause, unless there are no more than these."""
    if ended.how is How.PAUSED or slots >= (found.wanted or 0):
        return ended
    return Ended(How.PAUSED, f"the pilot of {slots:.0f} items has ended")


def estimate_from_pilot(
    connection: Connection, pipeline: Pipeline, campaign: Campaign, slots: int, ended: Ended
) -> Estimate:
    """The whole, of several phases the first, by all items that have ended; raises `UsageError` where none has."""
    sample = measure_slots(connection, campaign.quota.tries)
    if not sample.slots:
        message = f"no item has ended, so there is nothing to measure: {ended.reason}"
        raise UsageError(message)
    early = ended.reason if ended.how is How.PAUSED and len(sample.slots) < slots else ""
    later = [f"only items of phase {pipeline.phases[0]} were made: {one} is not in it" for one in pipeline.phases[1:]]
    notes = (*MEASURED, *later, *describe_prices(campaign))
    return estimate([sample], campaign, status(connection).wanted or 0, notes, early)
