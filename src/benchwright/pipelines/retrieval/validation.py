"""Checks a folder with a test collection, in whatever form of those that tools load, line by line.

What is checked is what the loaders of BEIR, MTEB, ir_datasets, Pyserini and trec_eval stumble over, or silently take
for something else: broken lines, floats as grades, names with blanks, empty texts, repeated and dangling names.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchwright.domain.flaw import Flaw, Inspection
from benchwright.errors import UsageError
from benchwright.pipelines.retrieval.formats.beir import HEAD

SHOWN = 100  # flaws that are listed
GRADES = (-127, 127)  # that trec_eval holds
MARK = b"\xef\xbb\xbf"  # of the byte order
INTEGER = re.compile(r"[-+]?\d{1,9}")
DOCS, QUERIES, QRELS, RUN = "texts", "queries", "grades", "lines of runs"
Line = tuple[int, str]


@dataclass
class Names:
    """The names of one sort, each with the file and line where it first stands."""

    sort: str
    found: dict[str, tuple[str, int]] = field(default_factory=dict)

    def add(self, name: str, file: str, line: int) -> str:
        """Take a name in; what is wrong with it, "" for nothing."""
        if fault := fault_of_name(name):
            return f"{self.sort} {fault}"
        if before := self.found.get(name):
            return f"{self.sort} {name!r} is there already, in {before[0]}:{before[1]}"
        self.found[name] = (file, line)
        return ""


@dataclass
class Check:
    """The inspection of one folder."""

    folder: Path
    docs: Names = field(default_factory=lambda: Names("text"))
    queries: Names = field(default_factory=lambda: Names("query"))
    judged: dict[str, dict[str, tuple[str, int]]] = field(default_factory=dict)  # by query and text: where
    relevant: set[str] = field(default_factory=set)  # queries with a grade above 0
    pointers: list[tuple[str, int, Names, str]] = field(default_factory=list)  # names that have to be there
    flaws: list[Flaw] = field(default_factory=list)
    total: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    file: str = ""

    def flaw(self, line: int, message: str) -> None:
        """Note a flaw of the file that is being read."""
        self.total += 1
        if len(self.flaws) < SHOWN:
            self.flaws.append(Flaw(self.file, line, message))

    def read(self, path: Path, reader: "Reader") -> None:
        """Read one file."""
        self.file = path.relative_to(self.folder).as_posix()
        before = self.total
        for number, text in self.lines(path):
            reader(self, number, text)
        if self.counts[self.file] == 0 and self.total == before:
            self.flaw(0, "is empty")
        del self.counts[self.file]

    def lines(self, path: Path) -> Iterator[Line]:
        """The lines, without their ends; what is no UTF-8, or ends otherwise, is a flaw."""
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                self.counts[self.file] += 1
                if number == 1 and raw.startswith(MARK):
                    self.flaw(1, "begins with a byte order mark, which becomes part of the first name: remove it")
                try:
                    text = raw.removeprefix(MARK if number == 1 else b"").decode("utf-8")
                except UnicodeDecodeError as error:
                    self.flaw(number, f"is no UTF-8: {error.reason} at byte {error.start}")
                    continue
                if text.rstrip("\n").endswith("\r"):
                    self.flaw(number, "ends with a carriage return: end lines with a line feed alone")
                yield number, text.rstrip("\r\n")

    # --------------------------------------------------------------------------------------------------- JSON lines

    def object(self, line: int, text: str) -> dict[str, Any]:
        """The object of a line; empty after noting what is wrong."""
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.flaw(line, f"is no JSON: {error}")
            return {}
        if not isinstance(value, dict) or not value:
            self.flaw(line, "is no JSON object with fields")
            return {}
        return value

    def name_of(self, line: int, value: Mapping[str, Any], names: Names) -> None:
        """Take in the name of a text or a query."""
        name = value.get("_id", value.get("id"))
        if not isinstance(name, str):
            self.flaw(line, f"_id should be a text, not {name!r}: tools compare names as texts")
        elif fault := names.add(name, self.file, line):
            self.flaw(line, fault)

    def text_of(self, line: int, value: Mapping[str, Any], key: str) -> None:
        """A text is there."""
        text = value.get(key)
        if not isinstance(text, str):
            self.flaw(line, f"{key} should be a text, not {text!r}")
        elif not text.strip():
            self.flaw(line, f"{key} is empty")

    # ----------------------------------------------------------------------------------------------------- grades

    def grade(self, line: int, query: str, doc: str, grade: str) -> None:
        """One grade of a pair."""
        self.counts[QRELS] += 1
        for name, names in ((query, self.queries), (doc, self.docs)):
            if fault := fault_of_name(name):
                self.flaw(line, f"{names.sort} {fault}")
            self.pointers.append((self.file, line, names, name))
        first = self.judged.setdefault(query, {}).setdefault(doc, (self.file, line))
        if first != (self.file, line):
            self.flaw(line, f"the pair {query} {doc} has a grade already, in {first[0]}:{first[1]}")
        if not INTEGER.fullmatch(grade):
            self.flaw(line, f"grade {grade!r} is no whole number: tools refuse it, or cut it off without a word")
        elif not GRADES[0] <= int(grade) <= GRADES[1]:
            self.flaw(line, f"grade {grade} lies outside of {GRADES[0]} to {GRADES[1]}")
        elif int(grade) > 0:
            self.relevant.add(query)

    # ---------------------------------------------------------------------------------------------- in the whole

    def end(self) -> Inspection:
        """What can be said only when all was read."""
        for file, line, names, name in self.pointers:
            if names.found and name not in names.found:
                self.file = file
                self.flaw(line, f"{names.sort} {name!r} is not among the {len(names.found)} that there are")
        for name in sorted(self.docs.found.keys() & self.queries.found.keys()):
            self.file, line = self.docs.found[name]
            self.flaw(line, f"{name!r} is a text and a query: BEIR leaves out hits that are named as their query")
        order = sorted(self.flaws, key=lambda one: (one.file, one.line))
        counts = {sort: n for sort, n in self.counts.items() if n}
        return Inspection(counts, tuple(order), self.total, tuple(self.remarks()))

    def remarks(self) -> Iterator[str]:
        """What tools do with what is no flaw."""
        if self.judged and (n := len(self.queries.found.keys() - self.judged.keys())):
            yield f"{n} queries have no grade: BEIR and MTEB leave them out, others count them as 0"
        if n := len(self.judged.keys() - self.relevant):
            yield f"{n} queries have no grade above 0: each scores 0 whatever is found, and counts"


Reader = Callable[[Check, int, str], None]


def fault_of_name(name: str) -> str:
    """What is wrong with a name; "" for nothing."""
    if not name:
        return "has an empty name"
    if re.search(r"\s", name):
        return f"{name!r} has a blank in its name: trec_eval splits lines at blanks"
    return f"{name!r} begins with #, which marks a comment" if name.startswith("#") else ""


def read_doc(check: Check, line: int, text: str) -> None:
    """A line of a corpus as JSON."""
    if not (value := check.object(line, text)):
        return
    check.counts[DOCS] += 1
    check.name_of(line, value, check.docs)
    check.text_of(line, value, "contents" if "contents" in value else "text")
    if "title" in value and not isinstance(value["title"], str):
        check.flaw(line, f'title is {value["title"]!r}: loaders join it with the text, so write "" for none')


def read_query(check: Check, line: int, text: str) -> None:
    """A line of queries as JSON."""
    if value := check.object(line, text):
        check.counts[QUERIES] += 1
        check.name_of(line, value, check.queries)
        check.text_of(line, value, "text")


def read_two(names: str) -> Reader:
    """A line of two columns: a name and a text."""

    def read(check: Check, line: int, text: str) -> None:
        columns = text.split("\t")
        if len(columns) != 2:  # noqa: PLR2004 - a name and a text
            check.flaw(line, f"has {len(columns)} columns, two are read: a tab within a text cuts it")
            return
        check.counts[names] += 1
        if fault := (check.docs if names == DOCS else check.queries).add(columns[0], check.file, line):
            check.flaw(line, fault)
        if not columns[1].strip():
            check.flaw(line, "its text is empty")

    return read


def read_beir_grade(check: Check, line: int, text: str) -> None:
    """A line of BEIR's grades; the first is a head that loaders skip."""
    columns = text.split("\t")
    if line == 1:
        if INTEGER.fullmatch(columns[-1]):
            check.flaw(1, f"is a grade, but loaders skip the first line: begin with {HEAD.strip()!r}")
        return
    if len(columns) != 3:  # noqa: PLR2004 - query, text, grade
        check.flaw(line, f"has {len(columns)} columns, three are read: query, text, grade, with tabs between")
        return
    check.grade(line, columns[0], columns[1], columns[2])


