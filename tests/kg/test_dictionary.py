import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.kg.text import document

from benchwright.domain.knowledge import Entity, Named
from benchwright.kg.dictionary import Dictionary
from benchwright.kg.mentions import find

pytest.importorskip("ahocorasick", reason="the dictionary of names needs the extra 'kg'")

KNOWN = (
    "Dengue",
    "dengue haemorrhagic fever",
    "AIDS",
    "St. Louis encephalitis",
    "COVID-19",
    "infection",
    "19",
    "ab",
    "Mpox (monkeypox)",
    "MERS-CoV",
)


def dictionary(*names: str, kind: str = "disease") -> Dictionary:
    return Dictionary(Named(name, Entity(name, name, kind), False) for name in names)


def found(text: str, *labels: str) -> list[str]:
    hits = dictionary(*KNOWN).find([text], labels or ("disease",), 0.9)[0]
    return [text[hit.start : hit.end] for hit in hits]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("DENGUE and dengues, but no dengueish thing.", ["DENGUE", "dengues"]),
        ("Dengue haemorrhagic fevers (severe).", ["Dengue", "Dengue haemorrhagic fevers"]),
        ("It aids those with AIDS.", ["AIDS"]),
        ("St. Louis encephalitis, and covid 19.", ["St. Louis encephalitis", "covid 19"]),
        ("Mpox (monkeypox) came.", ["Mpox", "monkeypox"]),
        ("MERS-CoV, MERSCoV and MERS CoV.", ["MERS-CoV", "MERSCoV", "MERS CoV"]),
        ("Dengue hemorrhagic fever.", ["Dengue", "Dengue hemorrhagic fever"]),
        ("They had Covid\u201119 on the 19th.", ["Covid\u201119"]),
        ("In the case of dengue. Haemorrhagic fever came later.", ["dengue"]),
        ("An infection of 19 in ab.", []),
        ("Ünïcödé — dengue\u2026", ["dengue"]),
        ("", []),
    ],
)
def test_names_are_found_whatever_their_case_number_and_hyphens(text: str, names: list[str]) -> None:
    assert found(text) == names


def test_of_two_names_in_the_same_place_the_longer_is_the_mention() -> None:
    made = document(["One dengue haemorrhagic fever."])
    assert [mention.text for mention in find(made, dictionary(*KNOWN))] == ["dengue haemorrhagic fever"]


def test_only_kinds_that_are_asked_for_are_found() -> None:
    assert found("dengue", "drug") == []
    both = Dictionary(Named("lead", Entity(kind, "lead", kind), False) for kind in ("drug", "disease", "gene"))
    assert [hit.label for hit in both.find(["lead"], ["disease", "drug"], 1.0)[0]] == ["disease", "drug"]


def test_a_threshold_that_nothing_can_reach_finds_nothing() -> None:
    assert dictionary("dengue").find(["dengue"], ["disease"], 1.1) == [[]]


def test_a_dictionary_without_names_finds_nothing_and_says_how_many_it_has() -> None:
    assert dictionary("infection").find(["dengue", ""], ["disease"], 0.5) == [[], []]
    assert dictionary("infection").about == "a dictionary of 0 names (no GLiNER model is set)"
    assert dictionary("dengue", "Dengue").about.startswith("a dictionary of 1 names")


@given(st.text(max_size=80), st.text(max_size=80))
def test_a_name_between_any_texts_is_found_with_its_own_offsets(before: str, after: str) -> None:
    text = f"{before}\nquelmitis\n{after}"
    hits = dictionary("Quelmitis").find([text], ["disease"], 0.5)[0]
    assert (len(before) + 1, len(before) + 10) in [(hit.start, hit.end) for hit in hits]
    assert all(text[hit.start : hit.end].casefold() == "quelmitis" for hit in hits)
