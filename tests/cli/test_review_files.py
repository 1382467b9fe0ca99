"""The human queue out to files of every form and in again, at the command line."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.utils import get_column_letter
from tests.cli.campaign import served, typed, written
from tests.cli.status import drawn

from benchwright.people import Written
from benchwright.show.code import Code
from benchwright.show.tables import draw_review_files, draw_reviewed_file


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with served() as stub:
        path = written(tmp_path_factory.mktemp("campaign"), stub.url)
        assert typed("run", path).code == Code.WAITING
        yield path


@pytest.mark.parametrize(
    ("name", "form", "files"),
    [
        ("a.jsonl", "", 2),
        ("a.csv", "csv", 2),
        ("a.xlsx", "", 1),
        ("a.json", "label-studio", 3),
        ("a.json", "argilla", 2),
    ],
)
def test_the_queue_is_written_in_every_form(name: str, form: str, files: int, campaign: Path, tmp_path: Path) -> None:
    words = ("--format", form) if form else ()
    told = typed("review", "export", campaign, tmp_path / name, *words)
    assert (told.code, told.err) == (Code.DONE, "")
    assert f"wrote 2 cards to {tmp_path / name}" in told.out
    assert len(list(tmp_path.iterdir())) == files == 1 + told.out.count("beside it: ")
    told_how = [file.read_text("utf-8") for file in tmp_path.glob("a.*") if file.suffix in {".md", ".json"}]
    if name.endswith(".xlsx"):
        book = load_workbook(tmp_path / name)
        assert book["review"].column_dimensions[get_column_letter(book["review"].max_column)].hidden
        told_how = [str(cell.value) for cell in book["rules"]["A"]]
    assert any("Meaning counts, not wording" in text for text in told_how)
    assert "2 rows: 2 undecided" in typed("review", "import", campaign, tmp_path / name).out


def test_files_of_others_are_never_overwritten(campaign: Path, tmp_path: Path) -> None:
    """A worked file, the notes of somebody, the rules of other cards: each stays as it is, and the message names it."""
    worked = tmp_path / "worked.csv"
    assert typed("review", "export", campaign, worked).code == Code.DONE
    text = worked.read_text("utf-8-sig").replace('"","","",""', '"keep","","so it is","bob"', 1)
    worked.write_text(text, "utf-8-sig")
    for words in ((), ("--decided",)):
        told = typed("review", "export", campaign, worked, *words)
        assert (told.code, str(worked) in told.err) == (Code.USAGE, True), told.err
        assert worked.read_text("utf-8-sig") == text
    for name in ("mine.rules.md", "mine.jsonl"):
        (tmp_path / name).write_text('{"key": "my notes"}', "utf-8")
        told = typed("review", "export", campaign, tmp_path / "mine.jsonl", *(("--decided",) if "json" in name else ()))
        assert (told.code, name in told.err) == (Code.USAGE, True), told.err
        assert (tmp_path / name).read_text("utf-8") == '{"key": "my notes"}'
        (tmp_path / name).unlink()


def test_a_file_of_decisions_is_written_anew_over_its_own(campaign: Path, tmp_path: Path) -> None:
    for name in ("done.jsonl", "done.csv", "done.xlsx"):
        for _ in range(2):
            assert typed("review", "export", campaign, tmp_path / name, "--decided").code == Code.DONE


def test_a_file_without_rows_is_called_so() -> None:
    empty = Written((Path("a.csv"),), 0)
    assert (
        drawn(draw_review_files(Path("c.toml"), empty))
        == "no card waits that this file could hold: a.csv has no rows\n"
    )
    assert drawn(draw_reviewed_file(empty)) == "nobody has decided on any card yet: a.csv has no rows\n"


def test_a_form_that_is_not_told_is_asked_for(campaign: Path, tmp_path: Path) -> None:
    told = typed("review", "export", campaign, tmp_path / "a.json")
    assert told.code == Code.USAGE
    assert "--format label-studio" in told.err
    assert typed("review", "export", campaign, tmp_path / "a.csv", "--format", "yaml").code == Code.USAGE


def test_what_was_decided_is_written_with_all_that_belongs_to_it(campaign: Path, tmp_path: Path) -> None:
    queue, out = tmp_path / "queue.jsonl", tmp_path / "said.jsonl"
    typed("review", "export", campaign, queue)
    first = json.loads(queue.read_text("utf-8").splitlines()[0])
    queue.write_text(json.dumps(first | {"decision": "reject", "reason": "not there"}) + "\n", "utf-8")
    assert "1 applied" in typed("review", "import", campaign, queue, "--by", "ada").out
    told = typed("review", "export", campaign, out, "--decided")
    assert f"wrote the decisions on 1 card to {out}" in told.out
    (one,) = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert (one["key"], one["decision"], one["opinions"][0]["reason"]) == (first["key"], "reject", "not there")
    found = typed("review", "export", campaign, tmp_path / "a.csv", "--reviewer", "ada", "--json").json
    assert found == {"files": [str(tmp_path / "a.csv"), str(tmp_path / "a.rules.md")], "cards": 1}
    refused = typed("review", "export", campaign, tmp_path / "said.json", "--decided")
    assert (refused.code, ".jsonl, .csv, .xlsx" in refused.err) == (Code.USAGE, True)


def test_a_changed_policy_that_is_not_taken_yet_is_said(campaign: Path, tmp_path: Path) -> None:
    before = campaign.read_text("utf-8")
    assert "a change is not taken yet" not in typed("review", "export", campaign, tmp_path / "a.csv").out
    try:
        campaign.write_text(before + "\n[review]\nopinions = 2\n", "utf-8")
        told = typed("review", "export", campaign, tmp_path / "b.csv")
        assert "a change is not taken yet (review.opinions: 1 -> 2): 'benchwright run --accept-changes'" in told.out
        campaign.write_text("[[", "utf-8")
        assert typed("review", "export", campaign, tmp_path / "c.csv").code == Code.DONE
    finally:
        campaign.write_text(before, "utf-8")
