"""What a campaign will come to: calls, tokens, money, time and people's minutes.

Both estimates rest on samples of items. The rough one reckons one item at the least and one at the most, by what its
pipeline expects. A pilot has made some for real, and gives an interval.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Any

from benchwright.domain.answer import HUMAN
from benchwright.domain.campaign import Campaign
from benchwright.llm.prices import Price, price
from benchwright.llm.providers.endpoint import Endpoint, endpoint, endpoints
from benchwright.store import calls, items, jobs
from benchwright.store.calls import Share
from benchwright.store.database import Connection

MINUTES = 1.5  # that a person takes for one card
# Student's t for 95 %, by degrees of freedom from 1 on; beyond them the normal distribution's.
T95 = (
    12.71,
    4.30,
    3.18,
    2.78,
    2.57,
    2.45,
    2.36,
    2.31,
    2.26,
    2.23,
    2.20,
    2.18,
    2.16,
    2.14,
    2.13,
    2.12,
    2.11,
    2.10,
    2.09,
)
NORMAL = 2.0


@dataclass(frozen=True, slots=True)
class Range:
    """From `low` to `high` (None: nobody can say); `likely` where something was measured."""

    low: float
    high: float | None
    likely: float | None = None


@dataclass(frozen=True, slots=True)
class Sample:
    """What some slots took, each worked off to its end; `decisions` are those asked of people, by slot."""

    slots: tuple[int, ...]
    shares: tuple[Share, ...]
    decisions: Mapping[int, float]

    def each(self, value: Callable[[Share], float], key: tuple[str, str] | None = None) -> list[float]:
        """A quantity slot by slot, of one role and model or of all."""
        sums: defaultdict[int, float] = defaultdict(float)
        for share in self.shares:
            if key in (None, (share.step, share.model)):
                sums[share.slot] += value(share)
        return [sums[slot] for slot in self.slots]


@dataclass(frozen=True, slots=True)
class Line:
    """What one model does for one role. `cost` in US dollars is None where its price is unknown."""

    role: str
    model: str
    calls: Range
    prompt: Range
    cached: float  # the share of `prompt` that came from a cache
    completion: Range
    cost: Range | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The whole campaign: `items` wanted, by so many `sampled` ones that were made, or from as many sources.

    `cost` in US dollars covers the models with a known price; `unpriced` are the others. `seconds` is how long models
    work, `minutes` how long people do, on so many `decisions`. `stopped` says why a pilot ended early.
    """

    items: int
    sampled: int
    lines: tuple[Line, ...]
    calls: Range
    prompt: Range
    completion: Range
    cost: Range
    unpriced: tuple[str, ...]
    seconds: Range
    decisions: Range
    minutes: Range
    notes: tuple[str, ...]
    stopped: str = ""

    def json(self) -> dict[str, Any]:
        """The estimate as JSON values: `cost` is null where some price is unknown; `known_cost` is that of the rest."""
        values = asdict(self)
        return values | {"cost": None if self.unpriced else values["cost"], "known_cost": values["cost"]}


def measure_slots(connection: Connection, tries: int) -> Sample:
    """The slots that have ended. Calls that led to no answer, such as repairs, are spread over those that did."""
    slots, shares = items.ended_slots(connection, tries), calls.shares(connection)
    answered: defaultdict[tuple[str, str], float] = defaultdict(float)
    for share in shares:
        answered[share.step, share.model] += share.calls
    more = {
        (s.step, s.model): s.calls / answered[s.step, s.model]
        for s in calls.spending_by_model(connection)
        if answered[s.step, s.model]
    }
    spread = (scale_share(share, more[share.step, share.model]) for share in shares if share.slot in slots)
    return Sample(tuple(slots), tuple(spread), jobs.by_slot(connection, HUMAN))


def scale_share(share: Share, factor: float) -> Share:
    """So many times a share."""
    numbers = {
        name: getattr(share, name) * factor
        for name in ("calls", "prompt", "completion", "cached", "thinking", "latency")
    }
    return replace(share, **numbers, cost=None if share.cost is None else share.cost * factor)


def interval(values: Sequence[float], wanted: int) -> Range:
    """The sum over `wanted` slots of which these are known: 95 % of a t-distribution for the sum of all others."""
    count, known, rest = len(values), sum(values), wanted - len(values)
    if rest <= 0:
        return Range(known, known, known)
    likely = known + rest * fmean(values)
    if count == 1:
        return Range(known, None, likely)
    t = T95[count - 2] if count - 2 < len(T95) else NORMAL
    half = t * stdev(values) * sqrt(rest + rest * rest / count)
    return Range(max(known, likely - half), likely + half, likely)


def bounds(samples: Sequence[Sample], wanted: int, values: Callable[[Sample], list[float]]) -> Range:
    """A quantity over the whole campaign: the interval of one sample, or from the lowest of several to the highest."""
    if len(samples) == 1:
        return interval(values(samples[0]), wanted)
    sums = [wanted * fmean(values(sample)) for sample in samples]
    return Range(min(sums), max(sums))


