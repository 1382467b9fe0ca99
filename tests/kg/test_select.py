from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.domain.knowledge import Entity, Fact, Record, Triple
from benchwright.kg.graph import Small, small
from benchwright.kg.link import Link
from benchwright.kg.mentions import Mention
from benchwright.kg.select import Candidate, candidates, choose, strange, words

pytest.importorskip("networkx", reason="a graph in memory needs the extra 'kg'")

DENGUE = Entity("d:dengue", "dengue", "disease")
ASTHMA = Entity("d:asthma", "asthma", "disease")
FIJI, PERU = Entity("c:FJ", "Fiji", "country"), Entity("c:PE", "Peru", "country")
FEVER = Entity("s:1", "Fever", "symptom")
GENES = tuple(Entity(f"g:{n}", f"GENE{n}", "gene") for n in range(600))
DRUG = Entity("c:1", "quelmicin", "drug")
RECORDS: tuple[Record, ...] = (
    *(DENGUE, ASTHMA, FIJI, PERU, FEVER, DRUG, *GENES),
    *(Triple("d:dengue", "is associated with", gene.id, "made up") for gene in GENES),
    Triple("d:dengue", "had an outbreak in", "c:FJ", "WHO", "2004"),
    Triple("d:dengue", "had an outbreak in", "c:PE", "WHO", "1999"),
    Triple("d:dengue", "had an outbreak in", "c:PE", "WHO", "2011"),
    Triple("d:dengue", "presents", "s:1", "made up"),
    Triple("c:1", "treats", "d:dengue", "made up"),
    Triple("d:dengue", "resembles", "d:asthma", "made up"),
)
OUTBREAKS = "Outbreak detection: alarm limits that flag unusual counts."
TREATMENT = "Control: what treatment was given, to whom."
MODELS = "Transmission modelling: models that estimate the number of new infections."
GRAPH = small("ills", RECORDS)


def found(text: str = "Dengue in Fiji.", salience: float = 0.8, most: int = 400) -> tuple[Candidate, ...]:
    links = [Link(DENGUE, (), "name", 1.0, salience), Link(ASTHMA, (), "name", 1.0, 0.01)]
    return candidates(text, links, GRAPH, most)


def test_facts_on_the_topic_come_first_those_with_what_the_article_names_before_others_then_the_latest() -> None:
    told = [(fact.object.name, fact.details) for fact in choose(found(), OUTBREAKS)]
    assert told[:3] == [("Fiji", "2004"), ("Peru", "2011"), ("Peru", "1999")]
    assert ("Fever", "") not in told


def test_treatments_are_kept_and_come_where_the_topic_wants_them() -> None:
    assert "treats" in {one.fact.relation for one in found(most=4)}
    assert choose(found(), TREATMENT)[0].subject == DRUG


def test_a_topic_to_which_nothing_belongs_gets_only_what_the_article_itself_names_on_both_ends() -> None:
    assert {fact.other("d:dengue").name for fact in choose(found("Dengue and fevers."), MODELS)} == {"Fever", "asthma"}


def test_what_the_document_mentions_in_passing_gives_nothing() -> None:
    assert found(salience=0.04) == ()
    assert choose((), OUTBREAKS) == ()


def test_what_a_long_text_names_once_or_twice_gives_nothing_whatever_its_share() -> None:
    def given(times: int, text: str) -> bool:
        mentions = tuple(Mention(n, n + 6, "dengue", "disease", 1.0) for n in range(times))
        return bool(candidates(text, [Link(DENGUE, mentions, "name", 1.0, 0.5)], GRAPH))

    assert given(1, "Dengue in Fiji.")
    assert not given(1, "Dengue in Fiji. " * 200)
    assert not given(2, "Dengue in Fiji. " * 400)
    assert given(3, "Dengue in Fiji. " * 4000)


def test_an_article_about_something_else_gets_nothing() -> None:
    assert choose(candidates("Malaria.", [], GRAPH), OUTBREAKS) == ()


def test_candidates_are_capped_but_treatments_are_not_crowded_out() -> None:
    capped = found(most=20)
    assert len(capped) == 20
    assert DRUG in {one.fact.subject for one in capped}


