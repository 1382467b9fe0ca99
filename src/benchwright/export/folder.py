"""The export's folder: the whole set or none of it, whatever happens on the way, and nobody's files overwritten.

A set is written beside its folder and then put in its place by one renaming, so a reader never finds half of two sets.
A folder that cannot be renamed (a mount point, the one that the shell stands in, one in a folder that is closed to us)
takes the files one by one, the manifest last: while its hashes fit, all belong together.
"""

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import file_digest, sha256
from itertools import islice
from pathlib import Path

from benchwright.errors import DiskFull, UsageError
from benchwright.export.card import card
from benchwright.export.manifest import Made, Written, count, lines, manifest
from benchwright.pipelines.kind import Finished, Format, Report

CARD, MANIFEST = "README.md", "manifest.json"
NEW, OLD = "export-new", "export-old"  # end the names of folders that are there while an export is written
NAMED = 3  # files that an error names at most


def write(folder: Path, found: Finished, form: Format, report: Report, made: Made) -> list[Path]:
    """Write data, card and manifest, in place of an earlier export; the paths, data first. `report` counts items.

    The items are written as they come. Raises `UsageError` where the folder cannot be written, or holds what no export
    wrote; `DiskFull`.
    """
    with translate_errors(folder):
        target = folder.resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        inside = os.path.ismount(target) or target == Path.cwd() or not os.access(target.parent, os.W_OK)
        with locked(target.parent):
            rooms = (target / f".{NEW}", beside(target, NEW))  # an export that was interrupted may have left either
            mend(target)
            demand_own(folder, target, rooms)
            remove(rooms)
            try:
                names = fill(room := rooms[not inside], found, form, report, made)
                (place_inside if inside else put_in_place)(room, target, names)
            finally:
                remove(rooms)
    return [folder / name for name in names]


def fill(room: Path, found: Finished, form: Format, report: Report, made: Made) -> list[str]:
    """Write all files into a new folder; their names, the manifest's last."""
    files = {name: put(room / name, pieces) for name, pieces in form.files(found).items()}
    counts = count(found, report)
    files[CARD] = put(room / CARD, [card(made, counts, form)])
    put(room / MANIFEST, lines(manifest(made, counts, files)))
    sync(room)
    return [*files, MANIFEST]


# ------------------------------------------------------------------------------------------------- into its place


def remove(rooms: Iterable[Path]) -> None:
    """Remove folders, those that are there."""
    for room in rooms:
        shutil.rmtree(room, ignore_errors=True)


def beside(target: Path, ending: str) -> Path:
    """The folder of that ending beside another."""
    return target.with_name(f".{target.name}.{ending}")


def put_in_place(room: Path, target: Path, _: Iterable[str]) -> None:
    """Let a finished folder take the place of another, whose hidden entries it takes over: others put them there."""
    old = beside(target, OLD)
    if target.exists() and any(target.iterdir()):
        target.rename(old)
    room.rename(target)
    sync(target.parent)
    mend(target)


def mend(target: Path) -> None:
    """Finish what an export that was interrupted between two renamings has left."""
    old = beside(target, OLD)
    if not old.exists():
        return
    if not target.exists():
        old.rename(target)
        return
    for entry in old.iterdir():
        if entry.name.startswith(".") and not (target / entry.name).exists():
            entry.rename(target / entry.name)
    shutil.rmtree(old)


def place_inside(room: Path, target: Path, names: Iterable[str]) -> None:
    """Move finished files to their places, the manifest last, and remove those that only the earlier set had."""
    earlier = owned(target / MANIFEST)
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (room / name).replace(target / name)
    for name in earlier.keys() - {*names}:
        (target / name).unlink(missing_ok=True)
    sync(target)


# ------------------------------------------------------------------------------------------------------ ownership


def demand_own(folder: Path, target: Path, rooms: Iterable[Path]) -> None:
    """Raise `UsageError` where a folder holds what no export wrote, or what was changed since.

    An export that was interrupted while it placed files has its manifest in one of the `rooms`.
    """
    if not target.exists():
        return
    known: dict[str, set[str]] = {}
    for told in (target / MANIFEST, *(room / MANIFEST for room in rooms)):
        for name, digest in owned(told).items():
            known.setdefault(name, set()).add(digest)
    strange = (name for name in visible_files(target) if not is_own(target / name, known.get(name, set())))
    if found := list(islice(strange, NAMED)):  # of whole disks only the first are looked for
        message = (
            f"{folder}: no export has written {', '.join(found)}, or somebody has changed it since:"
            " move it away, or name another folder, new or empty"
        )
        raise UsageError(message)


def visible_files(target: Path) -> Iterator[str]:
    """The names of all files and empty folders in a folder, but for hidden ones."""
    for place, folders, files in os.walk(target):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = Path(place)
        for name in sorted(name for name in files if not name.startswith(".")):
            yield (here / name).relative_to(target).as_posix()
        for name in folders:
            if (here / name).is_symlink() or not any((here / name).iterdir()):
                yield (here / name).relative_to(target).as_posix()


def is_own(path: Path, digests: set[str]) -> bool:
    """Whether a file is as an export wrote it; "" stands for the card of earlier versions, whose hash nobody kept."""
    if not digests or not path.is_file():
        return False
    return "" in digests or file_hash(path) in digests


def owned(told: Path) -> Mapping[str, str]:
    """The hashes of files by their names, as a manifest has them, with its own; nothing where it is no manifest."""
    try:
        found = json.loads(told.read_bytes())
        files = {str(name): str(file["sha256"]) for name, file in found["files"].items()}
        made = bool(found["benchwright"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {CARD: "", **files, MANIFEST: file_hash(told)} if made else {}


def file_hash(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


# ----------------------------------------------------------------------------------------------------------- disk


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


def sync(folder: Path) -> None:
    """Write the names in a folder and in those below it safely to disk."""
    for path in (folder, *(path for path in folder.rglob("*") if path.is_dir() and not path.is_symlink())):
        number = os.open(path, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other exports out of a folder meanwhile; they wait. The lock ends with its process and leaves no file."""
    number = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(number, fcntl.LOCK_EX)
        yield
    finally:
        os.close(number)


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
