"""Work for the processor that goes on beside the event loop, one piece at a time: files and models that take one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


class Alone:
    """One thread, closed when what it works on may be closed."""

    def __init__(self, name: str) -> None:
        """The thread begins with its first work."""
        self._thread = ThreadPoolExecutor(1, name)

    async def do(self, work: Callable[[], T]) -> T:
        """What the work gives, in its turn; whoever is cancelled leaves what is running to its end."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def aclose(self) -> None:
        """Wait for what is running; what has not begun never will."""
        await asyncio.to_thread(self._thread.shutdown, cancel_futures=True)
