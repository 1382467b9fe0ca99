"""Files for annotation tools, and what these hand back.

The rules here are a small copy, in our own words, of what the tools demand of such files; the files were held against
label-studio-sdk 2.1.2 and argilla 2.8.0 themselves, once, when this was written.
"""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.review.campaign import Desk
from tests.review.test_sheet import CARD, filled, saved

from benchwright.domain.opinion import Policy
from benchwright.errors import UsageError
from benchwright.review.exchange import Outcome
from benchwright.review.files import read, write
from benchwright.review.sheet import Entry, Row

HOSTILE = "<script>alert(1)</script> \"'&$question =1+1 \x00\u2028"


def tasks(path: Path, cards: list[Entry]) -> tuple[list[dict[str, Any]], ET.Element]:
    """Label Studio's two files."""
    files = write(path, cards, "label-studio")
    assert files == [path, path.with_suffix(".xml")]
    return json.loads(path.read_text("utf-8")), ET.fromstring(path.with_suffix(".xml").read_text("utf-8"))  # noqa: S314


def records(path: Path, cards: list[Entry]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Argilla's two files."""
    files = write(path, cards, "argilla")
    assert files == [path, path.with_name("queue.settings.json")]
    return json.loads(path.read_text("utf-8")), json.loads(files[1].read_text("utf-8"))


def brief(rows: list[Row]) -> list[tuple[object, ...]]:
    """Rows as line, key, decision, wording, reason, reviewer; each has the option's text."""
    assert {row.given["option"] for row in rows} == {"the fish market"}
    return [
        (row.line, row.key, *(row.given.get(name, "") for name in ("decision", "wording", "reason")), row.reviewer)
        for row in rows
    ]


def annotation(who: object, **said: str) -> dict[str, Any]:
    """An annotation as Label Studio exports it."""
    result = [
        {"from_name": name, "to_name": "option", "type": kind, "value": {key: [text]}}
        for name, text in said.items()
        for kind, key in [("choices", "choices") if name == "decision" else ("textarea", "text")]
    ]
    return {"id": 1, "completed_by": who, "was_cancelled": False, "result": result, "lead_time": 3.2}


# ------------------------------------------------------------------------------------------------ Label Studio


def test_each_variable_of_the_labeling_interface_is_in_every_task_and_each_control_has_its_object(
    tmp_path: Path,
) -> None:
    found, view = tasks(
        tmp_path / "queue.json", [CARD, filled(shown={"option": HOSTILE, "evidence": "", "others": (), "votes": ()})]
    )
    objects = {tag.get("name"): str(tag.get("value")) for tag in view.iter("Text")}
    assert view.tag == "View"
    for task in found:
        assert set(task) == {"data"}
        assert all(isinstance(value, str) and value for value in task["data"].values())
        assert {value.removeprefix("$") for value in objects.values()} <= set(task["data"])
    names = [tag.get("name") for tag in view.iter() if tag.get("name")]
    assert len(names) == len(set(names))
    controls = [tag for tag in view.iter() if tag.tag in {"Choices", "TextArea"}]
    assert {tag.get("toName") for tag in controls} == {"option"}
    assert [tag.get("value") for tag in view.iter("Choice")] == ["keep", "reject", "edit", "cannot_say"]
    assert found[1]["data"]["option"] == HOSTILE


def test_what_label_studio_exports_comes_back_one_row_an_annotation(tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    found, _ = tasks(path, [CARD, filled(key="x/y"), filled(key="x/z")])
    found[0] |= {
        "id": 7,
        "annotations": [
            annotation({"id": 2, "email": "ada@example.org"}, decision="keep", reason="so it is"),
            annotation(3, decision="edit", wording="the market"),
            annotation(4) | {"was_cancelled": True},
        ],
    }
    found[1]["annotations"] = [annotation(4) | {"was_cancelled": True}]
    path.write_text(json.dumps(found), "utf-8")
    assert brief(read(path)) == [
        (1, CARD.key, "keep", "", "so it is", "ada@example.org"),
        (2, CARD.key, "edit", "the market", "", "annotator 3"),
        (3, "x/y", "", "", "", ""),
        (4, "x/z", "", "", "", ""),
    ]


def test_the_flat_export_comes_back_too(tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    flat = {"id": 1, "key": CARD.key, "option": "the fish market", "decision": "reject", "reason": "no", "annotator": 5}
    path.write_text(json.dumps([flat]), "utf-8")
    assert brief(read(path)) == [(1, CARD.key, "reject", "", "no", "annotator 5")]


# ---------------------------------------------------------------------------------------------------- Argilla


def test_records_have_the_fields_and_metadata_of_their_settings_and_no_others(tmp_path: Path) -> None:
    found, settings = records(
        tmp_path / "queue.json", [CARD, filled(shown={"option": HOSTILE, "evidence": "", "others": (), "votes": ()})]
    )
    fields = {field["name"]: field["required"] for field in settings["fields"]}
    for record in found:
        assert set(record["fields"]) <= set(fields)
        assert {name for name, required in fields.items() if required} <= set(record["fields"])
        assert set(record["metadata"]) == {found["name"] for found in settings["metadata"]}
        assert (record["suggestions"], record["responses"], record["vectors"]) == ({}, {}, {})
    decision, *texts = settings["questions"]
    assert [option["value"] for option in decision["settings"]["options"]] == ["keep", "reject", "edit", "cannot_say"]
    assert decision["required"]
    assert not any(question["required"] for question in texts)
    assert all(entry["settings"]["type"] == entry["type"] for entry in settings["fields"] + settings["questions"])
    assert found[1]["fields"]["option"] == HOSTILE


SENT = {"status": "submitted"}


def test_what_argilla_exports_comes_back_one_row_a_person(tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    found, _ = records(path, [CARD, filled(key="x/y")])
    ada, bob = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb"
    found[0] |= {
        "responses": {
            "decision": [{"value": "keep", "user_id": ada, **SENT}, {"value": "edit", "user_id": bob, **SENT}],
            "wording": [{"value": "the market", "user_id": bob, **SENT}],
            "reason": [{"value": "so it is", "user_id": ada, **SENT}],
        },
        "status": "completed",
        "_server_id": "33333333",
    }
    path.write_text(json.dumps(found), "utf-8")
    assert brief(read(path)) == [
        (1, CARD.key, "keep", "", "so it is", "user 11111111"),
        (2, CARD.key, "edit", "the market", "", "user 22222222"),
        (3, "x/y", "", "", "", ""),
    ]


def flat(status: str, *said: tuple[str, str, str]) -> dict[str, Any]:
    """A record as Argilla's `to_list(flatten=True)` has it: who answered what, and how far they are."""
    values, users, statuses = (list(column) for column in zip(*said, strict=True)) if said else ([], [], [])
    return {
        "id": CARD.key, "status": status, "_server_id": "33333333", "option": "the fish market", "item": "ab",
        "decision.responses": values or None, "decision.responses.users": users or None,
        "decision.responses.status": statuses or None, "reason.responses": None, "decision.suggestion": None,
    }  # fmt: skip


@pytest.mark.parametrize("lines", [False, True])
def test_drafts_and_discarded_answers_of_argilla_are_no_decisions(lines: bool, tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    said = [("keep", "ada", "draft"), ("reject", "bob", "submitted"), ("keep", "eve", "discarded")]
    found = [flat("completed", *said), flat("pending", *said[::2]), flat("pending")]
    path.write_text("\n".join(map(json.dumps, found)) if lines else json.dumps(found), "utf-8")
    assert brief(read(path)) == [
        (1, CARD.key, "reject", "", "", "user bob"),
        (2, CARD.key, "", "", "", ""),
        (3, CARD.key, "", "", "", ""),
    ]


@pytest.mark.parametrize(
    ("status", "people", "outcome"),
    [
        ("pending", ["ada"], [("", "")]),
        ("completed", ["ada"], [("keep", "")]),
        ("completed", ["ada", "bob"], [("", "flatten=True"), ("", "flatten=True")]),
    ],
)
def test_where_argilla_does_not_say_who_submitted_nothing_is_guessed(
    status: str, people: list[str], outcome: list[tuple[str, str]], tmp_path: Path
) -> None:
    path = tmp_path / "queue.json"
    found, _ = records(path, [CARD])
    found[0] |= {"status": status, "responses": {"decision": [{"value": "keep", "user_id": one} for one in people]}}
    path.write_text(json.dumps(found), "utf-8")
    rows = read(path)
    assert [row.given.get("decision", "") for row in rows] == [decision for decision, _ in outcome]
    assert all(word in row.fault for row, (_, word) in zip(rows, outcome, strict=True))


# ------------------------------------------------------------------------------------ tables of Label Studio


@pytest.mark.parametrize("name", ["queue.csv", "queue.tsv"])
def test_a_table_of_label_studio_keeps_its_annotators_apart(name: str, tmp_path: Path) -> None:
    path, parts = tmp_path / name, "," if name.endswith("csv") else "\t"
    names = ["annotation_id", "annotator", "created_at", "decision", "grade", "id", "key", "option", "reason"]
    last = [CARD.key, "the fish market", "so"]
    rows = [
        ["1", "ada@example.org", "2026-01-01T00:00:00Z", "keep", '[{"number": 2}]', "7", *last],
        ["2", "5", "2026-01-01T00:00:00Z", "reject", '[{"text": ["a", "b"]}]', "7", *last],
        ["", "{}", "", "", "", "8", *last],
    ]
    saved(path, [names, *rows], parts)
    found = read(path)
    assert [(row.given["decision"], row.given["grade"], row.reviewer) for row in found] == [
        ("keep", "2", "ada@example.org"),
        ("reject", "a\nb", "annotator 5"),
        ("", "", ""),
    ]


def test_the_flat_export_of_a_number_is_the_number(tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    told = {"key": CARD.key, "annotation_id": 1, "annotator": 5, "grade": [{"number": 0}], "tags": ["a", "b"]}
    path.write_text(json.dumps([told]), "utf-8")
    assert [read(path)[0].given[name] for name in ("grade", "tags")] == ["0", '["a", "b"]']


# ------------------------------------------------------------------------------------------------------- both


@pytest.mark.parametrize("form", ["label-studio", "argilla"])
async def test_a_queue_goes_out_and_its_answers_come_in_once(form: str, desk: Desk, tmp_path: Path) -> None:
    path, cards = tmp_path / "queue.json", await desk.entries()
    write(path, cards, form)
    entries = json.loads(path.read_text("utf-8"))
    for entry in entries:
        if form == "argilla":
            entry["responses"] = {"decision": [{"value": "keep", "user_id": "ada"}]}
        else:
            entry["annotations"] = [annotation({"email": "ada"}, decision="keep")]
    path.write_text(json.dumps(entries[::-1]), "utf-8")
    assert [one.outcome for one in await desk.take(*read(path))] == [Outcome.APPLIED] * len(cards)
    assert [one.outcome for one in await desk.take(*read(path))] == [Outcome.ALREADY] * len(cards)


@pytest.mark.parametrize("form", ["label-studio", "argilla"])
async def test_votes_go_out_only_where_people_may_see_them(form: str, desk: Desk, tmp_path: Path) -> None:
    for blind in (True, False):
        path = tmp_path / f"{blind}.json"
        write(path, await desk.under(Policy(blind=blind)).entries(), form)
        assert ("red#1 says" in path.read_text("utf-8")) is not blind


@pytest.mark.parametrize("form", ["label-studio", "argilla"])
def test_an_untouched_file_is_replaced_and_one_with_answers_is_not(form: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    write(path, [CARD], form)
    write(path, [CARD], form)
    entries = json.loads(path.read_text("utf-8"))
    entries[0] |= {"annotations": [annotation(1, decision="keep")], "responses": {"decision": [{"value": "keep"}]}}
    path.write_text(json.dumps(entries), "utf-8")
    with pytest.raises(UsageError, match="holds decisions"):
        write(path, [CARD], form)


@pytest.mark.parametrize(
    "entry",
    [
        1,
        "data",
        None,
        [],
        {"data": 1},
        {"data": {}, "annotations": [{"result": [3]}]},
        {"data": {}, "annotations": 7},
        {"fields": {}, "responses": [1]},
        {"fields": {}, "responses": {"decision": [3]}},
        {"fields": []},
        {},
    ],
)
def test_an_entry_of_another_shape_is_told_and_the_rest_goes_on(entry: Any, tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    good = {"key": CARD.key, "decision": "keep"}
    path.write_text(json.dumps([entry, good]), "utf-8")
    first, second = read(path)
    assert first.fault
    assert (second.line, second.key, second.given["decision"]) == (2, CARD.key, "keep")


@pytest.mark.parametrize("text", ["", "{", "{}", "3", "[" * 100_000])
def test_a_file_that_is_no_list_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "queue.json"
    path.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=r"queue\.json: it is no"):
        read(path)
