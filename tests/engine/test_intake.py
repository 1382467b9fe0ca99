"""The corpus taken in: each file a document with a view, or refused with its reason; one bad file stops nobody."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.phased.pipeline import Pairs
from tests.phased.pipeline import campaign as pairs_campaign
from tests.scripted_recall import campaign, pipeline

from benchwright.agents.room import room
from benchwright.corpus.read import KNOWN, SUFFIXES
from benchwright.domain.campaign import Model
from benchwright.domain.document import Document, View
from benchwright.domain.source import Inputs, Record
from benchwright.engine import intake
from benchwright.engine.foresight import foresee_corpus
from benchwright.engine.intake import Intake, check_corpus, kinds, take_in
from benchwright.engine.status import status
from benchwright.errors import CorpusError, StoreFailed, Unreadable
from benchwright.store import campaigns, documents, items, records
from benchwright.store.database import Connection, Database
from benchwright.store.sources import Corpus

REPORT = "# Report {n}\n\n## Findings\n\nIn week {n} the clinic saw {n} cases.\n\n## Response\n\nWells were closed.\n"
RECALL = pipeline()


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    async with await Database.open(None) as opened:
        yield opened


def write(folder: Path, count: int) -> None:
    for n in range(1, count + 1):
        (folder / f"report-{n:03}.md").write_text(REPORT.format(n=n))


async def listed(database: Database) -> dict[str, str | None]:
    return {row.name: row.reason for row in await database.read(documents.list_files)}


async def test_good_files_are_admitted_and_bad_ones_refused_each_with_its_reason(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, 2)
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "copy.md").write_text(REPORT.format(n=1))
    said: list[str] = []
    taken = await take_in(database, campaign(), RECALL, tmp_path, said.append)
    assert taken == Intake(admitted=2, refused=2)
    reasons = await listed(database)
    assert list(reasons) == ["copy.md", "empty.md", "report-001.md", "report-002.md"]
    assert reasons["report-001.md"] == "the same bytes as copy.md"
    assert reasons["empty.md"] == "is empty; add its text or take it out"
    assert said == []


async def test_a_corpus_of_which_nothing_is_usable_is_an_error_that_lists_why(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "empty.md").write_text("")
    with pytest.raises(CorpusError, match=r"empty\.md: is empty"):
        await take_in(database, campaign(), RECALL, tmp_path, print)


async def test_where_nothing_was_usable_files_that_were_mended_are_read_again(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "report-001.md").write_text("")
    with pytest.raises(CorpusError):
        await take_in(database, campaign(), RECALL, tmp_path, print)
    write(tmp_path, 1)
    assert await take_in(database, campaign(), RECALL, tmp_path, print) == Intake(1, 0)


async def test_files_read_before_are_not_read_again(database: Database, tmp_path: Path) -> None:
    write(tmp_path, 1)
    await take_in(database, campaign(), RECALL, tmp_path, print)
    (tmp_path / "report-001.md").write_text("# Other\n\nOther text.")
    assert await take_in(database, campaign(), RECALL, tmp_path, print) == Intake(1, 0)
    [outline] = await database.read(lambda c: list(Corpus(c)))
    assert outline.titles == ("Findings", "Response")


async def test_files_that_appear_after_items_have_begun_are_named_and_left_out(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, 1)
    await take_in(database, campaign(), RECALL, tmp_path, print)
    [outline] = await database.read(lambda c: list(Corpus(c)))
    [seed] = pipeline().admit([outline], await database.read(lambda c: items.progress(c, 1, 5)))
    await database.write(partial(items.add, seed=seed))
    write(tmp_path, 2)
    assert await take_in(database, campaign(), RECALL, tmp_path, print) == Intake(1, 0, ("report-002.md",))


async def test_a_large_corpus_says_how_far_it_is(database: Database, tmp_path: Path) -> None:
    write(tmp_path, 101)
    said: list[str] = []
    await take_in(database, campaign(), RECALL, tmp_path, said.append)
    assert said == ["read 100 of 101 files"]


async def test_a_file_outside_the_campaigns_folder_is_named_by_its_whole_path(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").mkdir()
    write(tmp_path / "far", 1)
    far = replace(campaign(), corpus=(str(tmp_path / "far"),))
    await take_in(database, far, RECALL, tmp_path / "near", print)
    assert list(await listed(database)) == [(tmp_path / "far" / "report-001.md").as_posix()]


def narrow(context: int) -> dict[str, Model]:
    names = ("writer", "red", "green", "blue")
    return {n: Model(n, "direct", n, "http://127.0.0.1:9/v1", context=context, max_tokens=100) for n in names}


def long_report() -> str:
    sections = [f"## Part {n}\n\n" + f"In district {n} there were {n * 7} cases. " * 30 for n in range(1, 9)]
    return "# Long\n\n" + "\n\n".join(sections)


async def test_a_document_longer_than_the_smallest_context_is_shown_in_whole_sections_that_fit(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "long.md").write_text(long_report())
    plenty = campaign(models=narrow(100_000))
    tight = campaign(models=narrow(100_000 - room(plenty, RECALL.agents) + 1500))
    await take_in(database, tight, RECALL, tmp_path, print)
    [outline] = await database.read(lambda c: list(Corpus(c)))
    assert 0 < len(outline.view.sections) < 8
    assert outline.view.sections == tuple(sorted(outline.view.sections))


async def test_a_document_longer_than_the_smallest_context_is_refused_where_the_campaign_says_so(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "long.md").write_text(long_report())
    write(tmp_path, 1)
    plenty = campaign(models=narrow(100_000))
    tight = campaign(models=narrow(100_000 - room(plenty, RECALL.agents) + 1500))
    await take_in(database, replace(tight, long_documents="refuse"), RECALL, tmp_path, print)
    reasons = await listed(database)
    assert "tokens, 1500 fit the smallest context" in str(reasons["long.md"])
    assert reasons["report-001.md"] is None


def test_a_prompt_is_no_longer_than_what_a_minute_lets_through() -> None:
    plenty = campaign(models=narrow(100_000))
    slow = {name: replace(model, tpm=6000) for name, model in narrow(100_000).items()}
    assert room(plenty, RECALL.agents) - room(campaign(models=slow), RECALL.agents) == 100_000 - 100 - 6000


async def test_a_context_that_no_section_fits_is_a_reason_not_a_silent_cut(database: Database, tmp_path: Path) -> None:
    write(tmp_path, 1)
    with pytest.raises(CorpusError, match=r"no section fits the \S+ tokens"):
        await take_in(database, campaign(models=narrow(500)), RECALL, tmp_path, print)


def test_how_many_files_a_campaign_names_is_told_without_reading_them(tmp_path: Path) -> None:
    write(tmp_path, 2)
    (tmp_path / "empty.md").write_text("")
    found = check_corpus(["*.md"], tmp_path, RECALL)
    assert (found.ok, found.message) == (True, "names 3 files, which a run reads")
    assert check_corpus(["empty.md"], tmp_path, RECALL).message == "names 1 file, which a run reads"
    lost = check_corpus(["*.txt"], tmp_path, RECALL)
    assert not lost.ok
    assert "*.txt" in lost.message


PAIRS = Pairs(pairs_campaign())


def write_lines(folder: Path, name: str, *lines: str) -> None:
    (folder / name).write_text("\n".join(lines) + "\n")


async def test_a_file_yields_many_records_and_a_bad_line_stops_none_of_them(database: Database, tmp_path: Path) -> None:
    write_lines(tmp_path, "a.jsonl", '{"n": 1}', "[]", '{"n": 2}', '{"n": 1}')
    write_lines(tmp_path, "b.csv", "n", "2", "3,4")
    everything = replace(PAIRS, campaign=replace(PAIRS.campaign, corpus=("*",)))
    assert await take_in(database, everything.campaign, everything, tmp_path, print) == Intake(3, 3)
    assert [outline.body for outline in await database.read(lambda c: list(Corpus(c)))] == [
        {"n": 1},
        {"n": 2},
        {"n": "2"},
    ]
    assert await database.read(partial(records.refused_lines, most=9)) == {
        "a.jsonl:2": "is no JSON object; a record is one object of named fields on a line of its own",
        "a.jsonl:4": "the same record as a.jsonl:1",
        "b.csv:3": "has 2 cells, the first line names 1",
    }
    assert await take_in(database, everything.campaign, everything, tmp_path, print) == Intake(3, 3)


async def test_of_a_folder_the_files_that_a_pipeline_does_not_take_are_refused(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, 1)
    write_lines(tmp_path, "a.jsonl", '{"n": 1}')
    here = replace(PAIRS.campaign, corpus=(".",))
    assert await take_in(database, here, PAIRS, tmp_path, print) == Intake(1, 1)
    assert await listed(database) == {"report-001.md": "the pipeline pairs takes .csv, .jsonl only"}
    both = replace(PAIRS, inputs=(Inputs.DOCUMENTS, Inputs.RECORDS))
    assert kinds(both) == {".csv", ".jsonl", *SUFFIXES}
    assert {".md", ".markdown", ".txt", ".xml", ".nxml", ".pdf", ".html", ".htm", ".xhtml", ".docx"} == SUFFIXES


async def test_a_file_that_the_pipeline_does_not_take_is_refused_with_what_it_takes(
    database: Database, tmp_path: Path
) -> None:
    write(tmp_path, 1)
    write_lines(tmp_path, "a.jsonl", '{"n": 1}')
    everything = replace(PAIRS.campaign, corpus=("*",))
    assert await take_in(database, everything, PAIRS, tmp_path, print) == Intake(1, 1)
    assert await listed(database) == {"report-001.md": "the pipeline pairs takes .csv, .jsonl only"}


async def test_every_file_of_a_folder_ends_as_admitted_or_refused(database: Database, tmp_path: Path) -> None:
    write(tmp_path, 1)
    for name in ("a.zip", "table.csv", "README", "campaign.toml", "campaign.db"):
        (tmp_path / name).write_text("x,y\n1,2\n")
    (tmp_path / "noted.md").write_text("# Wells\n\nDry.\n\n| a |\n|---|\n| 1 |\n")
    here = replace(campaign(), corpus=(".",))
    assert await take_in(database, here, RECALL, tmp_path, print) == Intake(2, 3)
    reasons = await listed(database)
    assert reasons["a.zip"] == (f"files ending in '.zip' are not read, only {KNOWN}; convert it")
    assert set(reasons) == {"a.zip", "table.csv", "README", "noted.md", "report-001.md"}
    await database.write(lambda c: campaigns.begin(c, "c", "", {"quota": {"target": 1, "tries": 1}}, "now", "0"))
    found = await database.read(status)
    assert (found.notes, found.noted) == ({"noted.md": ("1 table left out",)}, 1)


async def test_a_masked_sentence_that_is_shown_elsewhere_is_named(database: Database, tmp_path: Path) -> None:
    said = "Nets kept nine of ten sleepers well that year."
    body = "".join(f"\n\n## {title}\n\n{text}" for title, text in (
        ("Results", f"One was dry. Two were wet. Three were deep. Four were old. Five were new. {said}"),
        ("Discussion", f"We say more. {said} They should be given. Four were old."),
    ))  # fmt: skip
    (tmp_path / "wells.md").write_text(f"# Wells{body}\n")

    class Masking(type(RECALL)):  # type: ignore[misc]
        def shows(self, document: Document) -> View:
            return View(document.id, (0,), (1,))

    masking = Masking(RECALL.campaign, RECALL.settings, RECALL.taxonomy)
    await take_in(database, replace(campaign(), corpus=(".",)), masking, tmp_path, print)
    (listed,) = await database.read(documents.list_files)
    assert listed.notes == (f"1 masked sentence shown all the same, word for word in another section: {said!r}",)


async def test_doctor_foresees_what_a_run_makes_of_each_file(tmp_path: Path) -> None:
    write(tmp_path, 1)
    (tmp_path / "noted.md").write_text("# Wells\n\nDry.\n\n| a |\n|---|\n| 1 |\n")
    for number in range(25):
        (tmp_path / f"a-{number:02}.zip").write_bytes(b"PK")
    here = replace(campaign(), corpus=(".",))
    found = await foresee_corpus(here, RECALL, tmp_path, print)
    lines = found.message.splitlines()
    assert (found.ok, lines[0], len(lines)) == (True, "2 can be used, 25 refused", 23)
    assert lines[1].startswith("refused a-00.zip: files ending in '.zip' are not read")
    assert lines[-2:] == ["and 5 more refused", "note on noted.md: 1 table left out"]
    for path in tmp_path.glob("a-*.zip"):
        path.unlink()
    few = await foresee_corpus(here, RECALL, tmp_path, print)
    assert few.message.splitlines() == ["2 can be used, 0 refused", "note on noted.md: 1 table left out"]
    for path in tmp_path.glob("*.md"):
        path.unlink()
    (tmp_path / "a.zip").write_bytes(b"PK")
    found = await foresee_corpus(here, RECALL, tmp_path, print)
    assert (found.ok, found.message.splitlines()[0]) == (False, "no file of the corpus can be used:")


async def test_files_of_records_are_no_documents(database: Database, tmp_path: Path) -> None:
    write(tmp_path, 1)
    write_lines(tmp_path, "a.jsonl", '{"n": 1}')
    await take_in(database, replace(campaign(), corpus=("*",)), RECALL, tmp_path, print)
    assert "files ending in '.jsonl' are not read" in str((await listed(database))["a.jsonl"])


async def test_a_file_of_records_that_was_cut_off_is_read_anew(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "TOGETHER", 10)
    monkeypatch.setattr(intake, "SAY_EVERY", 20)
    write_lines(tmp_path, "a.jsonl", *(f'{{"n": {n}}}' for n in range(40)))
    usual, taken = records.take, []

    def cut_off(connection: Connection, file: int, lines: Sequence[records.Line]) -> None:
        taken.append(len(lines))
        if len(taken) > 2:
            raise StoreFailed("cut")
        usual(connection, file, lines)

    with monkeypatch.context() as patch:
        patch.setattr(records, "take", cut_off)
        with pytest.raises(StoreFailed, match="cut"):
            await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print)
    said: list[str] = []
    assert await take_in(database, PAIRS.campaign, PAIRS, tmp_path, said.append) == Intake(40, 0)
    assert said == ["read 20 records of a.jsonl", "read 40 records of a.jsonl"]
    assert [one.body for one in await database.read(lambda c: list(Corpus(c)))] == [{"n": n} for n in range(40)]


@pytest.mark.parametrize("stays", [True, False])
async def test_records_have_no_gap_though_other_files_come_or_go_after_a_file_was_cut_off(
    database: Database, tmp_path: Path, *, stays: bool
) -> None:
    write_lines(tmp_path, "a.jsonl", '{"n": 9}')

    def cut_off(connection: Connection) -> None:
        file = records.begin_file(connection, "b.jsonl")
        records.take(connection, file, [(n, Record(f"b.jsonl:{n}", {"n": n})) for n in (1, 2)])
        records.take(connection, file, [(3, "is no JSON object")])

    await database.write(cut_off)
    if stays:
        write_lines(tmp_path, "b.jsonl", '{"n": 1}', '{"n": 2}')
    assert await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print) == (Intake(3, 0) if stays else Intake(1, 0))
    found = await database.read(lambda c: list(Corpus(c)))
    assert [one.body for one in found] == ([{"n": 9}, {"n": 1}, {"n": 2}] if stays else [{"n": 9}])


async def test_of_a_file_that_cannot_be_read_to_its_end_no_record_is_kept(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "TOGETHER", 1)
    write_lines(tmp_path, "a.jsonl", '{"n": 1}')
    write_lines(tmp_path, "b.jsonl", '{"n": 1}')

    def failing(path: Path, name: str) -> Iterator[records.Line]:
        yield 1, Record(f"{name}:1", {"name": name})
        yield 2, "is no JSON object"
        if path.name == "a.jsonl":
            raise Unreadable(f"{name}: the disk fails")

    monkeypatch.setattr(intake, "read_records", failing)
    assert await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print) == Intake(1, 2)
    assert [one.body for one in await database.read(lambda c: list(Corpus(c)))] == [{"name": "b.jsonl"}]


async def test_where_no_line_was_usable_files_that_were_mended_are_read_again(
    database: Database, tmp_path: Path
) -> None:
    write_lines(tmp_path, "a.jsonl", "[]")
    (tmp_path / "b.jsonl").write_text("")
    with pytest.raises(CorpusError, match=r"(?s)b\.jsonl: is empty.*a\.jsonl:1: is no JSON object"):
        await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print)
    write_lines(tmp_path, "a.jsonl", '{"n": 1}')
    assert await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print) == Intake(1, 1)


async def test_a_status_tells_how_many_records_there_are_and_the_first_lines_that_were_refused(
    database: Database, tmp_path: Path
) -> None:
    write_lines(tmp_path, "a.jsonl", *(f'{{"n": {n}}}' for n in range(3)), *["[]"] * 200)
    recipe = PAIRS.campaign.recipe()
    await database.write(lambda c: campaigns.begin(c, "test", "", recipe, "now", "0"))
    await take_in(database, PAIRS.campaign, PAIRS, tmp_path, print)
    found = await database.read(status)
    assert (found.documents, found.records, found.refusals, len(found.refused)) == (0, 3, 200, 100)
    assert found.wanted == 3
