"""Documents of every form taken in: read ahead, near-duplicates and other languages left out by name, and used."""

import json
from collections.abc import AsyncIterator, Callable
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.corpus.docxs import docx, p
from tests.corpus.pdfs import At, lines, pdf
from tests.corpus.test_pdf import OTHER, PROSE, prose
from tests.rig import rig
from tests.scripted_recall import campaign, pipeline

from benchwright.domain.campaign import Campaign, Documents
from benchwright.domain.document import read_out, span_text
from benchwright.domain.extra import library
from benchwright.engine.intake import Intake, check_languages, take_in
from benchwright.engine.runner import How
from benchwright.errors import CorpusError, StoreFailed
from benchwright.pipelines.choice.recall import Recall
from benchwright.store import documents, items
from benchwright.store.database import Connection, Database

THIRD = (
    "A new bridge was opened in June, and traders from the bay came to the market on the hill for the first time. "
    "The committee counted four hundred carts in one day, which was more than in the whole of the year before. "
)


@pytest.fixture
async def database() -> AsyncIterator[Database]:
    async with await Database.open(None) as opened:
        yield opened


def folder_of_three(folder: Path) -> None:
    """The same kind of report as a PDF, a web page and a Word document."""
    (folder / "march.pdf").write_bytes(pdf([[At(60, 60, "The flood of March", 18), *lines(prose())]]))
    page = f"<title>Repairs</title><nav>Home</nav><main><h1>Repairs</h1><p>{OTHER}</p></main>"
    (folder / "april.html").write_text(page)
    (folder / "june.docx").write_bytes(docx(p("The bridge", style="Title"), p(THIRD)))


def of(**parts: object) -> Campaign:
    return replace(campaign(), corpus=(".",), documents=Documents(**parts))  # type: ignore[arg-type]


async def listed(database: Database) -> dict[str, str | None]:
    return {row.name: row.reason for row in await database.read(documents.list_files)}


async def test_a_pdf_a_web_page_and_a_word_document_go_through_recall(tmp_path: Path) -> None:
    folder_of_three(tmp_path)
    async with rig(pipeline(), reports=0) as one:
        assert await take_in(one.database, of(), one.pipeline, tmp_path, print) == Intake(3, 0)
        while (await one.run()).how is How.WAITING:
            await one.decide_all()
        states = await one.states()
        assert len(states) == 3
        kept = await one.database.read(lambda connection: list(items.pages(connection, "kept")))
        assert kept

        def cited(connection: Connection) -> list[str]:
            found = []
            for place in range(documents.count(connection)):
                view = documents.outline_at(connection, place).view
                document, _ = documents.get(connection, view.document)
                reading = read_out(document, view)
                assert all(span_text(document, sentence.span) == sentence.text for sentence in reading.sentences)
                found.append(document.title)
            return found

        assert await one.database.read(cited) == ["Repairs", "The bridge", "The flood of March"]


async def test_near_duplicates_are_left_out_by_name_and_the_others_move_up(database: Database, tmp_path: Path) -> None:
    longer = PROSE * 3 + OTHER * 3
    for name, text in {"a": longer, "b": OTHER + THIRD, "c": f"{longer} It rained.", "d": THIRD}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    said: list[str] = []
    near = of(near_duplicates=Fraction(4, 5))
    assert await take_in(database, near, pipeline(), tmp_path, said.append) == Intake(3, 1)
    reason = (await listed(database))["a.txt"]
    assert reason is not None
    assert reason.startswith("nearly the same as c.txt (similarity 0.9")
    assert said == [f"a.txt is left out: {reason}"]

    def places(connection: Connection) -> list[str]:
        views = [documents.outline_at(connection, place).view for place in range(3)]
        return [documents.name_of(connection, view.document) for view in views]

    assert await database.read(places) == ["b.txt", "c.txt", "d.txt"]


async def test_near_duplicates_are_kept_where_no_threshold_is_set(database: Database, tmp_path: Path) -> None:
    for name, text in {"a": PROSE, "b": f"{PROSE} It rained."}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    assert await take_in(database, of(), pipeline(), tmp_path, print) == Intake(2, 0)


