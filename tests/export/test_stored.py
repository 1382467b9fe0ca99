"""From the store to the set: items of inference and reconstruction, by their final forms."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.bodies import FACT, HOSTILE, difficulty, facts, inference, reconstruction, version
from tests.scripted_recall import campaign, document

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import whole
from benchwright.domain.item import Seed, kept_ending
from benchwright.export.folder import write
from benchwright.export.stored import StoredSet, describe_making
from benchwright.pipelines.choice.formats.jsonl import WITHHELD
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.store import campaigns, documents, items
from benchwright.store.database import Connection, Database

GRAPHS = {"graphs": [{"form": "hetionet", "path": "hetionet", "label": ""}]}
ASKED = campaign(knowledge=GRAPHS)
PIPELINE = Inference.of(ASKED, Path())
MINE: tuple[Answer, ...] = (facts(),)


@dataclass(frozen=True, slots=True)
class Set:
    """An export as its reader finds it."""

    items: list[dict[str, Any]]
    card: str
    manifest: dict[str, Any]


async def exported(folder: Path, *bodies: dict[str, Any], of: Campaign = ASKED, said: tuple[Answer, ...] = MINE) -> Set:
    """The set of a campaign whose kept items have these final forms; of each, code said the same."""
    source, recipe = document(1), of.recipe() | {"sources": {"taxonomy": "t", "graph hetionet": "ab"}}

    def put(connection: Connection) -> list[Path]:
        campaigns.begin(connection, "test", "", recipe, "now", "0")
        documents.admit(connection, source, whole(source))
        for slot, body in enumerate(bodies):
            seq = items.add(connection, Seed(slot, 0, whole(source)))
            assert seq
            for answer in said:
                items.say(connection, seq, answer, "now")
            items.move(connection, seq, kept_ending("kept", body))
        made_by, counts = replace(PIPELINE, campaign=of), CHOICE.report(of)
        how = describe_making(connection, of, made_by, "test.toml")
        return write(folder, StoredSet(connection, of, made_by), CHOICE.formats["jsonl"], counts, how)

    async with await Database.open(None, create=True) as database:
        data, card, manifest = await database.write(put)
    lines = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    return Set(lines, card.read_text("utf-8"), json.loads(manifest.read_text("utf-8")))


async def test_an_item_of_inference_tells_its_difficulty_its_first_stem_and_what_of_graphs_it_used(
    tmp_path: Path,
) -> None:
    (item,) = (await exported(tmp_path, inference())).items
    assert (item["intended"], item["class"]) == ("one", "Surveillance")
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
    assert second["phrase"] == f"a break-bone illness {HOSTILE}"
    assert second["judgements"][0] == {"by": "judge0#1", "f1": "2/3", "exact": 0}
    assert second["judgements"][-1] == {"by": "judge3#1", "f1": None, "exact": None}
    fact = {
        "id": FACT.id, "subject": "chloroquine", "subject_id": "DB00608", "relation": "treats", "object": "malaria",
        "object_id": "DOID:12365", "source": "Hetionet", "details": "since 1946",
    }  # fmt: skip
    assert item["knowledge"] == {"given": 2, "used": [{"text": "Chloroquine treats malaria.", "facts": [fact]}]}


async def test_an_item_of_reconstruction_says_nothing_of_class_topic_and_graphs(tmp_path: Path) -> None:
    (item,) = (await exported(tmp_path, reconstruction(), said=())).items
    assert not {"class", "topic", "knowledge"} & set(item)
    assert (item["intended"], item["answers"]) == ("none", [])
    assert item["original_question"] == item["difficulty"]["versions"][0]["stem"]


async def test_options_left_out_on_purpose_are_told_with_that_reason(tmp_path: Path) -> None:
    found = await exported(tmp_path, reconstruction(), said=())
    (item,) = found.items
    assert [option["id"] for option in item["options"]] == ["b", "c"]
    assert {option["id"]: option["reason"] for option in item["dropped"]} == {"a": WITHHELD, "d": ""}
    assert found.manifest["counts"]["options"]["dropped"] == {WITHHELD: 1, "gate in_stem": 1}


async def test_an_item_that_was_not_measured_says_so_by_silence(tmp_path: Path) -> None:
    body = inference()
    del body["difficulty"]
    found = await exported(tmp_path, body)
    assert not {"difficulty", "original_question"} & set(found.items[0])
    assert "difficulty" not in found.manifest["counts"]
    assert "How hard" not in found.card


async def test_an_item_that_no_judge_answered_has_no_score(tmp_path: Path) -> None:
    dumb = [version("Where?", None, "unknown", answered=0, failed=4)]
    hard = difficulty(best=0, level="unknown", why="too few judges answered", versions=dumb, rounds=[])
    found = await exported(tmp_path, inference(difficulty=hard))
    told = found.items[0]["difficulty"]
    assert (told["score"], told["score_exact"], told["level"]) == (None, None, "unknown")
    assert found.manifest["counts"]["difficulty"]["mean_score_as_written"] is None
    assert "| items, unknown | 1 |" in found.card
    assert "mean score" not in found.card


async def test_where_no_graph_was_asked_nothing_is_said_of_graphs(tmp_path: Path) -> None:
    body = inference(knowledge={"given": 0, "used": []})
    found = await exported(tmp_path, body, of=campaign(knowledge=None), said=())
    assert "knowledge" not in found.items[0]
    assert "knowledge" not in found.manifest["counts"]
    assert "graphs gave" not in found.card


async def test_where_graphs_knew_nothing_that_is_told(tmp_path: Path) -> None:
    found = await exported(tmp_path, inference(knowledge={"given": 0, "used": []}), said=())
    assert found.items[0]["knowledge"] == {"given": 0, "used": []}
    assert found.manifest["counts"]["knowledge"] == {"items": 1, "given": 0, "used": 0}
    assert "Of 1 items 0 were written with statements of knowledge graphs at hand; 0 (0.0 %) used" in found.card


async def test_what_was_given_stays_told_when_a_campaign_asks_graphs_no_more(tmp_path: Path) -> None:
    (item,) = (await exported(tmp_path, inference(), of=campaign())).items
    assert item["knowledge"]["given"] == 2


async def test_the_card_and_the_manifest_count_right_options_levels_rewrites_and_use_of_graphs(tmp_path: Path) -> None:
    unused = inference(knowledge={"given": 2, "used": []}, intended="several")
    found = await exported(tmp_path, inference(), unused, reconstruction())
    counts = found.manifest["counts"]
    assert counts["right_options"] == {
        "none": {"items": 1, "intended": 1},
        "one": {"items": 2, "intended": 1},
        "several": {"items": 0, "intended": 1},
    }
    assert counts["knowledge"] == {"items": 2, "given": 2, "used": 1}
    assert counts["difficulty"] == {
        "items": 3, "easy_as_written": 3, "rewritten": 2, "easy": 1, "hard": 2, "unknown": 0,
        "mean_score_as_written": pytest.approx(1 / 15), "mean_score_rewritten": 0.5,
    }  # fmt: skip
    assert counts["items"]["by_class"] == {"Surveillance": 2}
    for line in (
        "| several | 0 | 1 |",
        "| items, easy | 1 |",
        "| items, easy as they were written | 3 |",
        "| items with another stem | 2 |",
        "| mean score of these, as they were written | 0.067 |",
        "| mean score of these, in the set | 0.500 |",
        "(alpha 0.3, threshold 0.2)",
        "Of 2 items 2 were written with statements of knowledge graphs at hand; 1 (50.0 %) used what they say.",
        "- `difficulty` says",
        "- `knowledge` says",
        "- `intended` says",
    ):
        assert line in found.card


async def test_the_manifest_tells_graphs_and_glossary_by_hash_and_how_to_put_them_back(tmp_path: Path) -> None:
    manifest = (await exported(tmp_path, inference())).manifest
    assert manifest["sources"] == {"taxonomy": "t", "graph hetionet": "ab"}
    assert '"files"' in manifest["source_ids"]
    assert any("in the same release: graph hetionet" in line for line in manifest["how_to_make_it_again"])
