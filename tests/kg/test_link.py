from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.knowledge import Entity, Named, Triple, form
from benchwright.kg.graph import Small, small
from benchwright.kg.link import Linked, add_acronyms, bracketed_acronyms, definitions, link
from benchwright.kg.mentions import Mention
from benchwright.kg.vectors import Close

pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")

YELLOW = Entity("d:yf", "Yellow Fever", "disease", ("YF", "black vomit"))
PLAGUE = Entity("d:plague", "plague", "disease", ("black death",))
RIVER = Entity("d:river", "river blindness", "disease", ("onchocerciasis",))
TICK = Entity("d:tick", "tick fever", "disease", ("relapsing fever",))
LOUSE = Entity("d:louse", "louse fever", "disease", ("relapsing fever",))
DRUG = Entity("c:yf", "yellow fever", "drug")
RECORDS = (YELLOW, PLAGUE, RIVER, TICK, LOUSE, DRUG, Triple("d:louse", "resembles", "d:plague", "made up"))


@pytest.fixture
def graph() -> Small:
    return small("ills", RECORDS)


def mentions(text: str, *names: str, label: str = "disease") -> list[Mention]:
    found = []
    for name in names:
        start = -1
        while (start := text.find(name, start + 1)) >= 0:
            found.append(Mention(start, start + len(name), name, label, 1.0))
    return sorted(found, key=lambda mention: mention.start)


def linked(graph: Small, text: str, *names: str) -> Linked:
    return link(text, mentions(text, *names), graph)


@pytest.mark.parametrize(
    ("name", "way"), [("Yellow Fever", "name"), ("yellow fevers", "form"), ("Black vomit", "synonym")]
)
def test_a_name_is_linked_as_written_in_its_normal_form_or_as_a_synonym(graph: Small, name: str, way: str) -> None:
    (found,) = linked(graph, f"It was {name}.", name).links
    assert (found.entity, found.way, found.score) == (YELLOW, way, 1.0)


def test_only_entities_of_the_mentions_kind_are_meant(graph: Small) -> None:
    text = "We gave yellow fever."
    (found,) = link(text, mentions(text, "yellow fever", label="drug"), graph).links
    assert found.entity == DRUG


def test_all_names_of_an_entity_are_one_link(graph: Small) -> None:
    (found,) = linked(graph, "Yellow Fever, or black vomit, or YF.", "YF", "Yellow Fever", "black vomit").links
    assert [mention.text for mention in found.mentions] == ["Yellow Fever", "black vomit", "YF"]
    assert found.salience == 1.0


def test_what_no_entity_is_called_is_told_as_unknown(graph: Small) -> None:
    found = linked(graph, "quelmitis, then plague, then quelmitis", "quelmitis", "plague")
    assert [(one.text, len(one.mentions)) for one in found.unknown] == [("quelmitis", 2)]
    assert [one.entity for one in found.links] == [PLAGUE]


def test_a_name_of_two_entities_is_told_as_ambiguous_and_not_united(graph: Small) -> None:
    found = linked(graph, "It was relapsing fever.", "relapsing fever")
    assert (found.links, found.unknown) == ((), ())
    assert [(one.text, one.candidates) for one in found.ambiguous] == [("relapsing fever", (TICK, LOUSE))]


def test_of_two_entities_the_one_that_the_documents_others_belong_to_is_meant(graph: Small) -> None:
    found = linked(graph, "It was plague with relapsing fever.", "relapsing fever", "plague")
    assert {one.entity for one in found.links} == {PLAGUE, LOUSE}
    assert found.ambiguous == ()


def test_an_acronym_means_what_the_document_says(graph: Small) -> None:
    text = "We saw river blindness (RB) in the north. RB is old; so is RX."
    (found,) = linked(graph, text, "river blindness", "RB").links
    assert (found.entity, len(found.mentions)) == (RIVER, 3)


def test_a_definition_adds_a_name_and_replaces_none() -> None:
    known = small("ills", [Entity("d:c", "CCHF", "disease"), Entity("d:m", "Mpox (monkeypox)", "disease")])
    text = "Crimean-Congo haemorrhagic fever (CCHF) came. CCHF went. Mpox (monkeypox) or monkeypox."
    names = ("CCHF", "Mpox (monkeypox)", "monkeypox")
    assert [(found.entity.id, len(found.mentions)) for found in link(text, mentions(text, *names), known).links] == [
        ("d:m", 3),
        ("d:c", 2),
    ]


