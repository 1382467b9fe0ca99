"""Reads a test collection in the form of BEIR, MTEB, ir_datasets or TREC, and rankings in the form of TREC."""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from benchwright.errors import UsageError

GRADES = ("qrels/test.tsv", "qrels.jsonl", "qrels/test.jsonl", "qrels.txt", "qrels.tsv", "qrels.trec")
QUERIES = ("queries.jsonl", "queries.tsv", "topics.tsv")
TEXTS = ("corpus.jsonl", "docs.jsonl", "corpus/texts.jsonl", "docs.tsv", "corpus.tsv", "collection.tsv")
RUNS = "runs"
RUN_COLUMNS = 5  # query, Q0, text, rank, score; whatever follows is the tag
GROUPS = ("intent", "category")  # of a query's metadata, by which scores are told


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as read: texts and queries may be empty where only rankings are scored.

    `groups` is what is known of a query, such as its intent.
    """

    name: str
    grades: Mapping[str, Mapping[str, int]]
    texts: Mapping[str, str]
    queries: Mapping[str, str]
    groups: Mapping[str, Mapping[str, str]]


def is_collection(folder: Path) -> bool:
    """Whether a folder holds grades of texts."""
    return find(folder, GRADES) is not None


def find(folder: Path, names: tuple[str, ...]) -> Path | None:
    """The first of these files that is there."""
    return next((folder / name for name in names if (folder / name).is_file()), None)


def read_collection(folder: Path) -> Collection:
    """The collection in a folder; raises `UsageError` that names the file and line of what cannot be read."""
    file = find(folder, GRADES)
    if file is None:
        raise UsageError(f"{folder}: holds no grades: expected is one of {', '.join(GRADES)}")
    grades: dict[str, dict[str, int]] = {}
    for place, (query, text, grade) in read_grades(file):
        try:
            grades.setdefault(query, {})[text] = int(grade)
        except ValueError:
            raise UsageError(f"{place}: the grade {grade!r} is no whole number") from None
    if not grades:
        raise UsageError(f"{file}: holds no grade")
    queries, groups = dict[str, str](), dict[str, Mapping[str, str]]()
    for name, text, about in read_texts(find(folder, QUERIES)):
        queries[name] = text
        groups[name] = {key: str(about[key]) for key in GROUPS if about.get(key)}
    texts = {name: text for name, text, _ in read_texts(find(folder, TEXTS))}
    return Collection(folder.resolve().name, grades, texts, queries, groups)


def lines_of(file: Path) -> Iterator[tuple[str, str]]:
    """The lines of a file that hold anything, each with its place."""
    try:
        with file.open(encoding="utf-8-sig") as opened:
            for number, line in enumerate(opened, 1):
                if line.strip():
                    yield f"{file}:{number}", line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: is not UTF-8 text: {error.reason}") from error
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


def read_grades(file: Path) -> Iterator[tuple[str, tuple[str, str, str]]]:
    """Query, text and grade of each line; the head of a table is left out."""
    for number, (place, line) in enumerate(lines_of(file)):
        if file.suffix == ".jsonl":
            value = read_object(place, line)
            yield place, tuple(str(value.get(key)) for key in ("query-id", "corpus-id", "score"))  # type: ignore[misc]
            continue
        columns = line.split("\t") if file.suffix == ".tsv" else line.split()
        if number == 0 and file.suffix == ".tsv" and not columns[-1].lstrip("-").isdigit():
            continue
        if len(columns) not in {3, 4}:
            raise UsageError(f"{place}: has {len(columns)} columns: query, text and grade, perhaps one between")
        yield place, (columns[0], columns[-2], columns[-1])


def read_object(place: str, line: str) -> Mapping[str, Any]:
    """The object of a line."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{place}: is no JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{place}: is no JSON object")
    return value


def read_texts(file: Path | None) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Name, text and metadata of each line; a title stands before its text."""
    for place, line in lines_of(file) if file else ():
        if file and file.suffix == ".tsv":
            name, _, text = line.partition("\t")
            yield name, text, {}
            continue
        value = read_object(place, line)
        name = value.get("_id", value.get("id"))
        if name is None:
            raise UsageError(f"{place}: has no _id")
        text = str(value.get("text", value.get("contents")) or "")
        about = value.get("metadata")
        yield str(name), f"{value.get('title') or ''} {text}".strip(), about if isinstance(about, dict) else {}


def read_run(file: Path) -> dict[str, dict[str, float]]:
    """A ranking in TREC's form: the score of each text, by query."""
    found: dict[str, dict[str, float]] = {}
    for place, line in lines_of(file):
        columns = line.split(maxsplit=RUN_COLUMNS)
        if len(columns) < RUN_COLUMNS:
            raise UsageError(f"{place}: has {len(columns)} columns: query, Q0, text, rank, score, tag")
        try:
            score = float(columns[4])
        except ValueError:
            raise UsageError(f"{place}: the score {columns[4]!r} is no number") from None
        if not isfinite(score):
            raise UsageError(f"{place}: the score {columns[4]!r} is no finite number")
        found.setdefault(columns[0], {})[columns[2]] = score
    return found


def runs_in(folder: Path) -> list[Path]:
    """The rankings that lie in a collection's folder."""
    return sorted(path for path in (folder / RUNS).glob("*") if path.is_file()) if (folder / RUNS).is_dir() else []


def read_leaderboard(file: Path) -> dict[str, float]:
    """Another leaderboard: a table of names and scores, with a head."""
    found: dict[str, float] = {}
    for place, row in zip_places(file):
        try:
            found[row[0]] = float(row[1])
        except (IndexError, ValueError):
            raise UsageError(f"{place}: a leaderboard has a name and a number on each line") from None
    return found


def zip_places(file: Path) -> Iterator[tuple[str, list[str]]]:
    """The rows of a CSV file but the first, each with its place."""
    for number, (place, line) in enumerate(lines_of(file)):
        if number:
            yield place, next(csv.reader([line]))
