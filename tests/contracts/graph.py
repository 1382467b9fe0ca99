"""What every kept graph must do, whether in memory or in a file."""

from collections.abc import Callable, Iterable

import pytest

from benchwright.domain.knowledge import Entity, Fact, Record, Triple, form
from benchwright.errors import UsageError
from benchwright.kg.graph import Graph

Make = Callable[[str, Iterable[Record]], Graph]

RABIES = Entity("d:1", "Rabies", "disease", ("Hydrophobia", "Lyssa"))
OTHER = Entity("d:2", "Lyssa", "disease")
VACCINE = Entity("c:1", "rabies vaccines", "drug")
DOG = Entity("a:1", "dog", "host")
TRIPLES = (
    Triple("c:1", "prevents", "d:1", "one.csv"),
    Triple("d:1", "is carried by", "a:1", "two.csv", "since 2004"),
    Triple("c:1", "prevents", "d:1", "two.csv"),
)
SEEN = ((0, "a", ""), (1, "a", "2004"), (3, "b", "2011"), (2, "a", ""), (3, "a", "2011"))
RECORDS: tuple[Record, ...] = (
    Entity("d:1", "Rabies", "disease", ("Hydrophobia",)),
    OTHER,
    VACCINE,
    *TRIPLES[:1],
    DOG,
    Entity("d:1", "Lyssa", "disease"),
    OTHER,
    *TRIPLES,
    Triple("a:1", "bites", "a:1", "two.csv"),
)


def graph_contract(make: Make) -> None:
    """Run every check against graphs made from records."""
    graph = make("pets", RECORDS)
    assert graph.label == "pets"
    facts_are_told_from_both_ends(graph)
    the_latest_of_each_relation_come_first(make)
    names_are_found_in_their_normal_form(graph)
    all_who_bear_one_of_several_names_are_found(graph)
    names_can_be_listed_by_kind(graph)
    an_unknown_end_is_refused(make)


def facts_are_told_from_both_ends(graph: Graph) -> None:
    prevents = [Fact(VACCINE, "prevents", RABIES, source) for source in ("one.csv", "two.csv")]
    carried = Fact(RABIES, "is carried by", DOG, "two.csv", "since 2004")
    assert graph.facts("d:1") == (*prevents, carried)
    assert graph.facts("c:1") == tuple(prevents)
    assert graph.facts("a:1") == (carried, Fact(DOG, "bites", DOG, "two.csv"))
    assert graph.facts("d:2") == graph.facts("nobody") == ()


def the_latest_of_each_relation_come_first(make: Make) -> None:
    """Whether all facts are asked for, some of each relation, or those with some other ends."""
    cities = [Entity(f"p:{n}", f"city {n}", "place") for n in range(4)]
    seen = [Triple("d:1", "was seen in", f"p:{n}", source, when) for n, source, when in SEEN]
    graph = make("news", [RABIES, OTHER, *cities, *seen, Triple("d:2", "resembles", "d:1", "a"), *seen])
    told = [f"{fact.details} {fact.other('d:1').name} {fact.source}" for fact in graph.facts("d:1")]
    assert told == ["2011 city 3 a", "2011 city 3 b", "2004 city 1 a", " city 0 a", " city 2 a", " Lyssa a"]
    assert [fact.details for fact in graph.facts("d:1", 2)] == ["2011", "2011", ""]
    assert [fact.other("d:1").id for fact in graph.facts("d:1", 1, ["p:3", "p:2", "p:9"])] == [
        *("p:3", "d:2"),  # one of each relation
        *("p:3", "p:2"),  # and those that are left with one of these
    ]
    assert graph.facts("d:1", 0) == ()
    assert graph.facts("d:1", 9) == graph.facts("d:1")


def all_who_bear_one_of_several_names_are_found(graph: Graph) -> None:
    found = graph.find_by_forms({"lyssa", form("Rabies vaccine"), "cat"})
    assert sorted((one.entity.id, one.name) for one in found) == [
        ("c:1", "rabies vaccines"),
        ("d:1", "Lyssa"),
        ("d:2", "Lyssa"),
    ]
    assert graph.find_by_forms(()) == ()


def names_are_found_in_their_normal_form(graph: Graph) -> None:
    assert [found.entity for found in graph.find_by_name(form("Rabies Vaccine"))] == [VACCINE]
    assert [(found.entity, found.synonym) for found in graph.find_by_name("lyssa")] == [(OTHER, False), (RABIES, True)]
    assert graph.find_by_name("Rabies Vaccine") == graph.find_by_name("cat") == ()


def names_can_be_listed_by_kind(graph: Graph) -> None:
    assert sorted(found.name for found in graph.names({"disease"})) == ["Hydrophobia", "Lyssa", "Lyssa", "Rabies"]
    assert {found.entity for found in graph.names(["drug", "host"])} == {VACCINE, DOG}
    assert list(graph.names(())) == []


def an_unknown_end_is_refused(make: Make) -> None:
    for triple in (Triple("d:1", "is", "d:9", "x"), Triple("d:9", "is", "d:1", "x")):
        with pytest.raises(UsageError, match=r"pets: the triple d:. is d:. names d:9, of which no file"):
            make("pets", (RABIES, triple))
