"""Reading foreign formats in processes of their own, with bounds on time and memory.

A bad file may crash its reader, hang it or eat all memory. Then only its process ends, and the file ends in a state
with a name. A process reads one file after another; after a fault, and after some hundred files, it is replaced.

The parent and its process talk in lines of JSON. The process ends when its parent does: its input is closed.
"""

import base64
import json
import os
import queue
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Timer
from types import TracebackType
from typing import Any, Self

from benchwright.corpus.docx import read_docx
from benchwright.corpus.draft import Draft, draft_from_json
from benchwright.corpus.html import read_html
from benchwright.corpus.pdf import read_pdf
from benchwright.domain.campaign import Documents
from benchwright.errors import Unreadable

SECONDS = 120.0  # for one file, from the moment that its process begins with it
MEGABYTES = 2048  # of address space
FILES = 200  # that a process reads before it is replaced

READERS_APART: Mapping[str, Callable[[bytes, str, Documents], Draft]] = {
    ".pdf": read_pdf,
    ".html": read_html,
    ".htm": read_html,
    ".xhtml": read_html,
    ".docx": read_docx,
}


class Apart:
    """At most so many processes at a time; made when they are needed, ended with the context. Safe in threads."""

    def __init__(self, processes: int = 0, seconds: float = SECONDS, megabytes: int = MEGABYTES) -> None:
        """`processes` is as many as there are cores if 0."""
        self.processes = processes or os.cpu_count() or 1
        self.seconds = seconds
        self.megabytes = megabytes
        self._turns: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        self._running: set[_Worker] = set()
        self._closed = False
        for _ in range(self.processes):
            self._turns.put(None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed = True
        for worker in tuple(self._running):
            worker.process.kill()  # whoever waits for it does not want its answer any more
        for _ in range(self.processes):
            if (idle := self._turns.get()) is not None:
                idle.end()
        for _ in range(self.processes):
            self._turns.put(None)

    def read(self, data: bytes, name: str, suffix: str, keep: Documents) -> Draft:
        """The draft of a file; waits for a free process. Raises `Unreadable` with the state in which the file ends."""
        worker = self._turns.get()
        try:
            if self._closed:
                raise Unreadable(f"{name}: was not read, because the reading was stopped; run again", "stopped")
            if worker is None:
                worker = _Worker(self.megabytes)
            self._running.add(worker)
            return worker.read(data, name, (suffix, keep), self.seconds)
        finally:
            if worker is not None:
                self._running.discard(worker)
                if worker.spent:
                    worker.end()
                    worker = None
            self._turns.put(worker)


class _Worker:
    """One process."""

    def __init__(self, megabytes: int) -> None:
        # -P: no module of the folder in which somebody happens to work is imported in place of a real one
        command = [sys.executable, "-P", "-m", "benchwright.corpus.apart", str(megabytes)]
        self.megabytes = megabytes
        self.process = subprocess.Popen(  # noqa: S603 - this very program
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the parent: a file that was cut off is not a bad one
        )
        self.files = 0
        self.late = False

    @property
    def spent(self) -> bool:
        """Whether it should be replaced."""
        return self.files >= FILES or self.process.poll() is not None or self.late

    def read(self, data: bytes, name: str, how: tuple[str, Documents], seconds: float) -> Draft:
        """One file; raises `Unreadable`, also where the process ended over it."""
        self.files += 1
        suffix, keep = how
        asked = {
            "data": base64.b64encode(data).decode(),
            "name": name,
            "suffix": suffix,
            "seconds": seconds,
            "keep": keep.recipe(),
        }
        timer = Timer(seconds, self._stop)
        timer.start()
        try:
            answer = self._exchange(json.dumps(asked).encode() + b"\n")
        finally:
            timer.cancel()
        if answer is None:
            raise self._end_of(name, seconds)
        if "unreadable" in answer:
            raise Unreadable(answer["unreadable"], answer["state"])
        return draft_from_json(answer)

    def _exchange(self, line: bytes) -> dict[str, Any] | None:
        """What the process answers; None where it ended instead."""
        to, back = self.process.stdin, self.process.stdout
        if to is None or back is None:
            return None
        with suppress(BrokenPipeError):
            to.write(line)
            to.flush()
        answer = back.readline()
        return json.loads(answer) if answer.endswith(b"\n") else None

    def _stop(self) -> None:
        self.late = True
        self.process.kill()

    def _end_of(self, name: str, seconds: float) -> Unreadable:
        """Why the process ended over a file."""
        code = self.process.wait()
        if self.late or code == -getattr(signal, "SIGXCPU", 0):
            message = f"{name}: takes more than {seconds:g} s to read; split it, or save it anew"
            return Unreadable(message, "timed out")
        message = f"{name}: crashes its reader (exit code {code}), or needs more than {self.megabytes} MB; save it anew"
        return Unreadable(message, "crashed")

    def end(self) -> None:
        """End the process, and wait for it."""
        with suppress(BrokenPipeError):
            if self.process.stdin:
                self.process.stdin.close()
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()


def serve(megabytes: int) -> None:
    """Read files, one a line of input, until the input ends; runs in the process."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
    _limit_memory(megabytes)
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        answers.write(_answer(asked, megabytes) + "\n")
        answers.flush()


def _answer(asked: Mapping[str, Any], megabytes: int) -> str:
    name, keep = asked["name"], asked["keep"]
    _limit_time(asked["seconds"])
    try:
        settings = Documents(keep.get("tables", False), keep.get("figures", False))
        return READERS_APART[asked["suffix"]](base64.b64decode(asked["data"]), name, settings).to_json()
    except Unreadable as error:
        return json.dumps({"unreadable": str(error), "state": error.state})
    except MemoryError:
        message = f"{name}: needs more than {megabytes} MB of memory to read; split it, or save it anew"
        return json.dumps({"unreadable": message, "state": "too large"})
    except RecursionError:
        return json.dumps({"unreadable": f"{name}: is nested too deeply; save it anew", "state": "damaged"})


def _limit_memory(megabytes: int) -> None:
    """A bound on the address space, where the system knows one."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))


def _limit_time(seconds: float) -> None:
    """A bound on the processor's time for the next file: it holds also where the parent is gone."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + seconds) + 2, hard))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
