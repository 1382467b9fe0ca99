import os
from pathlib import Path

import pytest
from tests.conftest import shared_data

from benchwright.errors import UsageError
from benchwright.kg.graph import small
from benchwright.kg.sources import FORMS, VOCABULARIES, read, stamp
from benchwright.store.graphs import GraphFile, build, read_stamp

ROWS = "subject,relation,object\nrabies,presents,fever\n"


def test_a_graph_is_read_once_and_again_only_when_its_source_has_changed(tmp_path: Path) -> None:
    source, kept = tmp_path / "own.csv", tmp_path / "own.graph"
    source.write_text(ROWS, "utf-8")
    build(kept, "own", read("triples", source), stamp("triples", source))
    assert read_stamp(kept) == stamp("triples", source)
    os.utime(source, ns=(1, 1))
    assert read_stamp(kept) != stamp("triples", source)


def test_a_folder_is_another_when_one_of_its_files_is(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    before = stamp("ibkh", tmp_path)
    (tmp_path / "deep" / "D_Di_res.csv").write_text(ROWS, "utf-8")
    assert len({before, stamp("ibkh", tmp_path), stamp("hetionet", tmp_path)}) == 3


def test_the_tables_of_hetionet_are_found_in_their_folder_and_both_ways_of_keeping_tell_the_same(
    tmp_path: Path,
) -> None:
    pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")
    folder = shared_data("real/hetionet")
    build(tmp_path / "h.graph", "Hetionet", read("hetionet", folder))
    memory = small("Hetionet", read("hetionet", folder))
    with GraphFile(tmp_path / "h.graph") as file:
        for disease in ("Disease::DOID:10763", "Disease::DOID:1909", "Disease::DOID:1459"):
            assert file.facts(disease) == memory.facts(disease) != ()


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("graphml", "cannot have the form 'graphml': choose one of ekg, hetionet, ibkh, outbreaks, triples"),
        ("hetionet", "needs one table of nodes"),
    ],
)
def test_what_cannot_be_read_is_told(form: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=message):
        read(form, tmp_path)


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_source_is_told_before_anything_is_built(form: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file or folder"):
        read(form, tmp_path / "none")


def test_the_vocabularies_are_those_of_diseases_and_drugs() -> None:
    assert VOCABULARIES == ("disease", "drug")
