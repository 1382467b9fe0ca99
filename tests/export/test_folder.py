"""The folder that an export leaves behind."""

import errno
import json
import os
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

TABLES = ("items.jsonl", "provenance.jsonl", "documents.jsonl")
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


def test_an_export_is_its_tables_the_card_the_manifest_and_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "set"
    paths = write(folder, [kept()], MADE)
    assert [path.name for path in paths] == [*TABLES, "README.md", "manifest.json"]
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
    *data, manifest = write(tmp_path, [kept(slot=0), kept("x", slot=1)], MADE)
    told = json.loads(manifest.read_text("utf-8"))
    assert {name: file["sha256"] for name, file in told["files"].items()} == {
        path.name: sha256(path.read_bytes()).hexdigest() for path in data
    }
    assert [told["files"][name]["lines"] for name in TABLES] == [2, 2, 1]
    assert told["counts"].pop("shortcuts")["longest"]["exact_match"] == 1
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
        "families_of_distractors": {
            "What was found?": {"written": 5, "kept": 2},
            "x": {"written": 5, "kept": 2},
        },
        "number_of_options": {"right_by_options": {"2": {"1": 2}}, "p_independent": None},
    }
    assert told["campaign"] == {"id": CAMPAIGN.id, "recipe": json.loads(json.dumps(CAMPAIGN.recipe()))}
    assert told["campaign"]["recipe"]["rule"] == {"accept": "4/5", "reject": "7/10", "quorum": 2}
    assert [document["id"] for document in told["documents"]] == ["d1", "d2"]
    assert told["documents"][0]["licence"] == "CC BY 4.0"
    assert (told["prompts"], told["schemas"], told["benchwright"]) == (MADE.prompts, MADE.schemas, "1.2.3")
    assert "benchwright run outbreaks.toml" in told["how_to_make_it_again"]


def test_the_card_tells_counts_licences_and_how_it_was_made(tmp_path: Path) -> None:
    *_, card, _ = write(tmp_path, [kept("=1|+1")], MADE)
    text = card.read_text("utf-8")
    assert "Multiple-choice items: 1, from 1 of the corpus's 2 documents." in text
    assert "| a.xml | A \\| title | 10.1/x | CC BY 4.0 | 1 |" in text
    assert "| b.txt |  |  | not stated | 0 |" in text
    assert "| check\\_option | glm (glm-4) | 3 |" in text
    assert "at least 4/5" in text
    assert "find it out before you share" in text
    assert CAVEAT not in text


HOSTILE_NAME = "a|b\n<img src=x>[l](http://x)\udcff.pdf"


def test_the_card_and_the_manifest_tell_what_of_the_corpus_was_not_used_and_why(tmp_path: Path) -> None:
    noted = {"r.pdf": ("1 table left out", "read as cp1252 | <b>"), HOSTILE_NAME: ("*x*",)}
    refused = {"scan.pdf": "it has no text: only images", HOSTILE_NAME: "damaged <script>"}
    found = replace(MADE, refused=refused, refusals=2, notes=noted)
    *_, card, manifest = write(tmp_path, [kept()], found)
    text, told = card.read_text("utf-8"), json.loads(manifest.read_text("utf-8"))
    assert "2 files of the corpus" in text
    assert "| scan.pdf | it has no text: only images |" in text
    assert "| r.pdf | 1 table left out; read as cp1252 \\| \\<b\\> |" in text
    assert "| a\\|b \\<img src=x\\>\\[l\\](http://x) .pdf | damaged \\<script\\> |" in text
    assert "manifest has more" not in text
    assert (told["refused"]["all"], told["refused"]["reasons"]["scan.pdf"]) == (2, "it has no text: only images")
    assert len(told["refused"]["reasons"]) == 2
    assert told["notes_of_readers"]["r.pdf"] == ["1 table left out", "read as cp1252 | <b>"]


