"""Citing is a type: names of fields mean nothing, and no schema that is sent shows how it works."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from tests.agents.asks import ONE_OF_EACH, discussed, read_by, reading

from benchwright.agents.base import Agent, accept, every_agent, request
from benchwright.agents.citing import MARK, Citation, bound_schema, locate_citations, strip_marks
from benchwright.domain.campaign import Model
from benchwright.errors import BadReply

Cites = Annotated[list[int], Citation()]


@dataclass(frozen=True, slots=True)
class Ask:
    word: str


class Inner(BaseModel):
    sentences: Cites
    kind: Literal["a", "b"] = "a"


class Answer(BaseModel):
    evidence: list[int]
    discussion: dict[str, int]
    why: Cites | None = None
    many: list[Cites] = Field(default=[])
    named: dict[str, Inner] = Field(default={})
    pair: tuple[Inner, int] | None = None


AGENT = Agent("cites", Ask, Answer)
PLAIN: dict[str, Any] = {"evidence": [77], "discussion": {"x": 9}}


def recorded(**parts: Any) -> Any:
    return json.loads(accept(AGENT, Ask("x"), reading(), json.dumps(PLAIN | parts)))


def test_the_name_of_a_field_means_nothing() -> None:
    assert recorded() == PLAIN | {"why": None, "many": [], "named": {}, "pair": None}


def test_a_field_that_cites_is_recorded_as_spans_wherever_it_lies() -> None:
    found = recorded(why=[1], many=[[2], [3, 4]], named={"z": {"sentences": [5]}}, pair=[{"sentences": [1]}, 7])
    assert [one["text"] for one in found["why"]] == ["By 9 May, 37 cases of mumps were known in town."]
    assert [[one["sentence"] for one in part] for part in found["many"]] == [[2], [3, 4]]
    assert found["named"]["z"]["sentences"][0]["text"] == "The harbour school closed on 4 May."
    assert (found["pair"][0]["sentences"][0]["sentence"], found["pair"][1]) == (1, 7)


def test_a_wrong_number_is_named_with_its_field() -> None:
    with pytest.raises(BadReply, match="sentences cites sentence 9, but there are sentences 1 to 5"):
        recorded(named={"z": {"sentences": [9]}})
    with pytest.raises(BadReply, match="many cites sentence 0"):
        recorded(many=[[0]])


def test_a_citation_says_which_part_it_cites() -> None:
    class Masked(BaseModel):
        why: Annotated[list[int], Citation("masked")]

    text = locate_citations(Masked(why=[2]), discussed())["why"][0]["text"]
    assert text == "Mild cases may have been missed."
    with pytest.raises(BadReply, match="there are none"):
        locate_citations(Masked(why=[2]), reading())


def test_the_schema_that_is_sent_bounds_citations_and_shows_no_marks() -> None:
    sent = bound_schema(AGENT.schema(AGENT, Ask("x")), reading())
    assert sent["$defs"]["Inner"]["properties"]["sentences"]["items"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 5,
    }
    assert sent["properties"]["evidence"]["items"] == {"type": "integer"}
    assert MARK in json.dumps(AGENT.schema(AGENT, Ask("x")))
    assert MARK not in json.dumps(sent)


@pytest.mark.parametrize("name", sorted(ONE_OF_EACH))
def test_no_agent_sends_a_mark_and_its_recipe_has_none(name: str) -> None:
    agent = every_agent()[name]
    made = request(agent, ONE_OF_EACH[name], read_by(name), Model("m", "local", "smollm2"), 0, 1)
    assert MARK not in json.dumps(made.schema)
    assert MARK not in json.dumps(strip_marks(agent.Answer.model_json_schema()))


JSON = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(JSON)
def test_a_schema_without_marks_stays_as_it_is(value: Any) -> None:
    assert bound_schema(value, reading()) == value == strip_marks(value)
