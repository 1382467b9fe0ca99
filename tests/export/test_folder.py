"""The folder that an export leaves behind."""

import errno
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from tests.contracts.export import CAMPAIGN, HALVES, HOSTILE, InMemory, kept

from benchwright.domain.campaign import Panel
from benchwright.errors import DiskFull, NotFound, UsageError
from benchwright.export import folder as folders
from benchwright.export.card import CAVEAT
from benchwright.export.folder import translate_errors
from benchwright.export.manifest import Made
from benchwright.pipelines.choice.kind import CHOICE
from benchwright.pipelines.kind import Kept, Source

SECOND = Source("d2", "b.txt", "", "", "", "", "")
MADE = Made(
    campaign=CAMPAIGN,
    file="outbreaks.toml",
    prompts={"write_question": "ab12"},
    schemas={"write_question": "cd34"},
    documents=(
        Source("d2", "b.txt", "", "", "", "", ""),
        Source("d1", "a.xml", "A | title", "10.1/x", "CC BY 4.0", "", ""),
    ),
    version="1.2.3",
    discarded={"too few options": 4},
    waiting=2,
    unfinished=1,
)
SOLE = replace(CAMPAIGN, roles={"write_question": Panel(("tiny",))})


def write(folder: Path, items: Iterable[Kept], made: Made) -> list[Path]:
    found = list(items)
    return write_from(folder, lambda: found, made)


def write_from(folder: Path, items: Callable[[], Iterable[Kept]], made: Made) -> list[Path]:
    return folders.write(folder, InMemory(items), CHOICE.formats["jsonl"], CHOICE.report(made.campaign), made)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_export_is_three_files_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "set"
    paths = write(folder, [kept()], MADE)
    assert [path.name for path in paths] == ["items.jsonl", "README.md", "manifest.json"]
    assert sorted(folder.iterdir()) == sorted(paths)


def test_the_same_items_give_the_same_bytes(tmp_path: Path) -> None:
    items = [kept(text, slot) for slot, text in enumerate((*HOSTILE, *HALVES))]
    write(tmp_path / "a", items, MADE)
    write(tmp_path / "b", iter(items), replace(MADE, documents=MADE.documents[::-1]))
    first = contents(tmp_path / "a")
    assert contents(tmp_path / "b") == first
    write(tmp_path / "a", items, MADE)
    assert contents(tmp_path / "a") == first


def test_the_manifest_holds_the_hash_the_counts_and_the_recipe(tmp_path: Path) -> None:
    data, _, manifest = write(tmp_path, [kept(slot=0), kept("x", slot=1)], MADE)
    told = json.loads(manifest.read_text("utf-8"))
    assert told["files"] == {"items.jsonl": {"sha256": sha256(data.read_bytes()).hexdigest(), "items": 2}}
    assert told["counts"] == {
        "items": {
            "exported": 2,
            "discarded": {"too few options": 4},
            "waiting_for_people": 2,
            "unfinished": 1,
            "by_class": {"Surveillance": 2},
            "by_topic": {"Detection": 2},
            "by_language": {"What was found?": 1, "x": 1},
            "by_document": {"d1": 2},
        },
        "options": {
            "in_the_set": {"correct": 2, "distractor": 2},
            "dropped": {"gate duplicate": 2, "votes": 2, "people": 2},
            "by_route": {"keep": 4, "gate": 4, "human": 2},
        },
    }
    assert told["campaign"] == {"id": CAMPAIGN.id, "recipe": json.loads(json.dumps(CAMPAIGN.recipe()))}
    assert told["campaign"]["recipe"]["rule"] == {"accept": "4/5", "reject": "7/10", "quorum": 2}
    assert [document["id"] for document in told["documents"]] == ["d1", "d2"]
    assert told["documents"][0]["licence"] == "CC BY 4.0"
    assert (told["prompts"], told["schemas"], told["benchwright"]) == (MADE.prompts, MADE.schemas, "1.2.3")
    assert "benchwright run outbreaks.toml" in told["how_to_make_it_again"]