def read_json_grade(check: Check, line: int, text: str) -> None:
    """A line of MTEB's grades."""
    if not (value := check.object(line, text)):
        return
    names = [value.get(key) for key in ("query-id", "corpus-id")]
    if not all(isinstance(name, str) for name in names):
        check.flaw(line, "query-id and corpus-id should be texts")
        return
    score = value.get("score")
    check.grade(line, str(names[0]), str(names[1]), json.dumps(score))


def read_trec_grade(check: Check, line: int, text: str) -> None:
    """A line of TREC's grades."""
    columns = text.split()
    if text.startswith("#"):
        return
    if len(columns) != 4:  # noqa: PLR2004 - query, iteration, text, grade
        check.flaw(line, f"has {len(columns)} columns, four are read: query, iteration, text, grade")
        return
    check.grade(line, columns[0], columns[2], columns[3])


def read_run(check: Check, line: int, text: str) -> None:
    """A line of a run."""
    columns = text.split()
    if len(columns) != 6:  # noqa: PLR2004 - query, Q0, text, rank, score, tag
        check.flaw(line, f"has {len(columns)} columns, six are read: query, Q0, text, rank, score, tag")
        return
    query, q0, doc, rank, score, _ = columns
    check.counts[RUN] += 1
    check.pointers += [(check.file, line, check.queries, query), (check.file, line, check.docs, doc)]
    if q0 != "Q0":
        check.flaw(line, f"its second column is {q0!r}: some tools take a run without Q0 for another form")
    if not INTEGER.fullmatch(rank):
        check.flaw(line, f"rank {rank!r} is no whole number")
    if not is_finite(score):
        check.flaw(line, f"score {score!r} is no finite number")


