import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.asks import LANGUAGE, reading

from benchwright.agents.base import Agent, accept
from benchwright.agents.choice import choose_class, choose_topic
from benchwright.errors import BadReply

THREE = ("1. One: a.", "2. Two: b.", "3. Three: c.")
BOTH: list[tuple[Agent, Any]] = [
    (choose_class.agent, choose_class.Ask(THREE, LANGUAGE)),
    (choose_topic.agent, choose_topic.Ask(THREE, LANGUAGE)),
]


def reply(suitable: list[int], best: int) -> str:
    return json.dumps({"rationale": "It has the facts.", "suitable": suitable, "best": best})


@pytest.mark.parametrize(("agent", "ask"), BOTH)
def test_a_best_entry_among_the_suitable_ones_is_taken(agent: Agent, ask: Any) -> None:
    assert json.loads(accept(agent, ask, reading(), reply([3, 1, 3], 1)))["suitable"] == [3, 1]


@pytest.mark.parametrize(("agent", "ask"), BOTH)
@pytest.mark.parametrize(
    ("suitable", "best", "message"),
    [
        ([0, 1], 1, "there is no entry 0: use the numbers 1 to 3"),
        ([1], 4, "there is no entry 4"),
        ([], 4, "there is no entry 4"),
    ],
)
def test_a_choice_outside_the_list_is_sent_back(
    agent: Agent, ask: Any, suitable: list[int], best: int, message: str
) -> None:
    with pytest.raises(BadReply, match=message):
        accept(agent, ask, reading(), reply(suitable, best))


@pytest.mark.parametrize(("agent", "ask"), BOTH)
def test_the_best_entry_is_suitable_even_if_it_was_not_listed(agent: Agent, ask: Any) -> None:
    assert json.loads(accept(agent, ask, reading(), reply([1, 2], 3)))["suitable"] == [3, 1, 2]


@pytest.mark.parametrize(("agent", "ask"), BOTH)
def test_where_no_best_entry_is_named_the_first_suitable_one_is_taken_and_where_none_is_suitable_none(
    agent: Agent, ask: Any
) -> None:
    assert json.loads(accept(agent, ask, reading(), reply([3, 1], 0)))["best"] == 3
    none = json.loads(accept(agent, ask, reading(), reply([], 0)))
    assert (none["suitable"], none["best"]) == ([], 0)


@given(st.integers(1, 30))
def test_the_schema_of_a_choice_knows_the_numbers_of_the_list(count: int) -> None:
    for agent, ask in BOTH:
        properties = agent.schema(agent, type(ask)(("x",) * count, LANGUAGE))["properties"]
        assert (properties["best"]["minimum"], properties["best"]["maximum"]) == (0, count)
        assert (properties["suitable"]["items"]["maximum"], properties["suitable"]["maxItems"]) == (count, count)
        assert list(properties) == ["rationale", "suitable", "best"]
