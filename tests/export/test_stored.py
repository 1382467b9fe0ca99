"""From the store to the set: items of inference and reconstruction, by their final forms."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.bodies import FACT, facts, inference, reconstruction
from tests.scripted_recall import campaign, document

from benchwright.domain.answer import Answer
from benchwright.domain.campaign import Campaign
from benchwright.domain.document import whole
from benchwright.domain.item import Seed, kept_ending
from benchwright.export.folder import write
from benchwright.export.stored import StoredSet, describe_making
from benchwright.pipelines.choice.inference import Inference
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.store import campaigns, documents, items, records
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
    source, recipe = (
        replace(document(1), notes=("1 table left out",)),
        of.recipe() | {"sources": {"taxonomy": "t", "graph hetionet": "ab"}},
    )

    def put(connection: Connection) -> list[Path]:
        campaigns.begin(connection, "test", "", recipe, "now", "0")
        documents.admit(connection, source, whole(source))
        documents.refuse(connection, "scan.pdf", "it has no text")
        records.take(connection, records.begin_file(connection, "a.jsonl"), [(3, "not JSON")])
        for slot, body in enumerate(bodies):
            seq = items.add(connection, Seed(slot, 0, whole(source)))
            assert seq
            for answer in said:
                items.say(connection, seq, answer, "now")
            items.move(connection, seq, kept_ending("kept", body))
        made_by, counts = replace(PIPELINE, campaign=of), CHOICE.report(of)
        found = StoredSet(connection, of, made_by)
        return write(folder, found, CHOICE.formats["jsonl"], counts, describe_making(connection, found, "test.toml"))

    async with await Database.open(None, create=True) as database:
        _, data, _, card, manifest = await database.write(put)
    lines = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    return Set(lines, card.read_text("utf-8"), json.loads(manifest.read_text("utf-8")))


async def test_items_come_from_the_store_in_their_order_with_their_document_and_what_code_said(tmp_path: Path) -> None:
    first, second = (await exported(tmp_path, inference(), reconstruction())).items
    assert (first["slot"], first["original_question"]) == (0, "Where was dengue?")
    assert [fact["id"] for used in first["knowledge"]["used"] for fact in used["facts"]] == [FACT.id]
    assert (second["slot"], second["intended"], second["answers"]) == (1, "none", [])
    assert {item["document"] for item in (first, second)} == {document(1).id}


async def test_files_and_lines_that_were_refused_and_notes_of_readers_are_in_the_manifest(tmp_path: Path) -> None:
    found = await exported(tmp_path, inference())
    reasons = {"scan.pdf": "it has no text", "a.jsonl:3": "not JSON"}
    assert found.manifest["refused"] == {"all": 2, "reasons": reasons}
    assert found.manifest["notes_of_readers"] == {document(1).name: ["1 table left out"]}
    assert "| a.jsonl:3 | not JSON |" in found.card


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