async def test_a_file_that_comes_before_the_first_item_is_compared_as_if_it_had_been_there(
    database: Database, tmp_path: Path
) -> None:
    near = of(near_duplicates=Fraction(1, 2))
    for name, text in {"a": PROSE * 2, "b": f"{PROSE} It rained."}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    await take_in(database, near, pipeline(), tmp_path, print)
    first = await listed(database)
    assert await take_in(database, near, pipeline(), tmp_path, print) == Intake(1, 1)
    assert await listed(database) == first
    (tmp_path / "c.txt").write_text(f"{PROSE} It rained. {PROSE} It snowed.")
    assert await take_in(database, near, pipeline(), tmp_path, print) == Intake(1, 2)
    assert {name for name, reason in (await listed(database)).items() if reason is None} == {"c.txt"}


async def test_documents_in_other_languages_are_refused_by_name(database: Database, tmp_path: Path) -> None:
    pytest.importorskip("py3langid", reason="needs the extra lang")
    (tmp_path / "en.txt").write_text(PROSE)
    (tmp_path / "fr.txt").write_text("Les pluies ont commencé en mars, et l’eau est montée jusqu’aux maisons.")
    assert await take_in(database, of(languages=("en",)), pipeline(), tmp_path, print) == Intake(1, 1)
    assert "is in the language 'fr'" in str((await listed(database))["fr.txt"])


@pytest.mark.parametrize(("languages", "title"), [(("en",), "Wells"), (("en", "es"), "Pozos"), ((), "Pozos")])
async def test_the_translation_of_an_article_that_a_campaign_wants_is_the_one_that_is_taken_in(
    languages: tuple[str, ...], title: str, database: Database, tmp_path: Path
) -> None:
    def text(title: str, sentence: str) -> str:
        named = f"<title-group><article-title>{title}</article-title></title-group>"
        return f"{named}</META><body><p>{sentence * 40}</p></body>"

    spanish = text("Pozos", "Los pozos del distrito fueron cerrados. ").replace("META", "article-meta></front")
    english = text("Wells", "The wells of the district were closed. ").replace("META", "front-stub")
    inside = f'<sub-article article-type="translation" xml:lang="en"><front-stub>{english}</sub-article>'
    file = f'<article xml:lang="es"><front><article-meta>{spanish}{inside}</article>'
    (tmp_path / "a.xml").write_text(file)
    assert await take_in(database, of(languages=languages), pipeline(), tmp_path, print) == Intake(1, 0)
    [(name, _)] = await database.read(documents.sizes)
    document, _ = await database.read(lambda connection: documents.get(connection, name))
    assert document.title == title


def test_languages_that_cannot_be_told_are_found_before_a_run() -> None:
    pytest.importorskip("py3langid", reason="needs the extra lang")
    assert check_languages(of()) == []
    [good] = check_languages(of(languages=("en", "fr")))
    assert (good.ok, good.message) == (True, "documents in en, fr are taken")
    [bad] = check_languages(of(languages=("en", "qq")))
    assert (bad.ok, bad.message) == (False, "qq cannot be told: use codes such as en, fr, es, or leave them out")


def test_a_missing_library_of_languages_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def absent() -> object:
        return library("benchwright_absent", "telling the language of documents", "lang")

    monkeypatch.setattr("benchwright.corpus.language.identifier", absent)
    [bad] = check_languages(of(languages=("en",)))
    assert not bad.ok
    assert "needs the extra 'lang'" in bad.message


async def test_a_bad_file_between_good_ones_ends_in_its_state_and_stops_nothing(
    database: Database, tmp_path: Path
) -> None:
    folder_of_three(tmp_path)
    whole = (tmp_path / "march.pdf").read_bytes()
    (tmp_path / "cut.pdf").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "locked.docx").write_bytes(b"\xd0\xcf\x11\xe0")
    assert await take_in(database, of(), pipeline(), tmp_path, print) == Intake(3, 2)
    reasons = await listed(database)
    assert str(reasons["cut.pdf"]).startswith("is truncated")
    assert str(reasons["locked.docx"]).startswith("is encrypted")


