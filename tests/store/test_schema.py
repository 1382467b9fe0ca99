"""Every statement is right and uses its index; what must never happen cannot."""

import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from threading import Barrier

import pytest

from benchwright.errors import StoreRefused
from benchwright.store import counts, documents, graphs, migrate
from benchwright.store.queries import load, nouns


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    made = sqlite3.connect(":memory:", isolation_level=None)
    migrate.up(made)
    for what in ("lay", "index"):  # a graph is a file of its own; here it lies beside
        graphs.lay(made, what)
    yield made
    made.close()


STATEMENTS = [(noun, name) for noun in nouns() for name in load(noun)]


def plan(connection: sqlite3.Connection, noun: str, name: str) -> str:
    sql = load(noun)[name]
    names = dict.fromkeys(re.findall(r":(\w+)", sql))
    values = names or (None,) * sql.count("?")
    return "\n".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values))


@pytest.mark.parametrize(("noun", "name"), STATEMENTS)
def test_every_statement_fits_the_schema(connection: sqlite3.Connection, noun: str, name: str) -> None:
    plan(connection, noun, name)


SCANS = {
    ("digests", "document"),  # once for an export
    ("digests", "item"),
    ("digests", "answer"),
    ("campaigns", "changes"),
    ("documents", "forget"),
    ("documents", "listed"),
    ("documents", "set_places"),  # once, before the first item
    ("documents", "sizes"),  # the same
    ("graphs", "count"),
    ("graphs", "every"),
    ("graphs", "lay_down"),
    ("graphs", "noted"),
    ("graphs", "relations"),  # what it scans is its own few rows
    ("graphs", "spoken"),  # and this one what it is given
    ("calls", "proven"),  # up to the first answer that a model gave, and only where a run has nothing else to do
    ("calls", "shares"),
    ("doors", "forget"),  # there are as many as browsers
    ("doors", "people"),
    ("calls", "of_item"),  # what it scans are the calls of the item
    ("calls", "spending"),
    ("items", "every_seq"),
    ("items", "phases"),  # what it scans is its own few rows
    ("items", "latest"),
    ("items", "shortfalls"),
    ("items", "slots"),
    ("failures", "every_withdrawn"),  # where somebody wants all of it back
    ("failures", "pending"),  # where somebody wants all of it listed
    ("jobs", "by_slot"),
    ("jobs", "next_wake"),
    ("records", "drop_files"),  # what it scans are files of records, which are few
    ("records", "drop_records"),
    ("records", "drop_refused"),
    ("phases", "draw"),  # what it scans it has numbered itself
    ("phases", "every"),
    ("records", "count_refused"),
    ("records", "ended_files"),
    ("records", "refused"),  # the first of them
    ("reviews", "laid"),
    ("reviews", "times"),
}


@pytest.mark.parametrize(("noun", "name"), sorted(set(STATEMENTS) - SCANS))
def test_no_statement_of_the_daily_path_reads_a_whole_table(
    connection: sqlite3.Connection, noun: str, name: str
) -> None:
    lines = plan(connection, noun, name).splitlines()
    whole = [line for line in lines if line.startswith("SCAN") and "INDEX" not in line and "CONSTANT" not in line]
    assert whole == []


def test_claiming_uses_the_index_of_ready_tickets(connection: sqlite3.Connection) -> None:
    found = plan(connection, "jobs", "oldest")
    assert "jobs_ready (queue=? AND item>?)" in found
    assert "TEMP B-TREE" not in found


@pytest.mark.parametrize("name", ["answers", "count_later"])
def test_the_answers_of_an_item_are_found_by_it_and_never_sorted(connection: sqlite3.Connection, name: str) -> None:
    found = plan(connection, "items", name)
    assert "autoindex_answers_1 (item=?)" in found
    assert "TEMP B-TREE" not in found


