import pytest
from tests.contracts.graph import graph_contract

from benchwright.domain.extra import library
from benchwright.errors import ConfigError
from benchwright.kg.graph import small

pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")


def test_a_graph_in_memory_does_what_every_graph_does() -> None:
    graph_contract(small)


def test_a_missing_library_is_told_with_the_extra_that_brings_it() -> None:
    with pytest.raises(ConfigError, match=r"reading needs the extra 'kg': pip install 'benchwright\[kg\]' \(no_such"):
        library("no_such_library", "reading", "kg")
