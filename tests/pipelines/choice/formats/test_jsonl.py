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
from benchwright.pipelines.choice.body import Quote
from benchwright.pipelines.choice.formats.provenance import WITHHELD
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import ColumnType, Kept, Subset

SUBSETS = CHOICE.formats["jsonl"].subsets
ASKED = campaign(knowledge={"graphs": [{"form": "hetionet", "path": "hetionet", "label": ""}]})


def exported(body: dict[str, Any], *answers: Answer, of: Campaign = ASKED) -> dict[str, Any]:
    """The line of an item with this body, about which code said this."""
    item = bodies.kept(body, *answers)
    (line,) = CHOICE.formats["jsonl"].files(InMemory(lambda: [item], of))["provenance.jsonl"]
    found: dict[str, Any] = json.loads(line)
    return found


def lines(items: Iterable[Kept]) -> list[str]:
    return list(CHOICE.formats["jsonl"].files(InMemory(lambda: items))["provenance.jsonl"])


def flat(*items: Kept) -> list[dict[str, Any]]:
    """The lines of the table to test models with."""
    return [json.loads(line) for line in CHOICE.formats["jsonl"].files(InMemory(lambda: items))["items.jsonl"]]


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
    provenance, documents = (next(one for one in SUBSETS if one.name == name) for name in ("provenance", "documents"))
    assert set(item) == set(provenance.columns)
    assert set(documents.columns) == {"doi", "id", "language", "licence", "name", "sort", "text", "title"}
    assert [one["vote"] for one in item["options"][0]["votes"]] == ["yes", "abstains"]


def test_a_question_that_people_reworded_names_its_author_and_the_wording_that_was_voted_on() -> None:
    one = kept()
    reworded = replace(one.item.body.question, question="Why?", author="human:ada", replaces="What?")  # type: ignore[union-attr]
    changed = replace(one, item=replace(one.item, body=replace(one.item.body, question=reworded)))  # type: ignore[type-var]
    (before, after) = (json.loads(line)["question"] for line in lines([one, changed]))
    assert (before["text"], before["author"], before["replaces"]) == ("What was found?", "", "")
    assert (after["text"], after["author"], after["replaces"]) == ("Why?", "human:ada", "What?")


@given(st.text())
def test_any_text_comes_back_as_it_went_in(text: str) -> None:
    item = kept(text)
    assert read(write([item])) == [plain(item)]


@given(st.text(st.characters(), min_size=1))
def test_half_characters_never_stop_an_export_nor_move_an_offset(text: str) -> None:
    (back,) = read(write([kept(text)]))
    assert len(back["options"][0]["text"]) == len(text)


# ---------------------------------------------------------------------------------------------- types, two tables

EMPTY = {"string": "", "int64": 0, "float64": 0.0, "bool": False}


def fits(value: Any, kind: ColumnType) -> bool:
    """Whether a value has exactly the declared type; a number may be unknown."""
    if isinstance(kind, list):
        return isinstance(value, list) and all(fits(one, kind[0]) for one in value)
    if isinstance(kind, str):
        return type(value) is type(EMPTY[kind]) or (value is None and kind in {"int64", "float64"})
    return isinstance(value, dict) and set(value) == set(kind) and all(fits(value[name], kind[name]) for name in kind)


PLAIN = (kept(), kept("", 1))
REFINED = (
    bodies.kept(inference(), facts()),
    bodies.kept(reconstruction()),
    bodies.kept(inference(difficulty=None), facts()),
)


@pytest.mark.parametrize("one", SUBSETS, ids=lambda one: one.name)
@pytest.mark.parametrize("item", [*PLAIN, *REFINED])
def test_every_line_has_every_column_in_its_type_whatever_the_item(item: Kept, one: Subset) -> None:
    for of in (ASKED, campaign(knowledge=None)):
        files = CHOICE.formats["jsonl"].files(InMemory(lambda: [item], of))
        for line in files[one.files["test"]]:
            assert fits(json.loads(line), one.columns), line


def test_nothing_beside_the_question_leads_a_test_taker() -> None:
    (row,) = flat(kept("What was found?"))
    assert row == {
        "id": "item0", "context": "What was found?", "question": "What was found?",
        "choices": ["What was found?", "What was found?"], "answer": "A", "split": "test",
    }  # fmt: skip


def test_the_answer_names_all_correct_choices_and_none_where_none_is_right() -> None:
    several = replace(kept().item.body.options[0], id="o3")  # type: ignore[union-attr]
    body = replace(kept().item.body, options=(*kept().item.body.options[:1], several))  # type: ignore[union-attr, type-var]
    both = replace(kept(), item=replace(kept().item, body=body))
    assert [row["answer"] for row in flat(both, bodies.kept(reconstruction()))] == ["AB", ""]