def test_the_card_tells_counts_licences_and_how_it_was_made(tmp_path: Path) -> None:
    _, card, _ = write(tmp_path, [kept("=1|+1")], MADE)
    text = card.read_text("utf-8")
    assert "Multiple-choice items: 1, from 1 of the corpus's 2 documents." in text
    assert "| a.xml | A \\| title | 10.1/x | CC BY 4.0 | 1 |" in text
    assert "| b.txt |  |  | not stated | 0 |" in text
    assert "| check\\_option | glm (glm-4) | 3 |" in text
    assert "at least 4/5" in text
    assert "find it out before you share" in text
    assert CAVEAT not in text


def test_the_card_warns_of_a_set_by_the_embedded_model(tmp_path: Path) -> None:
    licensed = replace(MADE, campaign=SOLE, documents=MADE.documents[1:])
    _, card, _ = write(tmp_path, [], licensed)
    assert CAVEAT in card.read_text("utf-8")
    assert "find it out" not in card.read_text("utf-8")
    assert "Multiple-choice items: 0, from 0 of the corpus's 1 documents." in card.read_text("utf-8")


@pytest.mark.parametrize("text", [*HOSTILE, *HALVES])
def test_no_title_breaks_the_cards_table(tmp_path: Path, text: str) -> None:
    _, card, _ = write(tmp_path, [], replace(MADE, documents=(Source("d", text, text, text, text, "", ""),)))
    row = card.read_text("utf-8").splitlines()[-1]
    assert row.endswith(" | 0 |")
    assert row.replace("\\\\", "").replace("\\|", "").count("|") == 6


def test_the_card_of_a_set_of_records_speaks_of_records_and_has_no_empty_table(tmp_path: Path) -> None:
    record = replace(SECOND, sort="record")
    items = [replace(kept(), sources=(record, Source("i1", "i1", "", "", "", "", "", "item")))]
    _, card, _ = write(tmp_path, items, replace(MADE, documents=(), records=7))
    text = card.read_text("utf-8")
    assert ": 1, from 1 of the corpus's 7 records. Made by" in text
    assert ("## Records and licences" in text, "## Documents" in text, "0 documents" in text) == (True, False, False)
    _, card, _ = write(tmp_path, items, replace(MADE, records=7))
    assert "from 0 of the corpus's 2 documents and 1 of the corpus's 7 records." in card.read_text("utf-8")


def test_an_export_that_fails_half_way_leaves_the_earlier_one(tmp_path: Path) -> None:
    def failing() -> Iterator[Kept]:
        yield kept("new")
        raise NotFound("the store lost an item")

    write(tmp_path, [kept("old")], MADE)
    before = contents(tmp_path)
    with pytest.raises(NotFound):
        write_from(tmp_path, failing, MADE)
    assert contents(tmp_path) == before


def test_items_are_written_as_they_come(tmp_path: Path) -> None:
    seen: list[int] = []

    def coming() -> Iterator[Kept]:
        for slot in range(3):
            seen.append(sum(path.stat().st_size for path in tmp_path.rglob("items.jsonl")))
            yield kept("x" * 300_000, slot)

    write_from(tmp_path, coming, MADE)
    assert 0 == seen[0] < seen[1] < seen[2] < seen[3]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"file/set: the export cannot be written there .*: name another folder"):
        write(tmp_path / "file" / "set", [], MADE)
    (tmp_path / "items.jsonl").mkdir()
    with pytest.raises(UsageError, match="cannot be written there"):
        write(tmp_path, [], MADE)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "items.jsonl"]


def test_a_full_disk_is_called_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match="free some space"), translate_errors(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_what_only_other_pipelines_items_have_changes_no_byte_of_a_set_of_recall(tmp_path: Path) -> None:
    data, card, manifest = write(tmp_path, [kept(slot=0), kept(slot=1)], replace(MADE, sources={"taxonomy": "t"}))
    assert sha256(data.read_bytes()).hexdigest()[:16] == "2faf77cd91a61b1e"
    assert sha256(card.read_bytes()).hexdigest()[:16] == "e4c4d9192e92627a"
    assert set(json.loads(manifest.read_text("utf-8"))) == {
        "benchwright", "campaign", "counts", "document_ids", "documents", "files", "how_to_make_it_again", "name",
        "prompts", "schemas",
    }  # fmt: skip