async def test_reading_ahead_ends_where_the_store_fails(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_of_three(tmp_path)

    def fail(*_: object) -> None:
        raise StoreFailed

    monkeypatch.setattr(documents, "admit", fail)
    with pytest.raises(StoreFailed):
        await take_in(database, of(), pipeline(), tmp_path, print)


async def test_real_reports_and_outbreak_news_become_a_corpus(
    database: Database, tmp_path: Path, shared_data: Callable[[str], Path]
) -> None:
    pytest.importorskip("py3langid", reason="needs the extra lang")
    for path in shared_data("real/pdf").glob("*.pdf"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for number, line in enumerate(shared_data("real/don/who_don_sample.jsonl").read_text("utf-8").splitlines()):
        (tmp_path / f"news-{number:02}.txt").write_text(json.loads(line)["text"], "utf-8")
    plain = of(tables=True, languages=("en",), near_duplicates=Fraction(1, 2))
    wanted = replace(plain, models={name: replace(one, context=100_000) for name, one in plain.models.items()})
    taken = await take_in(database, wanted, pipeline(), tmp_path, print)
    reasons = await listed(database)
    assert (taken.admitted, taken.refused) == (sum(why is None for why in reasons.values()), 5)
    for name in ("guinea_sitrep_111_2014-08-05", "mali_sitrep_2014-10-31", "ocha_drc_no08_2014-09-05"):
        assert "is in the language 'fr'" in str(reasons[f"{name}_fr.pdf"])
    assert "has no running text" in str(reasons["ocha_drc_timeline_fr.pdf"])
    alike = {name: why for name, why in reasons.items() if why and why.startswith("nearly the same as")}
    assert {name[:11] for name in alike} == {"ocha_drc_no"}
    assert len(alike) == 1  # no. 10 and no. 11, a few days apart


async def test_where_no_document_is_near_another_none_is_left_out(database: Database, tmp_path: Path) -> None:
    folder_of_three(tmp_path)
    said: list[str] = []
    taken = await take_in(database, of(near_duplicates=Fraction(4, 5)), pipeline(), tmp_path, said.append)
    assert taken == Intake(3, 0)
    assert not [line for line in said if "left out" in line]


async def test_a_pipeline_that_splits_documents_takes_one_that_fits_no_model(
    database: Database, tmp_path: Path
) -> None:
    (tmp_path / "long.md").write_text("# Long\n\n" + "The river rose again. " * 3000)
    small = {name: replace(model, context=2000) for name, model in of().models.items()}
    here = replace(of(), models=small, long_documents="refuse")

    class Splitting(Recall):
        splits = True

    made = replace(pipeline(), campaign=here)
    with pytest.raises(CorpusError, match=r"long.md: about \d+ tokens"):
        await take_in(database, here, made, tmp_path, print)
    parts = Splitting(**{field.name: getattr(made, field.name) for field in fields(made)})
    assert await take_in(database, here, parts, tmp_path, print) == Intake(1, 0)


async def test_documents_that_changed_on_disk_are_named_and_stay_as_they_were_read(tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.md").write_text(f"# Report {number}\n\n{THIRD} {number}", "utf-8")
    async with rig(pipeline(), reports=0) as one:
        said: list[str] = []
        await take_in(one.database, of(), one.pipeline, tmp_path, said.append)
        await take_in(one.database, of(), one.pipeline, tmp_path, said.append)
        assert said == []
        (tmp_path / "0.md").unlink()
        (tmp_path / "0.md").symlink_to(tmp_path / "none")
        (tmp_path / "1.md").write_text("# Another\n\nAnother text.", "utf-8")
        await take_in(one.database, of(), one.pipeline, tmp_path, said.append)
        assert said == ["changed on disk since it was read: 1.md; the campaign goes on with the text that it has"]
        for number in range(2, 7):
            (tmp_path / f"{number}.md").write_text(f"# Another {number}\n\nAnother text.", "utf-8")
        await take_in(one.database, of(), one.pipeline, tmp_path, said.append)
        assert "1.md, 2.md, 3.md, 4.md, 5.md and 1 more" in said[-1]