def test_evidence_stands_at_its_offsets_in_the_stored_text_letter_by_letter() -> None:
    stored = "It began early.\nIt was  the\nwest. It ended."
    start = stored.index("It was")
    quote = Quote(2, start, stored.index(" It ended"), "It was the west.")
    one = kept()
    source = replace(one.sources[0], stored=stored)
    question = replace(one.item.body.question, evidence=(quote,))  # type: ignore[union-attr]
    item = Kept(replace(one.item, body=replace(one.item.body, question=question)), (source,))  # type: ignore[type-var]
    files = CHOICE.formats["jsonl"].files(InMemory(lambda: [item, item]))
    (text,) = map(json.loads, files["documents.jsonl"])
    found, _ = map(json.loads, files["provenance.jsonl"])
    (cited,) = found["question"]["evidence"]
    assert found["document"] == text["id"]
    assert text["text"][cited["start"] : cited["end"]] == cited["text"] == "It was  the\nwest."


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
    assert hard.pop("sets") == []
    assert hard == {
        "score": 0.5, "score_exact": "1/2", "level": "hard", "alpha": 0.3, "threshold": 0.2, "answered": 3, "failed": 1,
        "kept": 1, "why": "it is hard enough",
    }  # fmt: skip
    assert (first["stem"], first["score_exact"], first["entity"]) == ("Where was dengue?", "1/15", "")
    assert first["score"] == pytest.approx(1 / 15)
    assert (second["entity"], second["sources"]) == ("dengue", ["https://a.example/1"])
    assert second["phrase"] == f"a break-bone illness {bodies.HOSTILE}"
    assert second["judgements"][0] == {"by": "judge0#1", "f1": "2/3", "exact": 0}
    assert second["judgements"][-1] == {"by": "judge3#1", "f1": "", "exact": None}
    fact = {
        "id": FACT.id, "subject": "chloroquine", "subject_id": "DB00608", "relation": "treats", "object": "malaria",
        "object_id": "DOID:12365", "source": "Hetionet", "details": "since 1946",
    }  # fmt: skip
    assert item["knowledge"] == {"given": 2, "used": [{"text": "Chloroquine treats malaria.", "facts": [fact]}]}


def test_what_an_item_of_reconstruction_has_not_is_empty() -> None:
    item = exported(reconstruction())
    assert (item["class"], item["topic"], item["knowledge"]) == ("", "", {"given": None, "used": []})
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


def test_an_item_that_was_not_measured_has_an_empty_difficulty() -> None:
    item = exported(inference(difficulty=None), facts())
    assert (item["difficulty"]["score"], item["difficulty"]["level"], item["difficulty"]["versions"]) == (None, "", [])
    assert item["original_question"] == ""


def test_an_item_that_no_judge_answered_has_no_score() -> None:
    dumb = [version("Where?", None, "unknown", answered=0, failed=4)]
    hard = difficulty(best=0, level="unknown", why="too few judges answered", versions=dumb, rounds=[])
    told = exported(inference(difficulty=hard), facts())["difficulty"]
    assert (told["score"], told["score_exact"], told["level"]) == (None, "", "unknown")


def test_where_no_graph_was_asked_nothing_is_said_of_graphs() -> None:
    nothing = inference(knowledge={"given": 0, "used": []})
    assert exported(nothing, of=campaign(knowledge=None))["knowledge"] == {"given": None, "used": []}
    assert exported(nothing)["knowledge"] == {"given": 0, "used": []}


def test_what_was_given_stays_told_when_a_campaign_asks_graphs_no_more() -> None:
    assert exported(inference(), facts(), of=campaign())["knowledge"]["given"] == 2


def test_the_language_is_that_of_the_document_or_the_one_that_the_campaign_writes_in() -> None:
    assert exported(reconstruction())["language"] == "en"
    assert exported(reconstruction(), of=replace(ASKED, language="fr"))["language"] == "fr"


def test_an_option_tells_what_those_said_who_saw_its_cited_sentences_alone() -> None:
    votes = [{"by": "red#1", "verdict": "carries", "keep": True, "reason": "seen"}]
    checks = [
        {"sentences": [2, 4], "ratio": "1/2", "route": "human", "votes": votes},
        {"sentences": [4], "ratio": "0/0", "route": None, "votes": []},
    ]
    right = bodies.option("a", "correct", relied="3/4", evidence_checks=checks)
    (told,) = exported(inference(options=[right], order=["a"]), facts())["options"]

    assert (told["relied"], told["relied_share"], told["carried"], told["carried_share"]) == ("3/4", 0.75, "1/2", 0.5)
    first, second = told["evidence_checks"]
    assert first["votes"] == [
        {"by": "red#1", "verdict": "carries", "vote": "yes", "reason": "seen", "answer": "", "cites": []}
    ]
    assert (first["sentences"], first["ratio"], first["route"]) == ([2, 4], "1/2", "human")
    assert second == {"sentences": [4], "ratio": "0/0", "route": "", "votes": []}


def test_sets_of_options_are_told_with_the_distractors_that_nobody_took() -> None:
    sets = [
        {"options": ["a", "b"], "score": "1/10", "level": "easy", "untaken": ["b"]},
        {"options": ["a", "c"], "score": None, "level": "unknown", "untaken": []},
    ]
    told = exported(inference(difficulty=difficulty(sets=sets)), facts())["difficulty"]["sets"]

    assert told == [
        {"options": ["a", "b"], "score": 0.1, "score_exact": "1/10", "level": "easy", "untaken": ["b"]},
        {"options": ["a", "c"], "score": None, "score_exact": "", "level": "unknown", "untaken": []},
    ]