def test_a_long_list_of_unused_files_is_whole_in_the_manifest_only(tmp_path: Path) -> None:
    refused = {f"{n:03}.pdf": "damaged" for n in range(150)}
    *_, card, manifest = write(tmp_path, [kept()], replace(MADE, refused=refused, refusals=150))
    assert card.read_text("utf-8").count("| damaged |") == 100
    assert "The manifest has more of them." in card.read_text("utf-8")
    assert json.loads(manifest.read_text("utf-8"))["refused"] == {"all": 150, "reasons": refused}


def test_the_card_says_nothing_of_unused_files_where_all_are_used(tmp_path: Path) -> None:
    *_, card, _ = write(tmp_path, [kept()], MADE)
    assert "not used" not in card.read_text("utf-8")
    assert "Notes on documents" not in card.read_text("utf-8")


def test_the_card_warns_of_a_set_by_the_embedded_model(tmp_path: Path) -> None:
    licensed = replace(MADE, campaign=SOLE, documents=MADE.documents[1:])
    *_, card, _ = write(tmp_path, [], licensed)
    assert CAVEAT in card.read_text("utf-8")
    assert "find it out" not in card.read_text("utf-8")
    assert "Multiple-choice items: 0, from 0 of the corpus's 1 documents." in card.read_text("utf-8")


@pytest.mark.parametrize("text", [*HOSTILE, *HALVES])
def test_no_title_breaks_the_cards_table(tmp_path: Path, text: str) -> None:
    *_, card, _ = write(tmp_path, [], replace(MADE, documents=(Source("d", text, text, text, text, "", ""),)))
    row = card.read_text("utf-8").splitlines()[-1]
    assert row.endswith(" | 0 |")
    assert row.replace("\\\\", "").replace("\\|", "").count("|") == 6


def test_the_card_of_a_set_of_records_speaks_of_records_and_has_no_empty_table(tmp_path: Path) -> None:
    record = replace(SECOND, sort="record")
    items = [replace(kept(), sources=(record, Source("i1", "i1", "", "", "", "", "", "item")))]
    *_, card, _ = write(tmp_path, items, replace(MADE, documents=(), records=7))
    text = card.read_text("utf-8")
    assert ": 1, from 1 of the corpus's 7 records. Made by" in text
    assert ("## Records and licences" in text, "## Documents" in text, "0 documents" in text) == (True, False, False)
    *_, card, _ = write(tmp_path, items, replace(MADE, records=7))
    assert "from 0 of the corpus's 2 documents and 1 of the corpus's 7 records." in card.read_text("utf-8")


def test_an_export_that_fails_half_way_leaves_the_earlier_one(tmp_path: Path) -> None:
    def failing() -> Iterator[Kept]:
        yield kept("new")
        raise NotFound("the store lost an item")

    folder = tmp_path / "set"
    write(folder, [kept("old")], MADE)
    before = contents(folder)
    with pytest.raises(NotFound):
        write_from(folder, failing, MADE)
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_items_are_written_as_they_come(tmp_path: Path) -> None:
    seen: list[int] = []

    def coming() -> Iterator[Kept]:
        for slot in range(3):
            seen.append(
                sum(path.stat().st_size for path in tmp_path.rglob("items.jsonl"))
            )  # pathlib looks into hidden folders too
            yield kept("x" * 300_000, slot)

    write_from(tmp_path / "set", coming, MADE)
    assert 0 == seen[0] < seen[1] < seen[2] < seen[3]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(UsageError, match=r"file/set: the export cannot be written there .*: name another folder"):
        write(tmp_path / "file" / "set", [], MADE)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# ------------------------------------------------------------------------------------------- files of others, kills


