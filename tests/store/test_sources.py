"""Sources in the store: the corpus by place, records by file, and the names under which people know them."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.scripted_recall import document

from benchwright.domain.document import View, read_out, whole
from benchwright.domain.item import Seed, kept_ending
from benchwright.domain.source import About, ItemRef, Outline, Passage, Record, RecordRef, Ref, outline, passage_reading
from benchwright.errors import NotFound
from benchwright.store import documents, items, migrate, phases, records, sources
from benchwright.store.sources import Corpus


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    migrate.up(made)
    yield made
    made.close()


def record(number: int, name: str = "a.jsonl") -> Record:
    return Record(f"{name}:{number}", {"number": number})


def take(connection: sqlite3.Connection, *numbers: int, name: str = "a.jsonl") -> int:
    file = records.begin_file(connection, name)
    records.take(connection, file, [(number, record(number, name)) for number in numbers])
    return file


def test_the_corpus_is_its_documents_then_its_records_by_place(connection: sqlite3.Connection) -> None:
    for number in (0, 1):
        documents.refuse(connection, f"bad-{number}.md", "empty")
        documents.admit(connection, document(number), whole(document(number)))
    take(connection, 1, 2, 4)
    corpus = Corpus(connection)
    found = [outline(document(number), whole(document(number))) for number in (0, 1)]
    fields = [Outline(RecordRef(record(number).id), body={"number": number}) for number in (1, 2, 4)]
    assert list(corpus) == [corpus[place] for place in range(len(corpus))] == [*found, *fields]
    for place in (-1, 5):
        with pytest.raises(IndexError):
            corpus[place]


def test_lines_that_are_no_records_are_counted_with_their_reasons(connection: sqlite3.Connection) -> None:
    file = records.begin_file(connection, "a.jsonl")
    lines: list[records.Line] = [(1, record(1)), (2, "is no JSON object"), (3, replace(record(1), name="a.jsonl:3"))]
    records.take(connection, file, lines)
    assert (records.count(connection), records.count_refused(connection)) == (1, 2)
    reasons = {"a.jsonl:2": "is no JSON object", "a.jsonl:3": "the same record as a.jsonl:1"}
    assert records.refused_lines(connection, 9) == reasons
    assert list(records.refused_lines(connection, 1)) == ["a.jsonl:2"]


def test_a_record_comes_back_as_it_was_taken_in(connection: sqlite3.Connection) -> None:
    mended = replace(record(1), notes=("read as cp1252",))
    records.take(connection, records.begin_file(connection, "a.jsonl"), [(1, mended), (2, record(2))])
    assert records.get(connection, mended.id) == mended
    assert records.get(connection, record(2).id) == record(2)
    with pytest.raises(NotFound, match="no record nothing"):
        records.get(connection, "nothing")


def test_a_file_that_was_not_read_to_its_end_is_read_anew_without_a_gap(connection: sqlite3.Connection) -> None:
    records.end_file(connection, take(connection, 1, 2))
    take(connection, 3, 4, name="b.jsonl")
    assert records.ended_files(connection) == {"a.jsonl"}
    records.drop_unfinished(connection)
    take(connection, 5, 6, 7, name="b.jsonl")
    assert [found.body for found in Corpus(connection)] == [{"number": n} for n in (1, 2, 5, 6, 7)]


def test_what_an_item_is_about_has_a_name_for_people_and_content_for_agents(connection: sqlite3.Connection) -> None:
    report = document(1)
    documents.admit(connection, report, whole(report))
    take(connection, 7)
    query = Seed(0, 0, RecordRef(record(7).id))
    seq = items.add(connection, query)
    assert seq
    items.move(connection, seq, kept_ending("written", {"query": "why"}))
    view, reading = whole(report), read_out(report, whole(report))
    passage = Passage(view, 2, 3)
    known: dict[Ref, tuple[str, Any]] = {
        view: ("report-1.md", reading),
        passage: ("report-1.md", passage_reading(reading, passage)),
        RecordRef(record(7).id): ("a.jsonl:7", {"number": 7}),
        ItemRef(query.id): (f"item {query.id[:10]}", {"query": "why"}),
    }
    for about, (name, content) in known.items():
        assert sources.name_of(connection, about) == name
        assert sources.content(connection, about) == content
    assert sources.name_of(connection, tuple(known)) == " + ".join(name for name, _ in known.values())
    assert sources.content(connection, tuple(known)) == tuple(content for _, content in known.values())
    assert (sources.name_of(connection, ()), sources.content(connection, ())) == ("no source", ())


def test_an_item_is_stored_with_the_document_that_it_is_about_if_it_is_about_one(
    connection: sqlite3.Connection,
) -> None:
    everything: tuple[About, ...] = (View("d1", (0,)), RecordRef("r1"), ())
    for slot, about in enumerate(everything):
        items.add(connection, Seed(slot, 0, about))
    assert connection.execute("SELECT document FROM items ORDER BY slot").fetchall() == [("d1",), ("",), ("",)]


def test_items_come_by_phases_in_the_order_in_which_these_began(connection: sqlite3.Connection) -> None:
    for phase in ("queries", "a pool", "pairs"):
        for slot in (1, 0):
            items.add(connection, Seed(slot, 0, (), phase=phase))
    assert items.phases(connection) == ["queries", "a pool", "pairs"]
    found = [(row.seed.phase, row.seed.slot) for row in items.pages(connection)]
    assert found == [(phase, slot) for phase in ("queries", "a pool", "pairs") for slot in (0, 1)]


def test_only_the_last_try_of_a_slot_counts_as_one_that_may_be_refilled(connection: sqlite3.Connection) -> None:
    for phase in ("queries", "pairs"):
        for attempt in (0, 1):
            items.add(connection, Seed(0, attempt, (), phase=phase))
    connection.execute("UPDATE items SET state = 'discarded', cause = 'dull'")
    assert items.progress(connection, 3, 9, "pairs").discarded == ((0, 1),)
    assert items.progress(connection, 2, 9, "pairs").discarded == ()
    assert items.shortfalls(connection) == [("dull", 2)]
    assert items.shortfalls_by_phase(connection) == {"pairs": 1, "queries": 1}


def test_what_a_phase_draws_on_ends(connection: sqlite3.Connection) -> None:
    phases.begin(connection, 0, "queries", 1)
    drawn = phases.draw(connection, phases.Phase(0, "queries", 1), "pairs", 2)
    assert (drawn.drawn, drawn.without) == (0, 2)
    found = phases.Inputs(connection, 1)
    assert (len(found), list(found)) == (0, [])
    with pytest.raises(IndexError):
        found[0]


def test_what_an_item_is_about_reads_as_a_document_whatever_it_is(connection: sqlite3.Connection) -> None:
    report = document(0)
    documents.admit(connection, report, whole(report))
    take(connection, 1)
    assert sources.of_item(connection, whole(report)) == (report, read_out(report, whole(report)))
    found, reading = sources.of_item(connection, RecordRef(record(1).id))
    assert (found.id, found.name, found.sections) == ("", "a.jsonl:1", ())
    assert "1" in reading.text
    assert found.text == reading.text
