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
from benchwright.export.jsonl import lines
from benchwright.export.manifest import Counts, Made, manifest, text
from benchwright.export.select import Exported

DATA, CARD, MANIFEST = "items.jsonl", "README.md", "manifest.json"


def write(folder: Path, exported: Iterable[Exported], made: Made) -> list[Path]:
    """Write data, card and manifest, in place of earlier ones; the paths, data first.

    The items are written as they come. Raises `UsageError` where the folder cannot be written, `DiskFull`.
    """
    counts = Counts()
    with told(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".export-") as room:
            digest = put(Path(room, DATA), (f"{line}\n" for line in lines(counts.over(exported))))
            put(Path(room, CARD), [card(made, counts)])
            put(Path(room, MANIFEST), [text(manifest(made, counts, DATA, digest))])
            # The manifest comes last: while its hash fits the data, the three belong together.
            return [Path(room, name).replace(folder / name) for name in (DATA, CARD, MANIFEST)]


def put(path: Path, pieces: Iterable[str]) -> str:
    """Write the pieces safely to disk; the SHA-256 of the file."""
    digest = sha256()
    with path.open("wb") as file:
        for piece in pieces:
            data = piece.encode()
            digest.update(data)
            file.write(data)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()


@contextmanager
def told(folder: Path) -> Iterator[None]:
    """Failures of the disk, as errors of ours."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise DiskFull from error
        message = f"{folder}: the export cannot be written there ({error.strerror}): name another folder"
        raise UsageError(message) from error
