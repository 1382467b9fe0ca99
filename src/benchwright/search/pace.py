"""Not too fast: requests to one site leave apart from each other, further apart after each failure."""

import asyncio

SLOWEST = 60.0  # seconds
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
        """Wait until a request may leave."""
        async with self.line:
            clock = asyncio.get_running_loop()
            await asyncio.sleep(max(0.0, self.free - clock.time()))
            self.free = clock.time() + self.now

    def failed(self) -> None:
        """Leave the site alone for longer."""
        self.now = min(max(self.now * EASE, self.gap), SLOWEST)
        self.free = max(self.free, asyncio.get_running_loop().time() + self.now)

    def answered(self) -> None:
        """Go on as in the beginning."""
        self.now = self.gap