@pytest.mark.parametrize("name", ["README.md", "manifest.json", "items.jsonl", "notes/mine.txt"])
def test_an_export_overwrites_nothing_that_no_export_wrote(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text('{"mine": true}', "utf-8")
    before = contents(tmp_path) if name != "notes/mine.txt" else {}
    with pytest.raises(UsageError, match=f"no export has written {name}.*move it away, or name another folder"):
        write(tmp_path, [kept()], MADE)
    assert (tmp_path / name).read_text("utf-8") == '{"mine": true}'
    assert not before or contents(tmp_path) == before
    assert not [path for path in tmp_path.parent.iterdir() if "export-" in path.name]


def test_a_file_of_an_export_that_somebody_changed_is_theirs(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    *_, card, _ = write(folder, [kept()], MADE)
    card.write_text("# licences found out, by hand", "utf-8")
    with pytest.raises(UsageError, match=r"README\.md, or somebody has changed it since"):
        write(folder, [kept("new")], MADE)
    assert card.read_text("utf-8") == "# licences found out, by hand"


def test_hidden_entries_that_tools_put_into_the_folder_stay(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    write(folder, [kept()], MADE)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text("ref", "utf-8")
    (folder / ".DS_Store").write_text("", "utf-8")
    write(folder, [kept("new")], MADE)
    assert (folder / ".git" / "HEAD").read_text("utf-8") == "ref"
    assert {path.name for path in folder.iterdir()} == {*TABLES, "README.md", "manifest.json", ".git", ".DS_Store"}
    assert [path.name for path in tmp_path.iterdir()] == ["set"]


def test_a_card_of_a_version_that_kept_no_hash_of_it_is_taken_for_an_exports_own(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    *_, manifest = write(folder, [kept()], MADE)
    told = json.loads(manifest.read_text("utf-8"))
    del told["files"]["README.md"]
    manifest.write_text(json.dumps(told), "utf-8")
    write(folder, [kept("new")], MADE)
    assert "new" in (folder / "items.jsonl").read_text("utf-8")


CALLS = ("rename", "replace", "rmdir", "unlink", "fsync", "mkdir")


def kill_at(folder: Path, call: int, cwd: Path) -> bool:
    """Export in a process of its own that dies at its call number `call` of the disk; whether it died."""
    child = os.fork()
    if not child:
        try:
            os.chdir(cwd)
            calls = iter(range(1, call))

            def dying(real: Callable[..., object]) -> Callable[..., object]:
                def called(*given: object, **more: object) -> object:
                    return real(*given, **more) if next(calls, None) else os._exit(9)

                return called

            for name in CALLS:
                setattr(os, name, dying(getattr(os, name)))
            write(folder, [kept("new")], MADE)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in {0, 9}
    return code == 9


@pytest.mark.parametrize("inside", [False, True])
def test_a_killed_export_leaves_one_whole_set_and_the_next_one_leaves_nothing_else(
    tmp_path: Path, inside: bool
) -> None:
    old, new = (contents_of(tmp_path / name, [kept(name)]) for name in ("old", "new"))
    for call in range(1, 60, 1 if not inside else 2):
        folder = tmp_path / str(call) / "set"
        write(folder, [kept("old")], MADE)
        died = kill_at(folder, call, folder if inside else tmp_path)
        if folder.exists() and not inside:
            assert {path.name: path.read_bytes() for path in folder.iterdir()} in (old, new)
        write(folder, [kept("new")], MADE)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == new
        assert [path.name for path in folder.parent.iterdir()] == ["set"]
        if not died:
            break
    else:
        raise AssertionError("it never got to its end")


def contents_of(folder: Path, items: list[Kept]) -> dict[str, bytes]:
    write(folder, items, MADE)
    return contents(folder)


def test_a_full_disk_is_called_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(DiskFull, match="free some space"), translate_errors(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_what_only_other_pipelines_items_have_changes_no_byte_of_a_set_of_recall(tmp_path: Path) -> None:
    data, *_, card, manifest = write(tmp_path, [kept(slot=0), kept(slot=1)], replace(MADE, sources={"taxonomy": "t"}))
    assert sha256(data.read_bytes()).hexdigest()[:16] == "d6b6891dce38756c"
    assert sha256(card.read_bytes()).hexdigest()[:16] == "c7c559b2f82453d0"
    assert set(json.loads(manifest.read_text("utf-8"))) == {
        "benchwright", "campaign", "counts", "document_ids", "documents", "files", "how_to_make_it_again", "name",
        "prompts", "schemas",
    }  # fmt: skip
