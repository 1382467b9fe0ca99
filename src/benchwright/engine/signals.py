"""Ctrl-C once: finish what runs, then stop. Twice: hand it back and stop."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchwright.domain.text import plural
from benchwright.engine.runner import Runner

STOP = (signal.SIGINT, signal.SIGTERM)
HANG_UP = signal.SIGHUP  # comes when a terminal is closed; under nohup it is ignored


@contextmanager
def stopped_by_signals(runner: Runner, say: Callable[[str], None]) -> Iterator[None]:
    """While this holds, signals stop the runner; `say` tells the person what happens."""
    loop = asyncio.get_running_loop()

    def first_or_again() -> None:
        if runner.stopping is None:
            runner.pause("stopped by a signal")
            say(f"finishing {plural(runner.finishing, 'call')} in flight, then stopping; once more to stop at once")
        else:
            say("handing back what is in flight")
            runner.abort()

    ignored = signal.getsignal(HANG_UP) is signal.SIG_IGN
    heard = STOP if ignored else (*STOP, HANG_UP)
    for number in heard:
        loop.add_signal_handler(number, first_or_again)
    try:
        yield
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
