"""What an endpoint was asked in the last minute, and when it may be asked again. Pure: time comes in as a number.

A request counts from the moment it leaves. Its tokens are reserved then, and corrected when the reply says what it
used: less counts from the departure on, as the reservation did; an excess counts from the correction on. So no minute
holds more than the limits, unless a reply overshot its reservation.

Usage is kept in buckets of half a second, each of which leaves as a whole, so that a minute of any rate is a few
numbers that processes can share. The price is at most 1.7 % of the rate, half a second of caution included.
"""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

TICK = 0.5  # seconds of a bucket
MINUTE = 60.5  # a request may travel faster than one that left a minute before it
KEPT = int(MINUTE / TICK)  # buckets after its own that one stays
LONGEST = (
    3600.0  # seconds that an endpoint may ask to be left alone; what a clock that ran otherwise has left could be years
)
NO_LIMIT = sys.maxsize

Bucket = tuple[int, int, int]  # its number by the clock, requests, tokens


class Room(NamedTuple):
    """What is left beside a request at `when`; below zero it does not fit."""

    when: float
    requests: int
    tokens: int

    @property
    def enough(self) -> bool:
        """Whether the request fits."""
        return self.requests >= 0 and self.tokens >= 0


@dataclass(slots=True)
class Window:
    """The last minute of one endpoint under its limits; `cooling` is until when nobody may leave."""

    rpm: int = NO_LIMIT
    tpm: int = NO_LIMIT
    cooling: float = 0.0  # a moment by the clock
    requests: int = 0
    tokens: int = 0
    buckets: dict[int, tuple[int, int]] = field(default_factory=dict)
    turned: int = 0  # the bucket of now

    @property
    def has_limit(self) -> bool:
        """Whether there is anything to keep to."""
        return min(self.rpm, self.tpm) < NO_LIMIT

    def turn(self, now: float) -> None:
        """Forget what is older than a minute, and what a clock that was set back has left in the future."""
        tick = int(now / TICK)
        if tick == self.turned:
            return
        self.turned = tick
        for old in [old for old in self.buckets if not tick - KEPT <= old <= tick + KEPT]:
            requests, tokens = self.buckets.pop(old)
            self.requests -= requests
            self.tokens -= tokens
        if self.cooling > now + LONGEST:
            self.cooling = 0.0

    def add(self, when: float, requests: int, tokens: int) -> None:
        """Count what left at `when`; a negative amount corrects what is counted there, if it still is."""
        self.put(int(when / TICK), requests, tokens)

    def put(self, tick: int, requests: int, tokens: int) -> None:
        """Count in a bucket."""
        corrects = requests < 0 or tokens < 0
        if tick < self.turned - KEPT or (corrects and tick not in self.buckets):
            return
        before, used = self.buckets.get(tick, (0, 0))
        self.buckets[tick] = before + requests, used + tokens
        self.requests += requests
        self.tokens += tokens

    def cool(self, until: float) -> None:
        """Let nobody leave until then, or longer where that was said before."""
        self.cooling = max(self.cooling, until)

    def room(self, tokens: int) -> Room:
        """What is left beside a request of so many tokens now."""
        return Room(0.0, self.rpm - self.requests - 1, self.tpm - self.tokens - tokens)

    def opening(self, tokens: int) -> Room:
        """When a request, no larger than a minute, fits at the latest, and what is left beside it then."""
        room = self.room(tokens)
        for tick in sorted(self.buckets):
            if room.enough:
                break
            requests, used = self.buckets[tick]
            room = Room((tick + KEPT + 1) * TICK, room.requests + requests, room.tokens + used)
        return room

    def plain_buckets(self) -> list[Bucket]:
        """The buckets as plain numbers."""
        return [(tick, requests, tokens) for tick, (requests, tokens) in self.buckets.items()]

    def join(self, buckets: Iterable[Bucket]) -> None:
        """Count what others have used too."""
        for tick, requests, tokens in buckets:
            self.put(tick, requests, tokens)
