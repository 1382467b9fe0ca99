"""What items are about: in seeds as JSON, and as it is shown."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scripted_recall import document

from benchwright.domain.document import View, read_out, whole
from benchwright.domain.ids import canonical
from benchwright.domain.item import Seed
from benchwright.domain.source import (
    About,
    ItemRef,
    Outline,
    Passage,
    Record,
    RecordRef,
    about_from_json,
    as_reading,
    each_source,
    passage_reading,
)

NAMES = st.text("0123456789abcdef", min_size=1, max_size=4)
INDICES = st.lists(st.integers(0, 9), max_size=3).map(tuple)
VIEWS = st.builds(View, NAMES, INDICES, INDICES)
REFS = VIEWS | st.builds(Passage, VIEWS, st.integers(1, 9), st.integers(1, 9)) | st.builds(RecordRef, NAMES)
SOURCES = REFS | st.builds(ItemRef, NAMES)
ABOUT = SOURCES | st.lists(SOURCES, max_size=3).map(tuple)


@given(ABOUT)
def test_what_an_item_is_about_comes_back_from_its_seed(about: About) -> None:
    assert about_from_json(json.loads(canonical(Seed(0, 0, about).as_json))) == about


@given(st.sets(st.tuples(ABOUT, st.sampled_from(["", "pairs"])), min_size=2, max_size=4))
def test_items_about_different_things_or_of_different_phases_have_different_names(
    seeds: set[tuple[About, str]],
) -> None:
    assert len({Seed(0, 0, about, "{}", phase).id for about, phase in seeds}) == len(seeds)


def test_the_seed_of_one_view_reads_as_it_did_before_there_were_other_sources() -> None:
    told = {"slot": 3, "attempt": 0, "view": {"document": "d1", "sections": (0, 2)}, "body": "{}"}
    assert Seed(3, 0, View("d1", (0, 2))).as_json == told
    masked = told | {"view": {"document": "d1", "sections": (0, 2), "masked": (1,)}}
    assert Seed(3, 0, View("d1", (0, 2), (1,))).as_json == masked
    assert Seed(3, 0, View("d1", (0, 2)), phase="queries").as_json == told | {"phase": "queries"}


def test_an_item_has_one_view_or_says_that_it_has_none() -> None:
    view = View("d1", (0,))
    assert Seed(0, 0, view).view == Seed(0, 0, Passage(view, 1, 2)).view == Outline(view).view == view
    for about in (RecordRef("r"), ItemRef("i"), (view, RecordRef("r")), ()):
        with pytest.raises(ValueError, match="no document of its own"):
            _ = Seed(0, 0, about).view


def test_the_sources_of_an_item_are_one_several_or_none() -> None:
    assert each_source(RecordRef("r")) == (RecordRef("r"),)
    assert each_source((RecordRef("r"), ItemRef("i"))) == (RecordRef("r"), ItemRef("i"))
    assert each_source(()) == ()


def test_the_same_fields_are_the_same_record_wherever_they_stand() -> None:
    one, other = Record("a.csv:2", {"a": "1", "b": "2"}), Record("b.csv:9", {"b": "2", "a": "1"})
    assert one.id == other.id != Record("a.csv:2", {"a": "1"}).id


def test_a_passage_shows_its_sentences_under_the_numbers_that_they_have_in_the_document() -> None:
    report = document(1)
    found = passage_reading(read_out(report, whole(report)), Passage(whole(report), 2, 3))
    assert [one.number for one in found.sentences] == [2, 3]
    first, second, third = found.text.split("\n")
    assert first == "Report 1"
    assert second.startswith("[2] Sentence 1 of report 1")
    assert third.startswith("[3] Sentence 2 of report 1")


def test_content_of_any_form_is_laid_out_as_text() -> None:
    reading = read_out(document(1), whole(document(1)))
    assert as_reading(reading) is reading
    assert as_reading({"title": "one", "count": 3}).text == "title: one\ncount: 3"
    assert as_reading(({"a": "b"}, reading)).text == f"a: b\n\n{reading.text}"
    assert as_reading(()).text == ""
