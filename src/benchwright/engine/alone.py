"""Work for the processor that goes on beside the event loop, one piece at a time: files and models that take one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread
from typing import Generic, Self, TypeVar

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


async def run_aside(work: Callable[[], T]) -> T:
    """What the work gives or raises, from a thread of its own; whoever is cancelled, or ends, does not wait for it.

    So Ctrl-C is heard while a file system answers slowly. The threads of an executor would hold up the end.
    """
    done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

    def carry_out() -> None:
        with Handing(done) as handing:
            handing.found = work()

    Thread(target=carry_out, daemon=True).start()
    return await done


class Handing(Generic[T]):
    """Hands over, from a thread, what was found or the error that came instead, whatever it is."""

    found: T

    def __init__(self, done: "asyncio.Future[T]") -> None:
        """`done` gets it, if anybody still waits."""
        self._done = done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        with suppress(RuntimeError):  # its loop has ended meanwhile
            self._done.get_loop().call_soon_threadsafe(self._settle, error)
        return True

    def _settle(self, error: BaseException | None) -> None:
        if self._done.cancelled():
            return
        if error is None:
            self._done.set_result(self.found)
        else:
            self._done.set_exception(error)
