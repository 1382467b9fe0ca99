"""A campaign file that a command changes together with its database: a crash leaves both old, or both new.

The new text lies beside the file until the database has it too. Whoever works on the campaign next looks whether that
is so: then the text is put in its place, and otherwise thrown away.
"""

from pathlib import Path

from benchwright.errors import UsageError
from benchwright.glance import Place
from benchwright.store import campaigns
from benchwright.store.backup import sync
from benchwright.store.look import Look
from benchwright.store.owner import own_campaign


def beside(file: Path) -> Path:
    """Where a new text waits: beside the file that a symbolic link leads to, so that the link stays one."""
    real = file.resolve()
    return real.with_name(f".{real.name}.new")


class Replaced:
    """A file with a new text: written beside it at first, put in its place when all else has gone well."""

    def __init__(self, file: Path, text: str) -> None:
        self._file, self._text = file, text

    def __enter__(self) -> None:
        waiting = beside(self._file)
        try:
            waiting.write_bytes(self._text.encode())
            waiting.chmod(self._file.stat().st_mode)
            sync(waiting)
        except OSError as error:
            message = f"{self._file}: cannot be written: {error.strerror}"
            raise UsageError(message) from error

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            put_in_place(self._file)
        else:
            beside(self._file).unlink()


def put_in_place(file: Path) -> None:
    """Replace the file by what waits beside it."""
    real = file.resolve()
    beside(file).replace(real)
    sync(real.parent)


async def finish_change(where: Place) -> None:
    """End a change that a crash has interrupted, so that file and database agree; the caller owns the campaign."""
    waiting = beside(where.file)
    if not (waiting.is_file() and where.database.exists()):
        return
    async with await Look.at(where.database) as database:
        record = await database.read(campaigns.find)
    if record and waiting.read_bytes() == record.source.encode():
        put_in_place(where.file)
    else:
        waiting.unlink()


async def mend_change(where: Place, now: str) -> None:
    """The same for those who do not own the campaign yet; raises `Owned` while somebody else works on it."""
    if beside(where.file).is_file():
        with own_campaign(where.database, now):
            await finish_change(where)
