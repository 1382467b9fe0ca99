"""Processes that fork from one which has imported the command line: most of a short run is imports.

They are what `python -m benchwright` is, but that they share the seed of hashes, and none is killed while it imports.
"""

import gc
import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from tempfile import mkdtemp

IMPORTED = (
    *("benchwright.app", "benchwright.engine.runner", "benchwright.export.folder", "benchwright.llm.providers.direct"),
    *("benchwright.show.live", "tests.e2e.hasty"),
)
Main = Callable[[Sequence[str]], None]  # of a module: it can be named to another process


@cache
def server() -> ForkServerContext:
    """What forks: a process for each that runs tests, which goes when that goes."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(IMPORTED))
    return context


class Fork:
    """A process of the command line; as much like a `Popen` as these tests need."""

    def __init__(self, main: Main, words: Sequence[str], environment: dict[str, str], cwd: Path) -> None:
        self.said = Path(mkdtemp(prefix="fork-"))
        self.process = server().Process(target=become, args=(main, words, environment, cwd, self.said))
        self.process.start()
        self.pid = self.process.pid or 0

    @property
    def returncode(self) -> int | None:
        """Its exit code, once it has ended; the negative number of the signal that killed it."""
        return self.process.exitcode

    def poll(self) -> int | None:
        """The same."""
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it (-9)."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float) -> tuple[str, str]:
        """Wait for its end; what it wrote to stdout and stderr."""
        self.process.join(timeout)
        assert self.returncode is not None, f"process {self.pid} has not ended within {timeout:g} s"
        out, err = ((self.said / name).read_text("utf-8") for name in ("out", "err"))
        shutil.rmtree(self.said)
        return out, err


def become(main: Main, words: Sequence[str], environment: dict[str, str], cwd: Path, said: Path) -> None:
    """Be a command line in this environment and folder."""
    gc.freeze()
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(cwd)
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT, 0o644), number)
    main(words)