def test_the_tickets_of_an_item_are_found_by_it_and_never_sorted(connection: sqlite3.Connection) -> None:
    found = plan(connection, "jobs", "of_item")
    assert "autoindex_jobs_1 (item=?)" in found
    assert "TEMP B-TREE" not in found


def test_files_with_notes_are_found_by_their_partial_index(connection: sqlite3.Connection) -> None:
    assert "documents_noted" in plan(connection, "documents", "noted")
    assert "documents_noted" in plan(connection, "documents", "count_noted")


def test_the_calls_of_an_item_are_found_by_keys(connection: sqlite3.Connection) -> None:
    found = plan(connection, "calls", "of_item")
    assert "calls_repairing (origin=?)" in found
    assert "SCAN calls" not in found
    assert "SCAN answers" not in found


def test_waking_uses_the_index_of_delayed_tickets(connection: sqlite3.Connection) -> None:
    assert "jobs_delayed (ready_at<?)" in plan(connection, "jobs", "wake")


def test_a_status_reads_indexes_instead_of_calls_and_items(connection: sqlite3.Connection) -> None:
    assert "calls_intended" in plan(connection, "calls", "uncertain")
    assert "COVERING INDEX items_ended" in plan(connection, "items", "causes")


def test_a_status_counts_unfinished_tickets_by_their_partial_indexes(connection: sqlite3.Connection) -> None:
    found = plan(connection, "jobs", "unfinished")
    assert all(index in found for index in ("jobs_ready", "jobs_running", "jobs_delayed", "jobs_failed"))


@pytest.mark.parametrize("name", ["facts", "latest", "between"])
def test_facts_of_a_graph_lie_in_the_order_in_which_they_are_told(connection: sqlite3.Connection, name: str) -> None:
    found = plan(connection, "graphs", name)
    assert "SEARCH sides USING PRIMARY KEY (entity=?" in found
    assert "TEMP B-TREE" not in found


def test_names_in_a_text_and_the_relations_of_an_entity_are_found_by_their_keys(
    connection: sqlite3.Connection,
) -> None:
    assert "SEARCH names USING PRIMARY KEY (form=?)" in plan(connection, "graphs", "spoken")
    assert "SCAN sides" not in plan(connection, "graphs", "relations")


def test_rescue_and_lost_tickets_use_partial_indexes(connection: sqlite3.Connection) -> None:
    assert "jobs_running" in plan(connection, "jobs", "rescue")
    assert "items_unfinished" in plan(connection, "items", "orphans")


APPLIED = {
    "0015_asked.sql": "ca7b22db30494429d44a4af5a522d3c8be72371e2a58912127c69da627b2047b",
    "0016_owner.sql": "7952b4b39d42f5543769b0fecae4705def82d4c609fb4958ee832ede9e12d794",
    "0011_sources.sql": "6889ed43a9ef7a6da9e6e4c1c10301e50179caa03a53189c9c39ab914c42297f",
    "0010_masked.sql": "a2c9336d74d3de76c2d548761aef2928730599e705a5addcc569091dbec68a22",
    "0009_searches.sql": "005f5535ec1a6248c488cc5c04a0d420e412f003f3bf49f23c2caaa68055a482",
    "0008_reviews.sql": "0beb7861314bfe59ef5990ee9258a71d3b9ef91f81f09b83548734bacfec56a5",
    "0007_who_changed.sql": "7f7e4aa0c487082ddd0bdc5e15f655f260d1f91a48a0a504cc0a9264a006afe6",
    "0003_batches.sql": "26da4dfdb45d9cc9975b18bbba9a563fd9af6da315617b0cabd765f72954ac68",
    "0006_lost.sql": "8ba9c0c3201095d11ea09079108a88183c324664500e2c6801b17533abb94c47",
    "0004_deaths.sql": "a57956260119b6d55166fb90184eaac172f41cdb69b2a477a9f04b70f5281e4c",
    "0005_cheaper_status.sql": "e86654786ccb3b66b9528ce2fddd356fc463cd3a505d4f04bc40bd931fe3e059",
    "0013_suspects.sql": "d044207dd0f36491f5137d2bc4783129c700562d24849f9eab236a6931e469d3",
    "0014_desk.sql": "1c8050dba5ef9782f4dcf725ae83ade149c2bf9fecf4402551583380b4ccfe6b",
    "0012_content.sql": "15ceb129e5d61764144db1ea3dba89b088163dec9d6bc68a9bc96ffbd61e963b",
    "0001_first.sql": "fcf202b151fa2e9ca13acf51d4d1415427a1de6cd21115dc685f3c5e844e42a0",
    "0017_withdrawn.sql": "0729d50afea998db1da1d87c19a33aeb8fc9d8e9383f3ec45bee24de32c08aa3",
    "0018_digests.sql": "1c3ed2c005047a809781ec4efc0432904f868b182871e9542be199d53d195d9f",
    "0019_sent.sql": "ae218d670810ddc37b4447652c24a7edc58b0e3982048365c2d34cfe00fede62",
    "0002_thinking.sql": "16141dfd79ab4470965137b0fc45dee0f2ae35417c1f7ac655c5afec479490f6",
}


