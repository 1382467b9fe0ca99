"""How many calls may be in flight at an endpoint: more while it answers, fewer when it asks for fewer. Pure.

It begins small and doubles with each round trip until the first refusal; from then on it grows by steps. The refusals
of one burst count once: what left before the last shrink tells nothing about the width since.
"""

from dataclasses import dataclass, field

START = 4  # calls in flight at first
STEPS = 4  # steps of growth, one in a round trip, from nothing to the whole width
REST = 0.1  # seconds of rest after a refusal that names no time; doubled for each burst without a success between
LONGEST_REST = 60.0


@dataclass(slots=True)
class Width:
    """The width of one endpoint, at most `most`; one that is not adaptive keeps to it."""

    most: int
    adaptive: bool = True
    size: float = field(init=False)
    steep: bool = True  # nothing was refused yet
    left: int = 0  # calls that have left so far
    shrunk: int = 0  # calls that had left at the last shrink
    bursts: int = 0  # bursts of refusals since the last success

    def __post_init__(self) -> None:
        self.size = float(min(START, self.most) if self.adaptive else self.most)

    @property
    def now(self) -> int:
        """Calls that may be in flight."""
        return int(self.size)

    def depart(self) -> int:
        """A call leaves; returns its number."""
        self.left += 1
        return self.left

    def record_success(self, number: int) -> None:
        """The call has its reply: there may be room for more."""
        self.bursts = 0
        if number > self.shrunk:
            step = 1.0 if self.steep else min(1.0, self.most / STEPS / self.size)
            self.size = min(float(self.most), self.size + step)

    def record_refusal(self, number: int) -> float:
        """The endpoint asks for fewer; returns for how many seconds to leave it alone if it names no time."""
        if not self.adaptive or number <= self.shrunk:
            return 0.0
        self.shrunk, self.steep = self.left, False
        self.size = max(1.0, self.size / 2)
        self.bursts += 1
        return min(LONGEST_REST, REST * 2.0 ** min(self.bursts - 1, 16))
