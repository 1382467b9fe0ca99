import pytest
from tests.kg.text import document

from benchwright.domain.knowledge import Entity, Record, Triple
from benchwright.kg.dictionary import Dictionary
from benchwright.kg.gather import Sources, gather
from benchwright.kg.graph import small
from benchwright.kg.select import choose

pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")
pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")

OUTBREAKS: tuple[Record, ...] = (
    Entity("w:1", "Dengue fever", "disease", ("Dengue",)),
    Entity("c:FJ", "Fiji", "country"),
    Triple("w:1", "had an outbreak in", "c:FJ", "WHO DON1", "2004"),
)
DRUGS: tuple[Record, ...] = (
    Entity("h:1", "dengue", "disease"),
    Entity("d:1", "quelmicin", "drug"),
    Triple("d:1", "treats", "h:1", "Hetionet"),
)


def test_a_document_is_looked_up_in_every_graph_and_the_record_says_with_what() -> None:
    graphs = [small("WHO", OUTBREAKS), small("Hetionet", DRUGS)]
    finder = Dictionary(named for graph in graphs for named in graph.names(("disease",)))
    found = gather(document(["Dengue was seen in Suva.", "Dengue came back to Fiji."]), Sources(finder, graphs, {}))
    assert [mention.text for mention in found.mentions] == ["Dengue", "Dengue"]
    assert {label: linked.links[0].entity.id for label, linked in found.linked.items()} == {
        "WHO": "w:1",
        "Hetionet": "h:1",
    }
    assert found.about == (
        "a dictionary of 2 names (no GLiNER model is set)",
        "graph WHO",
        "graph Hetionet",
    )
    assert [str(fact) for fact in choose(found.candidates, "Outbreak detection")] == [
        "Dengue fever | had an outbreak in | Fiji | 2004 (WHO DON1)"
    ]
    assert [fact.subject.name for fact in choose(found.candidates, "treatment and drugs")] == [
        "quelmicin",
        "Dengue fever",
    ]