def test_applied_migrations_are_never_edited() -> None:
    """A changed hash here means that a migration was edited which databases out there may have applied."""
    entries = files("benchwright.store").joinpath("migrations").iterdir()
    assert {entry.name: sha256(entry.read_bytes()).hexdigest() for entry in entries} == APPLIED


def test_a_database_of_the_first_version_keeps_what_it_knew() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(migrate.scripts()[0][1] + "PRAGMA user_version = 1;")
    connection.execute("""INSERT INTO documents (name, id, body) VALUES ('a.md', 'd', '{"notes": ["NUL removed"]}')""")
    connection.execute("INSERT INTO documents (name, reason) VALUES ('b.md', 'empty')")
    connection.execute(
        "INSERT INTO calls (id, step, model, request, state, at) VALUES ('c', 's', 'm', '', 'failed', '')"
    )
    migrate.up(connection)
    assert documents.list_files(connection) == (
        documents.Listed("a.md", "d", None, ("NUL removed",)),
        documents.Listed("b.md", None, "empty"),
    )
    assert connection.execute("SELECT thinking FROM calls").fetchall() == [(0,)]


ITEM = "INSERT INTO items (id, slot, attempt, document, seed, state) VALUES ('a', 0, 0, 'd', '{}', 'open')"
IMPOSSIBLE = {
    "a running job without a lease": "INSERT INTO jobs (item, key, queue, state) VALUES (1, 'k', 'q', 'running')",
    "a waiting job with a lease": "INSERT INTO jobs (item, key, queue, state, lease) VALUES (1, 'k', 'q', 'ready', 1)",
    "a delayed job without a date": "INSERT INTO jobs (item, key, queue, state) VALUES (1, 'k', 'q', 'delayed')",
    "an unknown state": "INSERT INTO jobs (item, key, queue, state) VALUES (1, 'k', 'q', 'maybe')",
    "a job of no item": "INSERT INTO jobs (item, key, queue, state) VALUES (99, 'k', 'q', 'ready')",
    "a kept item without its final form": "UPDATE items SET state = 'kept'",
    "two items of one try": ITEM.replace("'a'", "'b'"),
    "a done call without a reply": "INSERT INTO calls (id, step, model, request, state, at) VALUES (1,1,1,1,'done',1)",
    "a refused document with a body": "INSERT INTO documents (name, id, reason, body) VALUES ('n', 'i', 'r', '{}')",
    "a changed answer": "UPDATE answers SET body = '{}'",
    "a removed answer": "DELETE FROM answers",
}


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_the_schema_makes_it_impossible(connection: sqlite3.Connection, what: str) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute(ITEM)
    connection.execute("INSERT INTO answers (item, step, about, who, body, at) VALUES (1, 's', '', 'm#1', '{}', 'now')")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute(IMPOSSIBLE[what])


