"""Not too fast: requests to one site leave apart from each other, further apart after each failure."""

import asyncio

from benchwright.errors import Transient

SLOWEST = 60.0  # seconds
REST = 600.0  # seconds without a request, after a failure at the slowest pace
EASE = 2.0  # how much longer the wait gets with each failure


class Pace:
    """A gap in seconds between the beginnings of requests, for this process alone."""

    def __init__(self, gap: float) -> None:
        """The first request leaves at once."""
        self.gap = gap
        self.now = gap
        self.free = 0.0  # when the next may leave, in the loop's time
        self.line = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until a request may leave; raises `Transient` at once where the site is left alone for longer."""
        async with self.line:
            clock = asyncio.get_running_loop()
            if self.free - clock.time() > SLOWEST:
                message = "it failed again and again and is left alone for some minutes"
                raise Transient(message)
            await asyncio.sleep(max(0.0, self.free - clock.time()))
            self.free = clock.time() + self.now

    def record_failure(self) -> None:
        """Leave the site alone for longer."""
        slower = min(max(self.now * EASE, self.gap), SLOWEST)
        rest = REST if self.now == slower == SLOWEST else slower
        self.now = slower
        self.free = max(self.free, asyncio.get_running_loop().time() + rest)

    def record_answer(self) -> None:
        """Go on as in the beginning."""
        self.now = self.gap
