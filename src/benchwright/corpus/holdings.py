"""A folder of collected documents, with a manifest that says where each came from and what became of it.

    documents/        what can be read: a campaign's corpus
    set-aside/        what was fetched and cannot be read, such as scans
    manifest.jsonl    one line for each source; a later line about the same source replaces an earlier one
    searches.jsonl    one line for each search

A line is written when its file is safe on the disk, so a crash loses the source in work and nothing else.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path, PurePosixPath
from typing import Any, Self
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from benchwright.errors import UsageError

DOCUMENTS, ASIDE = "documents", "set-aside"
READ, DUPLICATE, REFUSED, FAILED = "read", "duplicate", "refused", "failed"
NAME_MOST = 60  # letters of a file's name that come from its source

_UNSAFE = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Holding:
    """What became of one source.

    `source` is the address or the path that was asked for, `final` the address after all redirects. `state` is `read`,
    `duplicate`, `refused`, `failed` (again later), or that in which its reader left the file.
    """

    source: str
    state: str
    date: str
    final: str = ""
    topic: str = ""
    file: str = ""
    sha256: str = ""
    bytes: int = 0
    kind: str = ""
    title: str = ""
    licence: str = ""
    reason: str = ""


class Holdings:
    """The folder and its two lists, as they are on the disk."""

    def __init__(self, root: Path) -> None:
        """Makes the folder where it is missing; raises `UsageError` where it, or a line in it, cannot be used."""
        self.root = root
        with writing(root):
            (root / DOCUMENTS).mkdir(parents=True, exist_ok=True)
        self._manifest, self._searches = root / "manifest.jsonl", root / "searches.jsonl"
        self.by_source: dict[str, Holding] = {}
        self._files: dict[str, str] = {}  # the name of the file of each hash
        self._finals: dict[str, str] = {}
        for row in read_lines(self._manifest):
            self._keep(holding_from_json(row, self._manifest))
        self.searches = {(row["search"], row["query"]): row["urls"] for row in read_lines(self._searches)}

    def _keep(self, holding: Holding) -> None:
        self.by_source[holding.source] = holding
        if holding.file and holding.state != DUPLICATE:
            self._files[holding.sha256] = holding.file
            self._finals[holding.final or holding.source] = holding.file
            self._finals[holding.source] = holding.file

    def is_settled(self, source: str) -> bool:
        """Whether a source need not be asked for again."""
        found = self.by_source.get(source)
        return found is not None and found.state != FAILED

    def as_duplicate(self, holding: Holding) -> Holding | None:
        """What to say of a file whose address or bytes are there already; None of a new one."""
        for what, file in (
            ("address", self._finals.get(holding.final)),
            ("bytes", self._files.get(holding.sha256)),
        ):
            if file:
                return replace(holding, state=DUPLICATE, file=file, title="", reason=f"the same {what} as {file}")
        return None

    @property
    def count(self) -> int:
        """How many documents the folder holds."""
        return sum(one.state == READ for one in self.by_source.values())

    def save(self, holding: Holding, data: bytes | None = None) -> Holding:
        """Write a file, if there is a new one, and then the line about it; what is on record now."""
        if data is not None and (known := self.as_duplicate(holding)):
            holding, data = known, None
        if data is not None:
            path = self.root / holding.file
            with writing(path):
                path.parent.mkdir(exist_ok=True)
                half = path.with_name(f".{path.name}.part")
                with half.open("wb") as out:
                    out.write(data)
                    out.flush()
                    os.fsync(out.fileno())
                half.replace(path)
        append_line(self._manifest, {key: value for key, value in asdict(holding).items() if value})
        self._keep(holding)
        return holding

    def save_search(self, search: str, query: str, topic: str, date: str, urls: list[str]) -> None:
        """Keep what a search found."""
        row = {"search": search, "query": query, "topic": topic, "date": date, "urls": urls}
        append_line(self._searches, row)
        self.searches[search, query] = urls


def file_name(source: str, sha256: str, suffix: str) -> str:
    """The name of a file: something of its source, and something of its bytes."""
    base = PurePosixPath(unquote(urlsplit(source).path)).stem if "://" in source else Path(source).stem
    plain = normalize("NFKD", base).encode("ascii", "ignore").decode()
    return f"{_UNSAFE.sub('-', plain).strip('-')[:NAME_MOST] or 'document'}-{sha256[:8]}{suffix}"


class writing:  # noqa: N801 - reads as a sentence where it is used
    """What the sybase says of a path that cannot be written, as `UsageError`."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError):
            raise UsageError(f"{self.path}: cannot be written ({error.strerror}); free space or name another folder")


def append_line(path: Path, row: Mapping[str, Any]) -> None:
    """Add a line to a file, and see it safe on the disk."""
    with writing(path), path.open("a", encoding="utf-8") as out:
        out.write(json.dumps(row, ensure_ascii=False) + "\n")
        out.flush()
        os.fsync(out.fileno())


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file; a last line that a crash has cut is taken off it. `UsageError` names a line that is none."""
    if not path.exists():
        return
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        with writing(path):
            os.truncate(path, len(whole))
    for number, line in enumerate(whole.splitlines(), 1):
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{path}:{number}: is not JSON; mend the line or take it out") from error
        if not isinstance(row, dict):
            raise UsageError(f"{path}:{number}: is no JSON object; mend the line or take it out")
        yield row


def holding_from_json(row: Mapping[str, Any], path: Path) -> Holding:
    """One row of a manifest; keys that are not known here are passed over."""
    known = {one.name for one in fields(Holding)}
    try:
        return Holding(**{key: value for key, value in row.items() if key in known})
    except TypeError as error:
        raise UsageError(f"{path}: a line lacks source, state or date; mend it or take it out") from error
