"""Items as JSON Lines: what each line holds, whatever the texts."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import bodies
from tests.bodies import FACT, difficulty, facts, inference, reconstruction, version
from tests.contracts.export import HALVES, HOSTILE, InMemory, export_contract, kept, plain
from tests.scripted_recall import campaign

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.pipelines.choice.formats.jsonl import WITHHELD
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Kept

ASKED = campaign(knowledge={"graphs": [{"form": "hetionet", "path": "hetionet", "label": ""}]})


def exported(body: dict[str, Any], *answers: Answer, of: Campaign = ASKED) -> dict[str, Any]:
    """The line of an item with this body, about which code said this."""
    item = bodies.kept(body, *answers)
    (line,) = CHOICE.formats["jsonl"].files(InMemory(lambda: [item], of))["items.jsonl"]
    found: dict[str, Any] = json.loads(line)
    return found


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


def test_a_question_that_people_reworded_names_its_author_and_the_wording_that_was_voted_on() -> None:
    one = kept()
    reworded = replace(one.item.body.question, question="Why?", author="human:ada", replaces="What?")  # type: ignore[union-attr]
    changed = replace(one, item=replace(one.item, body=replace(one.item.body, question=reworded)))  # type: ignore[type-var]
    (before, after) = (json.loads(line)["question"] for line in lines([one, changed]))
    assert set(before) == {"text", "evidence"}
    assert (after["text"], after["author"], after["replaces"]) == ("Why?", "human:ada", "What?")


@given(st.text())
def test_any_text_comes_back_as_it_went_in(text: str) -> None:
    item = kept(text)
    assert read(write([item])) == [plain(item)]


@given(st.text(st.characters(), min_size=1))
def test_half_characters_never_stop_an_export_nor_move_an_offset(text: str) -> None:
    (back,) = read(write([kept(text)]))
    assert len(back["input_text"]) == len(text)


# ------------------------------------------------------------------------------------------------ refined items


def test_an_item_of_inference_tells_its_difficulty_its_first_stem_and_what_of_graphs_it_used() -> None:
    item = exported(inference(), facts())
    assert (item["intended"], item["class"], item["answers"]) == ("one", "Surveillance", ["a"])
    assert (item["question"]["text"], item["original_question"]) == (
        "Where was the break-bone illness?",
        "Where was dengue?",
    )
    hard = item["difficulty"]
    first, second = hard.pop("versions")
    assert hard == {
        "score": 0.5, "score_exact": "1/2", "level": "hard", "alpha": 0.3, "threshold": 0.2, "answered": 3, "failed": 1,
        "kept": 1, "why": "it is hard enough",
    }  # fmt: skip
    assert (first["stem"], first["score_exact"], first["entity"]) == ("Where was dengue?", "1/15", "")
    assert first["score"] == pytest.approx(1 / 15)
    assert (second["entity"], second["sources"]) == ("dengue", ["https://a.example/1"])
    assert second["phrase"] == f"a break-bone illness {bodies.HOSTILE}"
    assert second["judgements"][0] == {"by": "judge0#1", "f1": "2/3", "exact": 0}
    assert second["judgements"][-1] == {"by": "judge3#1", "f1": None, "exact": None}
    fact = {
        "id": FACT.id, "subject": "chloroquine", "subject_id": "DB00608", "relation": "treats", "object": "malaria",
        "object_id": "DOID:12365", "source": "Hetionet", "details": "since 1946",
    }  # fmt: skip
    assert item["knowledge"] == {"given": 2, "used": [{"text": "Chloroquine treats malaria.", "facts": [fact]}]}


def test_an_item_of_reconstruction_says_nothing_of_class_topic_and_graphs() -> None:
    item = exported(reconstruction())
    assert not {"class", "topic", "knowledge"} & set(item)
    assert (item["intended"], item["answers"]) == ("none", [])
    assert item["original_question"] == item["difficulty"]["versions"][0]["stem"]


def test_options_left_out_on_purpose_are_told_with_that_reason() -> None:
    item = exported(reconstruction())
    assert [option["id"] for option in item["options"]] == ["b", "c"]
    assert {option["id"]: option["reason"] for option in item["dropped"]} == {"a": WITHHELD, "d": ""}


def test_an_option_that_fell_at_a_gate_has_no_route() -> None:
    item = exported(inference(), facts())
    assert [(one["id"], one["gate"], one["route"]) for one in item["dropped"]] == [("d", "in_stem", "")]
    assert {(one["gate"], one["route"]) for one in item["options"]} == {("", "keep")}


def test_an_item_that_was_not_measured_says_so_by_silence() -> None:
    assert not {"difficulty", "original_question"} & set(exported(inference(difficulty=None), facts()))


def test_an_item_that_no_judge_answered_has_no_score() -> None:
    dumb = [version("Where?", None, "unknown", answered=0, failed=4)]
    hard = difficulty(best=0, level="unknown", why="too few judges answered", versions=dumb, rounds=[])
    told = exported(inference(difficulty=hard), facts())["difficulty"]
    assert (told["score"], told["score_exact"], told["level"]) == (None, None, "unknown")


def test_where_no_graph_was_asked_nothing_is_said_of_graphs() -> None:
    nothing = inference(knowledge={"given": 0, "used": []})
    assert "knowledge" not in exported(nothing, of=campaign(knowledge=None))
    assert exported(nothing)["knowledge"] == {"given": 0, "used": []}


def test_what_was_given_stays_told_when_a_campaign_asks_graphs_no_more() -> None:
    assert exported(inference(), facts(), of=campaign())["knowledge"]["given"] == 2


def test_the_language_is_that_of_the_document_or_the_one_that_the_campaign_writes_in() -> None:
    assert exported(reconstruction())["language"] == "en"
    assert exported(reconstruction(), of=replace(ASKED, language="fr"))["language"] == "fr"
