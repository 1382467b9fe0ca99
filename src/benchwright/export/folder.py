"""The export's folder: all files or none, whatever happens on the way."""

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from benchwright.errors import DiskFull, UsageError
from benchwright.export.card import card
from benchwright.export.manifest import Made, Written, count, lines, manifest
from benchwright.pipelines.kind import Finished, Format, Report

CARD, MANIFEST = "README.md", "manifest.json"


def write(folder: Path, found: Finished, form: Format, report: Report, made: Made) -> list[Path]:
    """Write data, card and manifest, in place of earlier ones; the paths, data first. `report` counts what is written.

    The items are written as they come. Raises `UsageError` where the folder cannot be written, `DiskFull`.
    """
    with translate_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".export-") as room:
            data = {name: put(Path(room, name), pieces) for name, pieces in form.files(found).items()}
            counts = count(found, report)
            put(Path(room, CARD), [card(made, counts, form)])
            put(Path(room, MANIFEST), lines(manifest(made, counts, data)))
            # The manifest comes last: while its hashes fit the data, all belong together.
            return [place(Path(room, name), folder / name) for name in (*data, CARD, MANIFEST)]


def place(file: Path, target: Path) -> Path:
    """Move a finished file to its place, in place of an earlier one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    return file.replace(target)


def put(path: Path, pieces: Iterable[str]) -> Written:
    """Write the pieces safely to disk; the SHA-256 of the file and its number of lines."""
    digest, number = sha256(), 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for piece in pieces:
            data = piece.encode()
            digest.update(data)
            number += data.count(b"\n")
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return Written(digest.hexdigest(), number)


@contextmanager
def translate_errors(folder: Path) -> Iterator[None]:
    """Failures of the disk, as errors of ours."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        message = f"{folder}: the export cannot be written there ({error.strerror}): name another folder"
        raise UsageError(message) from error
