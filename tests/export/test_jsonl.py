"""Items as JSON Lines."""

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.export import HALVES, HOSTILE, export_contract, exported, plain

from benchwright.export.jsonl import lines
from benchwright.export.select import Exported


def write(items: Iterable[Exported]) -> bytes:
    return "".join(f"{line}\n" for line in lines(items)).encode()


def read(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().splitlines()]


def test_json_lines_keep_the_export_contract() -> None:
    export_contract(write, read)


def test_a_line_is_a_line_to_every_reader() -> None:
    for text in (*HOSTILE, *HALVES):
        assert len("".join(lines([exported(text)])).splitlines()) == 1


def test_the_keys_are_those_that_readers_are_told_of() -> None:
    (line,) = lines([exported()])
    item = json.loads(line)
    assert list(item) == sorted(item)
    assert set(item) == {
        "answers", "attempt", "class", "document", "dropped", "id", "input_text", "language", "models", "options",
        "question", "seed", "slot", "topic",
    }  # fmt: skip
    assert set(item["document"]) == {"doi", "id", "licence", "name", "title"}
    assert set(item["options"][0]) == {
        "audited", "author", "confusion", "decisions", "evidence", "gate", "id", "label", "ratio", "rationale",
        "reason", "replaces", "route", "text", "votes",
    }  # fmt: skip
    assert set(item["options"][0]["votes"][0]) == {"by", "keep", "reason", "verdict"}
    assert set(item["question"]["evidence"][0]) == {"end", "sentence", "start", "text"}


@given(st.text())
def test_any_text_comes_back_as_it_went_in(text: str) -> None:
    item = exported(text)
    assert read(write([item])) == [plain(item)]


@given(st.text(st.characters(), min_size=1))
def test_half_characters_never_stop_an_export_nor_move_an_offset(text: str) -> None:
    (back,) = read(write([exported(text)]))
    assert len(back["input_text"]) == len(text)
