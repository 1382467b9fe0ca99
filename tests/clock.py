"""An event loop whose time a test need not wait for: when nothing can go on, it leaps to the next timer."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")
EPOCH = 1_800_000_000.0  # a good round time of day


class Leaping(selectors.DefaultSelector):
    """Waits no longer than `patience` real seconds for the network; then time leaps."""

    def __init__(self, patience: float) -> None:
        super().__init__()
        self.patience = patience
        self.leapt = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; without anything, a timeout is over at once."""
        if timeout is not None and timeout <= 0:
            return super().select(0)
        if (ready := super().select(self.patience)) or (timeout is None and self.patience):
            return ready
        if timeout is None:
            message = "nothing can go on and no timer is set: the test would hang"
            raise RuntimeError(message)
        self.leapt += timeout
        return []


class Loop(asyncio.SelectorEventLoop):
    """Its time is virtual: `now()` is the wall clock, in seconds since the epoch, that belongs to it."""

    def __init__(self, patience: float = 0.0) -> None:
        self.leaping = Leaping(patience)
        super().__init__(self.leaping)

    def time(self) -> float:
        """Seconds since the loop began, leaps alone."""
        return self.leaping.leapt


def now() -> float:
    """The wall clock of the running virtual loop."""
    return EPOCH + asyncio.get_running_loop().time()


def run(main: Callable[[], Coroutine[Any, Any, T]], patience: float = 0.0) -> T:
    """Run to the end in virtual time. With sockets or threads give some `patience`: real seconds to wait for them."""
    with asyncio.Runner(loop_factory=lambda: Loop(patience)) as runner:
        return runner.run(main())