def test_no_relation_fills_the_list() -> None:
    genes = choose(found(), "Genetic host susceptibility", most=24, each=5)
    assert sum(fact.object.kind == "gene" for fact in genes) == 5
    assert len(choose(found(), OUTBREAKS, most=2)) == 2


@given(st.permutations(list(found()[:40])), st.sampled_from([OUTBREAKS, TREATMENT, MODELS]))
def test_the_choice_does_not_depend_on_the_order_of_what_was_found(order: list[Candidate], topic: str) -> None:
    assert choose(order, topic) == choose(found()[:40], topic)


def test_a_fact_between_two_of_the_documents_entities_is_told_once_by_the_more_salient() -> None:
    links = [Link(ASTHMA, (), "name", 1.0, 0.1), Link(DENGUE, (), "name", 1.0, 0.9)]
    for order in (links, links[::-1]):
        both = [one for one in candidates("", order, GRAPH) if one.fact.relation == "resembles"]
        assert [(one.about, one.named) for one in both] == [("d:dengue", True)]


def test_words_that_carry_no_meaning_are_no_match() -> None:
    assert words("The outbreaks of 2004, and who had it") == {"outbreak"}
    assert isinstance(found()[0].fact, Fact)


def test_what_the_text_names_by_any_name_is_named_even_beyond_the_latest_of_its_relation() -> None:
    far = Entity("g:far", "zymin receptor 2", "gene", ("ZRTWO", "WAS"))
    crowd = tuple(Triple("d:dengue", "is associated with", gene.id, "made up") for gene in GENES)
    graph = small("ills", [DENGUE, *GENES, far, *crowd, Triple("d:dengue", "is associated with", "g:far", "made up")])
    links = [Link(DENGUE, (), "name", 1.0, 0.8)]

    def named(text: str) -> set[str]:
        return {one.fact.object.id for one in candidates(text, links, graph) if one.named}

    assert named("The zymin receptors 2 were seen, and Gene7.") == {"g:far"}  # GENE7 is no acronym of a plain word
    assert named("So ZRTWO was seen with GENE7.") == {"g:far", "g:7"}
    assert named("It was rest.") == named("The zymin. Receptor 2.") == set()
    assert named("Two ZRTWOs were seen.") == {"g:far"}


class Whole:
    """A graph that tells every fact whatever it is asked for."""

    def __init__(self, inner: Small) -> None:
        self.inner, self.label, self.find_by_name = inner, inner.label, inner.find_by_name
        self.find_by_forms, self.names = inner.find_by_forms, inner.names

    def facts(self, entity: str, each: int | None = None, ends: Collection[str] = ()) -> tuple[Fact, ...]:
        return self.inner.facts(entity)


@given(st.dictionaries(st.integers(1900, 2030), st.tuples(st.sampled_from("ab"), st.integers(0, 30)), max_size=130))
def test_a_graph_is_asked_for_no_more_than_is_needed_and_the_candidates_are_those_of_all_facts(
    told: dict[int, tuple[str, int]],
) -> None:
    """The facts have different dates, so that nothing hangs on the order of names."""
    places = [Entity(f"p:{n}", f"Place{n}", "country") for n in range(31)]
    facts = [Triple("d:dengue", f"by {way}", f"p:{n}", "made up", str(year)) for year, (way, n) in told.items()]
    graph, links = small("news", [DENGUE, *places, *facts]), [Link(DENGUE, (), "name", 1.0, 0.8)]
    for text in ("Dengue.", "Dengue in Place3, Place4 and Place30."):
        assert candidates(text, links, graph) == candidates(text, links, Whole(graph))


def test_names_that_the_document_does_not_have_are_strange_but_not_the_look_alikes_of_words() -> None:
    gene = Entity("g:1", "zymin", "gene", ("WAS", "IL10", "zf"))
    fact = Fact(DENGUE, "is associated with", gene, "made up")
    assert strange(Candidate(fact, DENGUE.id, 1.0, named=False)) == ("zymin", "IL10")
    assert strange(Candidate(fact, DENGUE.id, 1.0, named=True)) == ()
