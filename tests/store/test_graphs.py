import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from tests.contracts.graph import RECORDS, graph_contract

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.errors import StoreFailed, StoreRefused, UsageError
from benchwright.store import graphs
from benchwright.store.graphs import GraphFile, build, read_stamp


def test_a_graph_in_a_file_does_what_every_graph_does(tmp_path: Path) -> None:
    made: list[GraphFile] = []

    def make(label: str, records: Iterable[Record]) -> GraphFile:
        build(tmp_path / "deep" / "pets.graph", label, records)
        made.append(GraphFile(tmp_path / "deep" / "pets.graph"))
        return made[-1]

    graph_contract(make)
    for graph in made:
        graph.close()


def test_a_file_says_what_is_in_it_and_what_it_was_made_of(tmp_path: Path) -> None:
    path = tmp_path / "pets.graph"
    assert read_stamp(path) is None
    build(path, "pets", RECORDS, "release 7")
    assert read_stamp(path) == "release 7"
    with GraphFile(path) as graph:
        assert graph.about == {"entities": "4", "format": "3", "label": "pets", "stamp": "release 7", "triples": "4"}


def test_a_file_of_another_format_has_no_stamp_and_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "pets.graph"
    build(path, "pets", RECORDS, "release 7")
    connection = sqlite3.connect(path)
    connection.execute("UPDATE about SET value = '0' WHERE key = 'format'")
    connection.commit()
    connection.close()
    assert read_stamp(path) is None
    build(path, "pets", RECORDS, "release 7")
    assert read_stamp(path) == "release 7"


def test_more_edges_than_are_written_at_once_are_all_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graphs, "BATCH", 7)
    ends = [Entity(f"e:{n}", f"entity {n}", "thing") for n in range(50)]
    links = [Triple("e:0", "leads to", f"e:{n}", "made up") for n in range(1, 50)]
    build(tmp_path / "star.graph", "star", [*ends, *links])
    with GraphFile(tmp_path / "star.graph") as graph:
        assert [fact.object.id for fact in graph.facts("e:0")] == [link.object for link in links]
        assert [fact.subject.id for fact in graph.facts("e:49")] == ["e:0"]


def test_a_broken_source_leaves_the_graph_before_as_it_was(tmp_path: Path) -> None:
    def broken() -> Iterator[Record]:
        yield Entity("d:1", "Rabies", "disease")
        raise UsageError("line 2 is broken")

    path = tmp_path / "pets.graph"
    build(path, "pets", RECORDS)
    with pytest.raises(UsageError, match="line 2"):
        build(path, "pets", broken())
    with GraphFile(path) as graph:
        assert len(graph.facts("d:1")) == 3
    build(path, "pets", [])
    with GraphFile(path) as graph:
        assert graph.facts("d:1") == ()


@pytest.mark.parametrize("content", [b"no database at all, but longer than a header of sixteen bytes", b""])
def test_what_is_no_graph_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "strange.graph"
    path.write_bytes(content)
    with pytest.raises(StoreRefused, match=r"strange.graph is no graph"):
        GraphFile(path)


def test_nothing_is_left_of_a_graph_that_nobody_waits_for_any_more(tmp_path: Path) -> None:
    things = [Entity(f"d:{number}", f"thing {number}", "disease") for number in range(20_000)]
    with pytest.raises(StoreFailed, match="interrupted"):
        build(tmp_path / "pets.graph", "pets", things, left=lambda: True)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_the_place_of_a_graph_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "pets.graph").mkdir()
    with pytest.raises(StoreRefused, match=r"pets.graph cannot be opened .*: remove it, and it is made again"):
        GraphFile(tmp_path / "pets.graph")


def test_a_graph_that_cannot_be_written_says_where_and_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    with pytest.raises(StoreFailed, match=r"the graph pets cannot be written to .*pets\.graph: .*exists"):
        build(tmp_path / "file" / "pets.graph", "pets", RECORDS)
    nameless: Entity = Entity("d:1", None, "disease")  # type: ignore[arg-type] # what the database itself refuses
    with pytest.raises(StoreFailed, match="NOT NULL"):
        build(tmp_path / "pets.graph", "pets", [nameless])
    assert [file.name for file in tmp_path.iterdir()] == ["file"]