def add_ranges(lines: Sequence[Range]) -> Range:
    """The range of a sum, each of whose parts may be as low and as high as it likes."""
    return Range(sum(line.low for line in lines), sum(line.high or 0 for line in lines))


def estimate(
    samples: Sequence[Sample], campaign: Campaign, wanted: int, notes: Iterable[str], stopped: str = ""
) -> Estimate:
    """The whole campaign by one sample that was measured, or by several that were played; none of them is empty."""
    shares = [share for sample in samples for share in sample.shares]
    keys = sorted({(share.step, share.model) for share in shares}, key=order(campaign))

    def over(value: Callable[[Share], float], key: tuple[str, str] | None = None) -> Range:
        if key is None and len(samples) > 1:  # no play has the most of every role, a campaign may
            return add_ranges([over(value, each) for each in keys])
        return bounds(samples, wanted, lambda sample: sample.each(value, key))

    unknown = {(share.step, share.model) for share in shares if share.cost is None}
    lines = (
        Line(
            role=key[0],
            model=key[1],
            calls=over(lambda share: share.calls, key),
            prompt=over(lambda share: share.prompt, key),
            cached=cached_share([share for share in shares if (share.step, share.model) == key]),
            completion=over(lambda share: share.completion, key),
            cost=None if key in unknown else over(money, key),
        )
        for key in keys
    )
    asked = bounds(samples, wanted, lambda sample: [sample.decisions.get(slot, 0.0) for slot in sample.slots])
    made = over(lambda share: share.calls)
    return Estimate(
        items=wanted,
        sampled=len(samples[0].slots),
        lines=tuple(lines),
        calls=made,
        prompt=over(lambda share: share.prompt),
        completion=over(lambda share: share.completion),
        cost=over(money),
        unpriced=tuple(sorted({model for _, model in unknown})),
        seconds=spell(samples, campaign, wanted, made),
        decisions=asked,
        minutes=times(asked, MINUTES),
        notes=tuple(notes),
        stopped=stopped,
    )


def money(share: Share) -> float:
    """US dollars; those of an unknown price are told apart elsewhere."""
    return share.cost or 0.0


def order(campaign: Campaign) -> Callable[[tuple[str, str]], tuple[int, tuple[str, str]]]:
    """Roles as the campaign names them, then models."""
    places = {role: place for place, role in enumerate(campaign.roles)}
    return lambda key: (places.get(key[0], len(places)), key)


def cached_share(shares: Sequence[Share]) -> float:
    """The share of prompt tokens that came from a cache."""
    prompt = sum(share.prompt for share in shares)
    return sum(share.cached for share in shares) / prompt if prompt else 0.0


def times(amount: Range, factor: float) -> Range:
    """So many times an amount."""
    high, likely = (None if one is None else one * factor for one in (amount.high, amount.likely))
    return Range(amount.low * factor, high, likely)


def spell(samples: Sequence[Sample], campaign: Campaign, wanted: int, made: Range) -> Range:
    """Seconds for the whole; where calls were measured, as uncertain as their number."""
    lengths = [duration(sample, campaign, wanted) for sample in samples]
    if made.likely is None:
        return Range(min(lengths), max(lengths))
    return times(made, lengths[0] / made.likely) if made.likely else Range(0, 0, 0)


def duration(sample: Sample, campaign: Campaign, wanted: int) -> float:
    """Seconds until `wanted` slots are done: what the busiest endpoint needs within its limits, at least one item's."""
    models = {name: campaign.models[name] for name in campaign.serving_models}
    factor = wanted / len(sample.slots)
    sums: defaultdict[Endpoint, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for share in sample.shares:
        if share.model in models:
            numbers = (share.latency, share.calls, share.prompt + share.completion)
            place = endpoint(models[share.model])
            sums[place] = [total + factor * number for total, number in zip(sums[place], numbers, strict=True)]
    longest = longest_chain(sample)
    for place, model in endpoints(models.values()).items():
        latency, asked, tokens = sums[place]
        longest = max(longest, latency / model.width, 60 * asked / (model.rpm or inf), 60 * tokens / (model.tpm or inf))
    return longest


def longest_chain(sample: Sample) -> float:
    """Seconds of the slowest slot by itself: roles one after the other, the models of a panel side by side."""
    slowest: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    for share in sample.shares:
        roles = slowest[share.slot]
        roles[share.step] = max(roles[share.step], share.latency)
    return max((sum(roles.values()) for roles in slowest.values()), default=0.0)


def describe_prices(campaign: Campaign) -> list[str]:
    """What is taken for the price of each model."""
    return [f"{name}: {describe_price(price(campaign.models[name]))}" for name in campaign.serving_models]


def describe_price(found: Price | None) -> str:
    """A price in words."""
    if found is None:
        return "price unknown; give it price_in and price_out"
    each = (plain(amount) for amount in (found.prompt, found.completion, found.cached))
    return "${} in, ${} out, ${} cached, per million tokens".format(*each)


def plain(amount: Decimal) -> str:
    """An amount without idle zeros."""
    return f"{amount.normalize():f}"
