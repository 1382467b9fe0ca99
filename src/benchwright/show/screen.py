"""The two streams: answers on stdout, errors on stderr; with --json the answer is one JSON document."""

import errno
import json
import os
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from benchwright.show.code import Code
from benchwright.show.text import harmless, plain

GONE = {errno.EPIPE, errno.EIO, errno.ECONNRESET}  # the reader, or the terminal, is not there any more
WIDE = 160  # columns, in files and pipes


LEAST = 20  # columns: with fewer nothing can be read


class Patient(Console):
    """A console whose reader may leave: what is printed then goes nowhere, and the work goes on."""

    lost: OSError | None = None  # why not everything was printed, unless its reader left

    def _check_buffer(self) -> None:
        """Print what is gathered; a terminal that was closed, or a full disk, stops no work."""
        try:
            super()._check_buffer()
        except OSError as error:
            if error.errno not in GONE:
                self.lost = error
            self.on_broken_pipe()

    def on_broken_pipe(self) -> None:
        """Print into the void from now on."""
        self.quiet = True
        with Path(os.devnull).open("wb") as void:
            os.dup2(void.fileno(), self.file.fileno())


def console(*, stderr: bool = False) -> Console:
    """A console that takes nothing for markup; where no terminal sets the width, lines may be long."""
    made = Patient(stderr=stderr, markup=False, emoji=False, highlight=False)
    if made.width < LEAST or (not made.is_terminal and not os.environ.get("COLUMNS")):
        made.width = WIDE
    return made


@dataclass(frozen=True, slots=True)
class Screen:
    """Where a command prints."""

    json: bool = False
    out: Console = field(default_factory=console)
    err: Console = field(default_factory=lambda: console(stderr=True))

    @property
    def progress(self) -> Console:
        """Where progress goes: stdout, unless that is kept for the JSON document."""
        return self.err if self.json else self.out

    def say(self, line: str) -> None:
        """Print a line of progress."""
        self.progress.print(plain(line), soft_wrap=True)

    def answer(self, value: Any, drawn: RenderableType = "", code: Code = Code.DONE) -> Code:
        """Print what a command found: the value as JSON, or what was drawn of it.

        Returns the exit code; that of a failure where standard output cannot be written.
        """
        if self.json:
            self.out.out(json.dumps(value, indent=2, default=str))
        else:
            self.out.print(drawn, crop=False)
        if isinstance(self.out, Patient) and self.out.lost:
            self.err.print(plain(f"error: standard output cannot be written: {self.out.lost.strerror}"), soft_wrap=True)
            return Code.FAILED
        return code

    def error(self, message: str, kind: str) -> None:
        """Print an error."""
        if self.json:
            self.out.out(json.dumps({"error": message, "kind": kind}, indent=2))
        else:
            self.err.print(plain(f"error: {message}"), soft_wrap=True)

    def crash(self, error: BaseException, *, debug: bool) -> None:
        """Print an exception that nobody expected: its last frame, or with `debug` all of them."""
        frames = traceback.extract_tb(error.__traceback__)
        where = f" at {frames[-1].filename}:{frames[-1].lineno} in {frames[-1].name}" if frames else ""
        self.error(f"unexpected {type(error).__name__}: {error}{where}", type(error).__name__)
        advice = "this is a fault of Benchwright: please report it with what --debug prints; what was answered is kept"
        self.err.print(plain(advice), soft_wrap=True)
        if debug:
            self.err.file.write(harmless("".join(traceback.format_exception(error))))
