"""Items as JSON Lines."""

import json
from collections.abc import Iterable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.export import HALVES, HOSTILE, InMemory, export_contract, kept, plain

from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Kept


def lines(items: Iterable[Kept]) -> list[str]:
    return list(CHOICE.formats["jsonl"].files(InMemory(lambda: items))["items.jsonl"])


def write(items: Iterable[Kept]) -> bytes:
    return "".join(lines(items)).encode()


def read(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().splitlines()]


def test_json_lines_keep_the_export_contract() -> None:
    export_contract(write, read)


def test_a_line_is_a_line_to_every_reader() -> None:
    for text in (*HOSTILE, *HALVES):
        assert len("".join(lines([kept(text)])).splitlines()) == 1


def test_the_keys_are_those_that_readers_are_told_of() -> None:
    (line,) = lines([kept()])
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
    item = kept(text)
    assert read(write([item])) == [plain(item)]


@given(st.text(st.characters(), min_size=1))
def test_half_characters_never_stop_an_export_nor_move_an_offset(text: str) -> None:
    (back,) = read(write([kept(text)]))
    assert len(back["input_text"]) == len(text)