def test_acronyms_that_the_document_defines_are_mentions() -> None:
    text = "River blindness (RB) and tuberculosis (TB; old), or rabies (the RABV). RBs, TB, a TB-like one, RABV, XTB."
    found = add_acronyms(text, mentions(text, "River blindness", "tuberculosis", "rabies"))
    assert [one.text for one in found] == [
        *("River blindness", "RB", "tuberculosis", "TB", "rabies", "RABV", "RB", "TB", "TB", "RABV")
    ]
    assert {one.label for one in found} == {"disease"}
    assert add_acronyms("Rabies.", ()) == ()
    text = "plague (YP), plague (Pest), plague (PL)"
    assert bracketed_acronyms(text, mentions(text, "plague")) == {"PL": "plague"}


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ("MERS-CoV", "MERSCoV"),
        ("MERSCoV", "MERS-CoV"),
        ("Bolivian hemorrhagic fever", "Bolivian haemorrhagic fevers"),
        ("leprosy", "Hansen's disease"),
        ("whooping cough", "Pertussis"),
    ],
)
def test_another_spelling_or_a_vocabularys_other_name_is_linked(known: str, name: str) -> None:
    also = {form("Hansen's disease"): ("Leprosy", "Hansen's disease"), "pertussis": ("Whooping Cough", "pertussis")}
    text = f"It was {name}."
    (found,) = link(text, mentions(text, name), small("ills", [Entity("d:1", known, "disease")]), also=also).links
    assert found.entity.name == known


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("of visceral leishmaniasis (VL) and", {"VL": "visceral leishmaniasis"}),
        ("hand-foot-and-mouth disease (HFAMD)", {"HFAMD": "hand-foot-and-mouth disease"}),
        ("rabies (RABV) and nothing (NN)", {}),
        ("yellow fever (YF), yarrow field (YF)", {"YF": "yellow fever"}),
        ("VL (visceral leishmaniasis) and", {"VL": "visceral leishmaniasis"}),
        ("YF: yellow fever. VL [visceral leishmaniasis]", {"YF": "yellow fever", "VL": "visceral leishmaniasis"}),
        ("WHO (see above) and PCR: negative", {}),
        ("", {}),
    ],
)
def test_definitions_are_words_whose_first_letters_are_the_acronym(text: str, meant: dict[str, str]) -> None:
    assert definitions(text) == meant


@given(st.lists(st.sampled_from(["plague", "Yellow Fever", "quelmitis", "relapsing fever"]), min_size=1, max_size=20))
def test_saliences_are_shares_of_all_mentions_and_more_mentions_or_earlier_ones_weigh_more(names: list[str]) -> None:
    found = linked(small("ills", RECORDS), ". ".join(names), *set(names))
    known = [name for name in names if name in {"plague", "Yellow Fever"}]
    total = sum(one.salience for one in found.links)
    assert 0 <= total <= 1.0 + 1e-9
    assert (total > 0) == bool(known)
    by_name = {one.entity: one.salience for one in found.links}
    plague = [place for place, name in enumerate(names) if name == "plague"]
    yellow = [place for place, name in enumerate(names) if name == "Yellow Fever"]
    if plague and len(plague) == len(yellow) and all(a < b for a, b in zip(plague, yellow, strict=True)):
        assert by_name[PLAGUE] > by_name[YELLOW]


class Near:
    """Stands for `Nearest`: what is near to each text is given."""

    about = "a test"

    def __init__(self, **near: list[Close]) -> None:
        self.near, self.asked = near, list[str]()

    def close(self, texts: Sequence[str], cosine: float = 0.9, top: int = 5) -> list[list[Close]]:
        self.asked += texts
        return [self.near.get(text, []) for text in texts]


def test_only_names_that_nothing_bears_are_looked_up_by_vector_and_the_nearest_is_meant(graph: Small) -> None:
    close = [Close(Named("plague", PLAGUE, False), 0.97), Close(Named("tick fever", TICK, False), 0.92)]
    near = Near(pestis=close, other=[Close(Named("yellow fever", DRUG, False), 0.99)])
    text = "Yellow Fever and pestis and other"
    found = link(text, mentions(text, "Yellow Fever", "pestis", "other"), graph, near)  # type: ignore[arg-type]
    assert near.asked == ["pestis", "other"]
    assert {(one.entity, one.way, one.score) for one in found.links} == {
        (YELLOW, "name", 1.0),
        (PLAGUE, "vector", 0.97),
    }
    assert [one.text for one in found.unknown] == ["other"]


def test_entities_that_are_about_as_near_are_ambiguous(graph: Small) -> None:
    close = [Close(Named("plague", PLAGUE, False), 0.97), Close(Named("tick fever", TICK, False), 0.965)]
    text = "pestis"
    found = link(text, mentions(text, "pestis"), graph, Near(pestis=close))  # type: ignore[arg-type]
    assert [one.candidates for one in found.ambiguous] == [(PLAGUE, TICK)]
