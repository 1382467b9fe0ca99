"""The real command line, in a process of its own that never outlives the drill."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import IO, Any

import benchwright

LOG = "output.log"


def environment(folder: Path) -> dict[str, str]:
    """So that the process finds this very package, and leaves what it tells other processes in `folder`."""
    source = str(Path(benchwright.__file__).parents[1])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path, "BENCHWRIGHT_STATE": str(folder / "state")}


def log(file: Path) -> IO[bytes]:
    """Where everything goes that the commands on a campaign print."""
    return file.with_name(LOG).open("ab")


async def run(word: str, file: Path, until: Coroutine[Any, Any, None]) -> int:
    """Carry out a command on a campaign, or kill it when `until` comes first; its exit code, negative when killed."""
    line = (sys.executable, "-m", "benchwright", word, str(file))
    killing = asyncio.create_task(until)
    with log(file) as out:
        process = await asyncio.create_subprocess_exec(
            *line, stdin=asyncio.subprocess.DEVNULL, stdout=out, stderr=out, env=environment(file.parent)
        )
    ending = asyncio.create_task(process.wait())
    try:
        await asyncio.wait({ending, killing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        killing.cancel()
        if process.returncode is None:
            process.kill()
        code = await ending
    return code


async def never() -> None:
    """Let a command come to its end."""
    await asyncio.Event().wait()


def last_error(file: Path) -> str:
    """The last error that a command on the campaign printed."""
    lines = file.with_name(LOG).read_text("utf-8", "replace").splitlines()
    return next((line for line in reversed(lines) if line.startswith("error: ")), "no error was printed")


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
