"""Files of records: each line a record or a reason, in any encoding; one bad line stops nothing."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.corpus import records as module
from benchwright.corpus.records import LONGEST, read_records
from benchwright.domain.source import Record
from benchwright.errors import Unreadable


@pytest.fixture(autouse=True)
def usual_limit() -> Iterator[None]:
    """The module's limit is the process's: other readers of tables raise it."""
    before = csv.field_size_limit(131_072)
    yield
    csv.field_size_limit(before)


def read(path: Path, data: bytes | str) -> dict[int, Mapping[str, Any] | str]:
    """The fields, or the reason, of each line of a file with these bytes."""
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return {n: found if isinstance(found, str) else found.fields for n, found in read_records(path, path.name)}


def test_each_line_of_jsonl_is_a_record_under_its_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 1, "text": "one"}\n\n{"text": {"deep": [1, null]}}')
    assert list(read_records(path, "a.jsonl")) == [
        (1, Record("a.jsonl:1", {"id": 1, "text": "one"})),
        (3, Record("a.jsonl:3", {"text": {"deep": [1, None]}})),
    ]


BAD = {
    '{"a" 1}': "is not JSON: Expecting ':' delimiter, column 6",
    "[1]": "is no JSON object; a record is one object of named fields on a line of its own",
    "{}": "has no fields",
    '{"a": 1, "a": 2}': "names the field 'a' twice",
    '{"a": NaN}': "holds NaN, which is no JSON; use null",
    '{"a": [1e999]}': "holds 1e999, which is larger than any number here; write it as text",
    '{"a": "\\ud800"}': "holds half of a surrogate pair, which is no character",
    '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}": "is nested too deeply, or holds a number that is too long",
    '{"a": ' + "1" * 5000 + "}": "is nested too deeply, or holds a number that is too long",
    '{"a": "\x01\x02\x03\x04\x05\x06"}': "is binary, not text; convert it to .txt, .md or JATS .xml",
}


@pytest.mark.parametrize("line", BAD, ids=range(len(BAD)))
def test_a_line_that_is_no_record_is_told_with_its_reason_and_the_next_is_read(tmp_path: Path, line: str) -> None:
    found = read(tmp_path / "a.jsonl", f'{{"a": "first"}}\n{line}\n{{"a": "last"}}\n')
    assert found == {1: {"a": "first"}, 2: BAD[line], 3: {"a": "last"}}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_files_are_read_in_the_encoding_that_their_first_bytes_show(tmp_path: Path, encoding: str, suffix: str) -> None:
    text = '{"name": "Köln \u2013 50 \u20ac"}\n' if suffix == "jsonl" else "name\nKöln \u2013 50 \u20ac\n"
    found = read(tmp_path / f"a.{suffix}", text.encode(encoding))
    assert list(found.values()) == [{"name": "Köln \u2013 50 \u20ac"}]


def test_a_line_of_another_encoding_is_read_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"name\nK\xf6ln\n")
    [(_, found)] = read_records(path, "a.csv")
    assert found == Record("a.csv:2", {"name": "Köln"}, ("read as cp1252; it is not UTF-8",))


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_line_that_is_too_long_is_refused_and_does_not_fill_the_memory(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONGEST", 60)
    long = "x" * 150
    good, bad = ('{"a": "1"}', f'{{"a": "{long}"}}') if suffix == "jsonl" else ("1", long)
    head = "" if suffix == "jsonl" else "a\n"
    found = read(tmp_path / f"a.{suffix}", f"{head}{good}\n{bad}\n{good}\n{bad}")
    reason = f"is longer than {60 >> 20} MB; split it into records"
    assert list(found.values()) == [{"a": "1"}, reason, {"a": "1"}, reason]
    assert LONGEST == 4 << 20


def test_rows_of_csv_are_records_under_the_names_of_the_first_line(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", 'id, text\n1,"two\nlines, quoted"\n\n2,plain\n')
    assert found == {2: {"id": "1", "text": "two\nlines, quoted"}, 5: {"id": "2", "text": "plain"}}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_cells_are_parted_as_the_first_line_parts_them(tmp_path: Path, separator: str) -> None:
    assert read(tmp_path / "a.csv", f"a{separator}b\n1{separator}2\n") == {2: {"a": "1", "b": "2"}}


def test_a_row_that_does_not_fit_is_told_with_its_reason_and_the_next_is_read(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", b"a,b\n1\n1,\x01\x02\x03\x04\x05\x06\n1,\xe2\x80\xa8 2\n3,4\n")
    assert found == {
        2: "has 1 cells, the first line names 2",
        3: "is binary, not text; convert it to .txt, .md or JATS .xml",
        4: {"a": "1", "b": "  2"},
        5: {"a": "3", "b": "4"},
    }


def test_a_quotation_mark_that_is_never_closed_makes_no_record_of_the_rest(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", 'a,b\n0,"an "inch" of rain"\n1,2\n3,"four\n5,6\n')
    assert found == {
        2: "is not CSV: ',' expected after '\"'",
        3: {"a": "1", "b": "2"},
        4: "is not CSV: unexpected end of data",
    }


def test_a_cell_that_is_too_long_for_csv_is_told(tmp_path: Path) -> None:
    found = read(tmp_path / "a.csv", f"a\n{'x' * (csv.field_size_limit() + 1)}\n1\n")
    assert found == {2: f"is not CSV: field larger than field limit ({csv.field_size_limit()})", 3: {"a": "1"}}


UNREADABLE = {
    "": "is empty; add its records or take it out",
    "\n \n": "is empty; add its records or take it out",
    "a,\n1,2\n": "its first line, which names the fields, leaves one without a name",
    "\na\n1\n": "its first line, which names the fields, leaves one without a name",
    "a,a\n1,2\n": "its first line names the field 'a' twice",
    "x" * 200_000: r"its first line is not CSV: field larger than field limit \(131072\)",
    "%PDF-1.7": "is a PDF, not text",
}


@pytest.mark.parametrize("text", UNREADABLE, ids=range(len(UNREADABLE)))
def test_a_file_without_records_is_refused_as_a_whole(tmp_path: Path, text: str) -> None:
    with pytest.raises(Unreadable, match=f"^a.csv: {UNREADABLE[text]}"):
        read(tmp_path / "a.csv", text)


def test_a_first_line_that_is_no_text_is_a_fault_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"a\.csv: line 1 is binary"):
        read(tmp_path / "a.csv", "a" * 5000 + "\x01\x02\x03\x04\x05\x06" * 20 + "\n")


def test_a_file_that_has_gone_or_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.csv").mkdir()
    for name, reason in (("a.csv", "does not exist any more"), ("b.csv", "is a directory")):
        with pytest.raises(Unreadable, match=reason):
            list(read_records(tmp_path / name, name))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=5,
)


@given(st.lists(st.dictionaries(st.text("abcdef", min_size=1), VALUES, min_size=1, max_size=4), min_size=1, max_size=5))
def test_records_of_any_fields_come_back(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> None:
    path = tmp_path_factory.mktemp("records") / "a.jsonl"
    found = read(path, "".join(json.dumps(row) + "\n" for row in rows))
    assert list(found.values()) == rows