def is_finite(text: str) -> bool:
    """Whether a text is a finite number."""
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


OTHER = r"[^/]*\.(?:md|rst|html?|pdf|jsonl?|csv|xlsx|parquet|gz|zip|zst|bz2|xz|py|ya?ml|toml)\Z"  # what holds no grades
# By the path in the folder, from the most certain sign to the least.
READERS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (re.compile(r"(.*/)?qrels\.jsonl"), read_json_grade),
    (re.compile(r"(.*/)?queries\.jsonl"), read_query),
    (re.compile(r"(.*/)?corpus\.jsonl|(.*/)?corpus/[^/]*\.jsonl|docs\.jsonl"), read_doc),
    (re.compile(r"(.*/)?qrels/[^/]*\.tsv|(.*/)?qrels\.tsv"), read_beir_grade),
    (re.compile(r"(.*/)?(queries|topics)[^/]*\.tsv"), read_two(QUERIES)),
    (re.compile(r"(.*/)?(docs|corpus|collection)\.tsv"), read_two(DOCS)),
    (re.compile(rf"(.*/)?(?!{OTHER})[^/]*qrels?[^/]*"), read_trec_grade),
    (re.compile(r"(.*/)?[^/]*\.run(\.txt)?|(.*/)?runs/[^/]*"), read_run),
)
EXPECTED = (
    "corpus.jsonl, queries.jsonl and qrels/*.tsv (BEIR), qrels.jsonl (MTEB), docs.tsv, queries.tsv and qrels.txt"
    " (ir_datasets), qrels.txt, topics.tsv, corpus/*.jsonl and runs/* (TREC)"
)


def reader_of(path: str) -> Reader | None:
    """What reads a file; None where it is no part of a collection."""
    return next((reader for form, reader in READERS if form.fullmatch(path)), None)


def validate(folder: Path) -> Inspection:
    """Check a folder; raises `UsageError` where it holds no file of a collection."""
    check = Check(folder)
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    chosen = [(path, reader) for path in found if (reader := reader_of(path.relative_to(folder).as_posix()))]
    if not chosen:
        raise UsageError(f"{folder} holds no file of a test collection: expected are {EXPECTED}")
    try:
        for path, reader in chosen:
            check.read(path, reader)
    except OSError as error:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from error
    return check.end()
