"""What code answers goes into an answer's body and comes back as it was."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from benchwright.domain.ids import canonical
from benchwright.domain.knowledge import Entity, Fact
from benchwright.domain.snippet import Found, Snippet
from benchwright.pipelines.lookups import EntityFound, TopicFacts, find_facts, look_up

TEXT = st.text(max_size=20)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
FOUND = st.builds(Found, st.lists(st.builds(Snippet, TEXT, TEXT, TEXT), max_size=3).map(tuple), TEXT, TEXTS)
ENTITIES = st.builds(Entity, TEXT, TEXT, TEXT, TEXTS)
FACTS = st.lists(st.builds(Fact, ENTITIES, TEXT, ENTITIES, TEXT, TEXT), max_size=3).map(tuple)


@given(FOUND, TEXTS)
def test_what_was_found_comes_back_from_its_answer_as_it_was(found: Found, names: tuple[str, ...]) -> None:
    body = canonical(EntityFound.of(found, names).model_dump(mode="json"))
    back = look_up.Answer.model_validate(json.loads(body))
    assert isinstance(back, EntityFound)
    assert (back.search_result, back.names) == (found, names)


@given(FACTS, TEXTS, TEXTS, st.data())
def test_facts_come_back_from_their_answer_as_they_were(
    facts: tuple[Fact, ...], about: tuple[str, ...], foreign: tuple[str, ...], data: st.DataObject
) -> None:
    named = {fact.id for fact in facts if data.draw(st.booleans())}
    body = canonical(TopicFacts.of(facts, named, about, foreign).model_dump(mode="json"))
    back = find_facts.Answer.model_validate(json.loads(body))
    assert isinstance(back, TopicFacts)
    assert (tuple(one.fact for one in back.facts), back.about, back.foreign) == (facts, about, foreign)
    assert [one.id for one in back.facts] == [fact.id for fact in facts]
    assert {one.id for one in back.facts if one.named} == named


def test_nothing_found_is_an_answer_too() -> None:
    assert look_up.Answer().model_dump(mode="json") == {"snippets": [], "by": "", "failures": [], "names": []}
    assert find_facts.Answer().model_dump(mode="json") == {"facts": [], "about": [], "foreign": []}


def test_a_field_that_no_answer_has_is_refused() -> None:
    with pytest.raises(ValidationError):
        look_up.Answer.model_validate({"snippet": []})
