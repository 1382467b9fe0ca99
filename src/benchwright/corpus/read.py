"""The corpus: which files a campaign names, and each of them as a document or a refusal with its reason."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from glob import iglob
from itertools import islice
from os import stat_result
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from benchwright.corpus.apart import READERS_APART, Apart
from benchwright.corpus.decode import refuse_binary
from benchwright.corpus.draft import finish
from benchwright.corpus.jats import read_jats
from benchwright.corpus.text import read_markdown, read_plain
from benchwright.domain.campaign import Documents
from benchwright.domain.document import Document
from benchwright.errors import CorpusError, Unreadable

LARGEST = 50 * 2**20  # bytes
MOST_FILES = 1_000_000  # of a corpus
MADE_UP = {Path("/proc"), Path("/sys"), Path("/dev")}  # folders whose files the system makes up

READERS: Mapping[str, Callable[[bytes, str], Document]] = {
    ".xml": read_jats,
    ".nxml": read_jats,
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_plain,
}
SUFFIXES = frozenset((*READERS, *READERS_APART))
OURS = (".toml", ".db", ".db-wal", ".db-shm", ".reserve", ".lock")  # of campaigns, which may lie beside documents
KNOWN = ", ".join(sorted(SUFFIXES))


def find(patterns: Sequence[str], base: Path, kinds: Collection[str] = SUFFIXES) -> list[Path]:
    """The files that the patterns name, sorted, each once; relative patterns start at `base`.

    A pattern is a file, a directory (its files, however deep, but for hidden ones and Benchwright's own) or a glob
    (`**` goes deep). Files of no known kind are named, too: whoever reads them refuses them with the reason.
    A pattern that names nothing is a `CorpusError`, which says what `kinds` are known.
    """
    for pattern in patterns:
        refuse_system(pattern, base)
    return sorted({path for pattern in patterns for path in _matches(pattern, base, kinds)})


def refuse_system(pattern: str, base: Path) -> None:
    """Raise `CorpusError` for a pattern in what the system makes up: such files have no end."""
    start = (base / re.split(r"[*?\[]", pattern, maxsplit=1)[0]).resolve()
    if any(start == made_up or made_up in start.parents for made_up in MADE_UP):
        raise CorpusError(f"corpus: '{pattern}' names files of the system, not documents; name the folder of yours")


def read(path: Path, name: str, keep: Documents | None = None, apart: Apart | None = None) -> Document:
    """The document in the file, called `name`; raises `Unreadable` with a one-line reason and the file's state.

    `keep` says what is kept of PDF, HTML and DOCX, which are read in the processes of `apart`, or in one for this file
    alone, and which translation is read where an article holds several.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        with file_faults(name):
            demand_file(path, name)
        kind = f"files ending in '{path.suffix}'" if path.suffix else "files without a suffix"
        raise Unreadable(f"{name}: {kind} are not read, only {KNOWN}; convert it", "unknown kind")
    return read_data(_load(path, name), (name, suffix), keep, apart)


def read_data(
    data: bytes,
    called: tuple[str, str],
    keep: Documents | None = None,
    apart: Apart | None = None,
) -> Document:
    """The document that bytes are, of a file called so, with the suffix of a known kind; as `read`."""
    name, suffix = called
    if not data.strip():
        what = "holds only white space" if data else "is empty"
        raise Unreadable(f"{name}: {what}; add its text or take it out", "empty")
    if suffix in READERS_APART:
        with nullcontext(apart) if apart else Apart(1) as processes:
            return finish(data, name, processes.read(data, name, suffix, keep or Documents()))
    refuse_binary(data, name)
    reader = READERS[suffix]
    languages = keep.languages if keep else ()
    return read_jats(data, name, languages) if reader is read_jats else reader(data, name)


@contextmanager
def file_faults(name: str) -> Iterator[None]:
    """What the system says of a file, as `Unreadable`."""
    try:
        yield
    except FileNotFoundError as error:
        raise Unreadable(f"{name}: does not exist any more; put it back or take it out of the corpus") from error
    except PermissionError as error:
        raise Unreadable(f"{name}: may not be read by this user; change its permissions (chmod u+r)") from error
    except OSError as error:
        raise Unreadable(f"{name}: cannot be read ({error.strerror}); check the disk or copy it anew") from error


def demand_file(path: Path, name: str) -> stat_result:
    """What the system knows of a regular file; raises `Unreadable` for a path that is none."""
    status = path.stat()
    if S_ISDIR(status.st_mode):
        raise Unreadable(f"{name}: is a directory; list it as such, or the files in it")
    if not S_ISREG(status.st_mode):
        raise Unreadable(f"{name}: is no regular file; copy its text into one")
    return status


def _load(path: Path, name: str) -> bytes:
    """The bytes of a regular file of bearable size."""
    with file_faults(name):
        size = demand_file(path, name).st_size
        if size > LARGEST:
            raise Unreadable(f"{name}: has {size / 2**20:.0f} MB, more than {LARGEST >> 20}; split it into parts")
        return path.read_bytes()


def _matches(pattern: str, base: Path, kinds: Collection[str]) -> list[Path]:
    """The files of one pattern."""
    path = base / pattern
    try:
        if path.is_file():
            return [path]
        if path.is_dir():
            known = ", ".join(sorted(kinds))
            return _demand(
                _inside(path), f"corpus: the directory '{pattern}' holds no file: add some ending in {known}"
            )
        hits = (base / hit for hit in iglob(pattern, root_dir=base, recursive=True))  # noqa: PTH207 - absolute ones too
        files = (file for hit in hits for file in _hit(hit, deep="**" in pattern))
        return _demand(files, f"corpus: '{pattern}' names no file below {base}; check its spelling")
    except OSError as error:
        raise CorpusError(f"corpus: cannot look for '{pattern}' ({error.strerror}); check its path") from error


def _hit(path: Path, *, deep: bool) -> Iterable[Path]:
    """A file itself; a directory's files, which a deep pattern has named already."""
    if path.is_file():
        return [path]
    return [] if deep else _inside(path)


def _demand(files: Iterable[Path], complaint: str) -> list[Path]:
    found = list(islice(files, MOST_FILES + 1))
    if len(found) > MOST_FILES:
        raise CorpusError(f"corpus: more than {MOST_FILES} files are named; name the folder of the documents alone")
    if not found:
        raise CorpusError(f"{complaint}, or take it out of the campaign")
    return found


def _inside(directory: Path) -> Iterator[Path]:
    """The files in a directory and below; hidden ones and those of campaigns are left out."""
    for folder, folders, files in os.walk(directory, onerror=_complain):
        folders[:] = [name for name in folders if not name.startswith(".") and Path(folder, name) not in MADE_UP]
        for name in files:
            if not name.startswith(".") and not name.endswith(OURS):
                yield Path(folder, name)


def _complain(error: OSError) -> None:
    raise CorpusError(f"corpus: cannot look into '{error.filename}' ({error.strerror}); change its permissions")
