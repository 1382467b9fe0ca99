"""The panel that sees cited sentences without their document."""

import json

import pytest
from tests.agents.asks import ONE_OF_EACH, TITLE, agent, reading

from benchwright.agents.base import accept, render
from benchwright.errors import BadReply

ASK = ONE_OF_EACH["check_evidence"]


def reply(needed: list[int]) -> str:
    return json.dumps({"answer": "On 2 May.", "needed": needed, "reason": "It says so.", "verdict": "carries"})


def test_whoever_judges_evidence_sees_the_cited_sentences_and_nothing_else_of_the_document() -> None:
    told = "\n".join(message.content for message in render(agent("check_evidence"), ASK, reading()))
    cited = [one for one in reading().sentences if one.number in ASK.sentences.numbers]
    assert len(cited) == 2
    assert all(one.text in told for one in cited)
    assert not any(one.text in told for one in reading().sentences if one not in cited)
    assert TITLE not in told


def test_only_sentences_that_are_shown_can_be_needed() -> None:
    form = agent("check_evidence").schema(agent("check_evidence"), ASK)["properties"]["needed"]
    assert form["items"] == {"type": "integer", "enum": [2, 4]}
    assert json.loads(accept(agent("check_evidence"), ASK, reading(), reply([4, 4])))["needed"] == [4]
    assert json.loads(accept(agent("check_evidence"), ASK, reading(), reply([])))["needed"] == []
    with pytest.raises(BadReply, match=r"needed names sentence 3, but the task shows 2, 4"):
        accept(agent("check_evidence"), ASK, reading(), reply([4, 3]))