def before_sources() -> sqlite3.Connection:
    """A database of the version before items could be about anything, with two tries of a slot and their answers."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for number, script in migrate.scripts()[:10]:
        connection.executescript(f"{script}; PRAGMA user_version = {number};")
    connection.execute("INSERT INTO documents (name, id, body) VALUES ('a.md', 'a', '{}'), ('c.md', 'c', '{}')")
    connection.execute("INSERT INTO documents (position, name, reason) VALUES (0, 'b.md', 'empty')")
    for name, slot, attempt in (("a", 0, 0), ("b", 0, 1), ("c", 1, 0)):
        item = "INSERT INTO items (id, slot, attempt, document, seed, state) VALUES (?, ?, ?, 'd', '{}', 'discarded')"
        connection.execute(item, (name, slot, attempt))
    connection.execute("INSERT INTO answers (item, step, about, who, body, at) VALUES (2, 's', '', 'm#1', '{}', 'now')")
    connection.execute("INSERT INTO jobs (item, key, queue, state) VALUES (3, 'k', 'q', 'ready')")
    return connection


def test_items_of_before_there_were_phases_keep_their_answers_tickets_and_counts() -> None:
    connection = before_sources()
    connection.execute("PRAGMA foreign_keys = ON")
    migrate.up(connection)
    assert connection.execute("SELECT seq, id, phase, slot, attempt, last FROM items").fetchall() == [
        (1, "a", "", 0, 0, 0),
        (2, "b", "", 0, 1, 1),
        (3, "c", "", 1, 0, 1),
    ]
    assert connection.execute("SELECT item FROM answers UNION ALL SELECT item FROM jobs").fetchall() == [(2,), (3,)]
    assert counts.of(connection, "item") == {"": {"discarded": 3}}
    found = connection.execute("SELECT name, place FROM documents ORDER BY name").fetchall()
    assert found == [("a.md", 0), ("b.md", None), ("c.md", 1)]
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("INSERT INTO jobs (item, key, queue, state) VALUES (99, 'k', 'q', 'ready')")


def test_a_database_in_which_a_reference_leads_nowhere_is_refused_and_left_as_it_was() -> None:
    connection = before_sources()
    connection.execute("DELETE FROM items WHERE seq = 3")
    with pytest.raises(StoreRefused, match="1 rows refer to rows that do not exist, first in jobs"):
        migrate.up(connection)
    assert connection.execute("PRAGMA user_version").fetchone() == (10,)
    assert connection.execute("SELECT count(*) FROM pragma_table_info('items') WHERE name = 'phase'").fetchone() == (0,)


def test_a_table_that_is_built_anew_is_referred_to_under_its_own_name(connection: sqlite3.Connection) -> None:
    found = connection.execute("SELECT count(*) FROM sqlite_master WHERE sql LIKE '%items_new%'").fetchone()
    assert found == (0,)


def test_processes_that_open_an_old_database_at_the_same_time_apply_each_migration_once(tmp_path: Path) -> None:
    file, many = tmp_path / "old.db", 4
    old = sqlite3.connect(file, isolation_level=None)
    for number, script in migrate.scripts()[:10]:
        old.executescript(f"{script}; PRAGMA user_version = {number};")
    ready = Barrier(many)

    def open_it(_: int) -> int:
        with closing(sqlite3.connect(file, isolation_level=None)) as connection:
            ready.wait()
            migrate.up(connection)
            version: int = connection.execute("PRAGMA user_version").fetchone()[0]
            return version

    with ThreadPoolExecutor(many) as threads:
        assert set(threads.map(open_it, range(many))) == {migrate.scripts()[-1][0]}
    old.close()


def test_a_migration_that_another_process_has_applied_meanwhile_is_not_applied_again(
    connection: sqlite3.Connection,
) -> None:
    last, script = migrate.scripts()[-1]
    migrate.apply(connection, last, script)
    assert not connection.in_transaction
