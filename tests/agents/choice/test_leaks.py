"""What a rewritten stem must not give away, by example and on the released rewrites of EpiQAL-B."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import shared_data

from benchwright.agents.choice.leaks import (
    CHECKS,
    LONGEST,
    Rewrite,
    abbreviations,
    also_called,
    entity_left,
    fault_of_choice,
    faults,
    find_unchanged,
    mentions,
    part_left,
    shared_root,
    too_long,
)

STEM = "Which factor most favours the spread of visceral leishmaniasis among children?"
PHRASE = "the fatal, fly-borne wasting of spleen and liver"


def rewrite(
    phrase: str = PHRASE, entity: str = "visceral leishmaniasis", names: tuple[str, ...] = (), after: str = ""
) -> Rewrite:
    stem = STEM.replace("visceral leishmaniasis", entity)
    return Rewrite(stem, after or stem.replace(entity, phrase), entity, phrase, names)


def test_a_rewrite_that_conceals_its_entity_has_no_fault() -> None:
    assert faults(rewrite(names=("kala-azar", "VL", "visceral leishmaniasis"))) == ()


@pytest.mark.parametrize(
    ("case", "fault"),
    [
        (rewrite(after=f"{STEM[:-1]}, {PHRASE}?"), "'visceral leishmaniasis' still stands there: describe it"),
        (rewrite("a visceral leishmaniasis of children"), "'visceral leishmaniasis' still stands there: describe it"),
        (rewrite(entity="vaccines", after=f"Is {PHRASE} like a vaccine?"), "'vaccines' still stands there in another"),
        (rewrite(entity="mosquitoes", after=f"Is {PHRASE} a mosquito?"), "'mosquitoes' still stands there in another"),
        (rewrite(entity="viruses", after=f"Has {PHRASE} a viral load, a virus?"), "'viruses' still stands there in"),
        (rewrite(entity="allergies", after=f"Is {PHRASE} an allergy?"), "'allergies' still stands there in another"),
        (rewrite(entity="larvae", after=f"Is {PHRASE} a larva?"), "'larvae' still stands there in another"),
        (rewrite("kala-azar of the poor", names=("Kala azar",)), "'Kala azar' must not be named"),
        (rewrite("the illness called VL"), "'VL' must not be named"),
        (rewrite(after=f"Do VLs follow {PHRASE}?"), "'VL' must not be named"),
        (rewrite("an infection with Leishmania"), "'leishmania' shares its root with 'visceral leishmaniasis'"),
        (rewrite("lymphatic filariasis", entity="LF"), "'lymphatic filariasis' spells out 'LF'"),
        (rewrite("an agent like orthoebolavirus", entity="Ebola virus"), "'orthoebolavirus' shares its root with"),
        (rewrite("where antileishmanial drugs help"), "'antileishmanial' shares its root with"),
        (rewrite("a vaccination", entity="vaccine"), "'vaccination' shares its root with 'vaccine'"),
        (rewrite("a mark of CCHFV", entity="CCHFV IgG antibody"), "'CCHFV' tells of 'CCHFV IgG antibody'"),
        (rewrite("what HIV leaves", entity="HIV antibody"), "'HIV' tells of 'HIV antibody'"),
        (rewrite(entity="HIV antibody", after=f"Does HIV, or {PHRASE}?"), "'HIV' tells of 'HIV antibody'"),
        (rewrite("rift valley fever serum", entity="RVF titre"), "'rift valley fever' tells of 'RVF titre'"),
        (rewrite(entity="Aedes aegypti", after=f"Is Ae. aegypti {PHRASE}?"), "'Ae. aegypti' is 'Aedes aegypti'"),
        (rewrite(entity="Ae. aegypti", after=f"Is Aedes aegypti {PHRASE}?"), "'Aedes aegypti' is 'Ae. aegypti'"),
        (rewrite("Chag\u00e1s of the poor", entity="Chagas"), "'Chagas' still stands there"),
        (
            rewrite("a Barre palsy", entity="Guillain-Barr\u00e9", names=("Barr\u00e9",)),
            "'Barr\u00e9' must not be named",
        ),
        (rewrite("what Zika fever leaves", entity="Zika virus"), "'zika' shares its root with 'Zika virus'"),
        (rewrite("a mark of CCHF", entity="CCHFV IgG antibody"), "'CCHF' tells of 'CCHFV IgG antibody'"),
        (rewrite("what HIV leaves", entity="HIV-1"), "'HIV' tells of 'HIV-1'"),
        (rewrite("MERSCoV of camels", entity="MERS-CoV"), "'MERSCoV' tells of 'MERS-CoV'"),
        (rewrite("MERS of camels", entity="MERS-CoV"), "'MERS' tells of 'MERS-CoV'"),
        (rewrite(entity="Aedes aegypti", after=f"Is Ae aegypti {PHRASE}?"), "'Ae aegypti' is 'Aedes aegypti'"),
        (rewrite("a leish\u00admaniasis of the poor"), "'leishmaniasis' shares its root with"),
        (rewrite("very " * 26), "the phrase has 26 words, at most 25"),
        (rewrite("  ", after="Which factor?"), "the phrase is empty"),
        (rewrite(after=STEM.upper()), "the question is unchanged: put the phrase in the place of"),
    ],
)
def test_each_leak_is_named_with_what_to_do(case: Rewrite, fault: str) -> None:
    assert any(found.startswith(fault) for found in faults(case))


@pytest.mark.parametrize(
    "case",
    [
        rewrite("an illness that evolves slowly", entity="VL"),  # no abbreviation inside a word
        rewrite("a mosquito-borne fever", entity="LF"),  # not the words that LF stands for
        rewrite("a fever", entity="LF"),  # fewer words than letters
        rewrite("a rash that is red", entity="mumps"),
        rewrite("the flux of the bowels", entity="flu"),  # the shared letters are too few
        rewrite("a viral fever of humans", entity="measles virus"),  # what so many things share tells none
        rewrite("a vaccine of RNA", entity="measles vaccine DNA"),
        rewrite("a slow fever", entity="Yellow fever"),  # no species
        rewrite("a virus of fruit bats", entity="Zika virus"),  # what is left of it is in no name alone
        rewrite("a fever like flu", entity="HIV-1"),
        rewrite("what blood shows of a fever", entity="RVF titre"),  # neither the short form nor its words
        rewrite("the pox", entity="pus", after="Is the pus-like pox pu?"),
    ],
)
def test_what_only_resembles_the_entity_is_no_leak_of_another_kind(case: Rewrite) -> None:
    assert all(found.startswith(f"{case.entity!r} still stands") for found in faults(case))


@pytest.mark.parametrize(
    ("entity", "phrase", "rest"),
    [
        ("rat", "small city rodent", "at which rate"),
        ("cat", "house feline", "in this category"),
        ("flu", "cold", "in flux"),
    ],
)
def test_a_short_entity_does_not_stand_in_a_longer_word_of_the_question(entity: str, phrase: str, rest: str) -> None:
    stem = f"Who meets a {entity}, {rest}?"
    assert faults(Rewrite(stem, stem.replace(f"{entity},", f"{phrase},"), entity, phrase)) == ()
    assert faults(Rewrite(stem, f"Who meets two {entity}s, {rest}?", entity, phrase))
    assert faults(Rewrite(stem, f"Who meets a {entity}like {phrase}, {rest}?", entity, phrase))
    assert faults(Rewrite(stem, stem.replace(f"{entity},", f"{phrase},"), "animal", phrase, (entity,))) == ()
    assert faults(Rewrite(stem, stem, "animal", phrase, (entity,)))


@given(st.text(), st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_a_rewrite_of_any_text_can_be_judged(before: str, after: str, entity: str, names: list[str]) -> None:
    faults(Rewrite(before, after, entity, after, tuple(names)))


def test_an_entity_is_chosen_from_the_stem_and_once() -> None:
    assert fault_of_choice("Visceral Leishmaniasis", STEM, ("malaria",)) is None
    assert "does not stand in the question" in str(fault_of_choice("malaria", STEM, ()))
    assert "does not stand in the question" in str(fault_of_choice("leishmania", STEM, ()))
    assert "does not stand in the question" in str(fault_of_choice(" ?", STEM, ()))
    assert "was chosen before" in str(fault_of_choice("children", STEM, ("Children",)))


@pytest.mark.parametrize(
    ("stem", "entity", "phrase"),
    [
        ("結核はどこで広がったか？", "結核", "咳で広がる肺の病気"),
        ("结核在哪里传播？", "结核", "经咳嗽传播的肺病"),
        ("결핵은 어디에서 퍼졌는가?", "결핵", "기침으로 퍼지는 폐 질환"),
        ("วัณโรคแพร่ที่ไหน?", "วัณโรค", "โรคปอดที่แพร่ทางการไอ"),
    ],
)
def test_where_nothing_parts_words_an_entity_is_chosen_and_found_again(stem: str, entity: str, phrase: str) -> None:
    assert fault_of_choice(entity, stem, ()) is None
    assert "does not stand" in str(fault_of_choice(phrase, stem, ()))
    assert faults(Rewrite(stem, stem.replace(entity, phrase), entity, phrase)) == ()
    assert "still stands" in faults(Rewrite(stem, f"{phrase}, {stem}", entity, phrase))[0]


def test_abbreviations_that_a_text_introduces_are_other_names() -> None:
    known = abbreviations(
        "Lymphatic filariasis (LF) and Crimean-Congo haemorrhagic fever (CCHF) were seen (see above), once (n = 3), "
        "by us (WHO), in (ABCDEFG) and Rift Valley fever virus (RVFV) cases (IV)."
    )

    assert known == {
        "LF": "Lymphatic filariasis",
        "CCHF": "Crimean-Congo haemorrhagic fever",
        "RVFV": "Rift Valley fever virus",
    }
    assert also_called("lymphatic filariasis", known.items()) == ("LF",)
    assert also_called("LF", [*known.items(), ("elephantiasis", "LF")]) == ("Lymphatic filariasis", "elephantiasis")
    assert also_called("malaria", known.items()) == ()


@pytest.fixture(name="released", scope="module")
def _released() -> list[tuple[Rewrite, tuple[str, ...]]]:
    """The released rewrites of B, each with the entities chosen before in its item."""

    def rows(name: str) -> Iterator[dict[str, Any]]:
        with gzip.open(shared_data(f"epiqal/{name}.jsonl.gz"), "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)

    stems: dict[str, list[dict[str, Any]]] = {
        row["item"]: [{"new_question": row["question"]}] for row in rows("items_B")
    }
    for row in sorted(rows("stem_revisions"), key=lambda row: row["iteration"]):
        stems[row["item"]].append(row)
    return [
        (
            Rewrite(one["new_question"], row["new_question"], row["entity"], row["phrase"]),
            tuple(earlier["entity"] for earlier in versions[1:n]),
        )
        for versions in stems.values()
        for n, (one, row) in enumerate(pairwise(versions), 1)
    ]


@pytest.mark.untraced
def test_four_in_ten_of_the_released_rewrites_leak_in_the_shares_that_were_measured(
    released: list[tuple[Rewrite, tuple[str, ...]]],
) -> None:
    count = Counter(
        {
            check.__name__: sum(any(check(one)) for one, _ in released)
            for check in (entity_left, shared_root, part_left, too_long, find_unchanged)
        }
    )
    share = {name: round(100 * number / len(released), 1) for name, number in count.items()}

    assert len(released) == 1434
    assert (share["entity_left"], share["shared_root"]) == (5.1, 38.2)
    assert count == {"entity_left": 73, "shared_root": 548, "part_left": 16, "too_long": 36, "find_unchanged": 41}
    assert sum(mentions(one.phrase, one.entity) for one, _ in released) == 29
    assert sum(bool(faults(one)) for one, _ in released) / len(released) == pytest.approx(0.428, abs=0.001)
    assert {check.__name__ for check in CHECKS} > set(share)
    assert max(len(one.phrase.split()) for one, _ in released) > LONGEST


def test_of_the_released_choices_some_are_not_in_the_stem_and_some_come_twice(
    released: list[tuple[Rewrite, tuple[str, ...]]],
) -> None:
    refused = [fault_of_choice(one.entity, one.before, earlier) for one, earlier in released]

    assert sum("does not stand" in str(why) for why in refused) == 22
    assert sum("chosen before" in str(why) for why in refused) > 20
