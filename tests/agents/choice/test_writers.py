import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.asks import ONE_OF_EACH, QUESTION, agent, reading

from benchwright.agents.base import accept
from benchwright.agents.choice.wording import COUNT_HINTS, demand_one_question
from benchwright.errors import BadReply


def taken(name: str, reply: dict[str, Any]) -> Any:
    return json.loads(accept(agent(name), ONE_OF_EACH[name], reading(), json.dumps(reply)))


def question(text: str) -> dict[str, Any]:
    return {"rationale": "The date is asked for.", "evidence": [4, 4], "question": text}


def options(*texts: str, **more: str) -> dict[str, Any]:
    return {"options": [more | {"rationale": "So.", "evidence": [5], "text": text} for text in texts]}


def test_a_good_question_is_taken_with_its_evidence_quoted_once() -> None:
    answer = taken("write_question", question(QUESTION))
    assert answer["question"] == QUESTION
    assert [span["text"] for span in answer["evidence"]] == ["The college closed on 2 May."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("When was it", "question mark"),
        ("Which school closed on 4 May?", "repeats a question to avoid"),
        (
            "Which service dropped fox baits in the Zorvel Hills from 2 May on?",
            "is about Zorvel, a name of the examples",
        ),
    ],
)
def test_a_faulty_question_is_sent_back(text: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("write_question", question(text))


def test_up_to_four_distinct_correct_options_are_taken() -> None:
    answer = taken("write_correct_options", options("2 May", "4 May", "5 May", "6 May"))
    assert [option["text"] for option in answer["options"]] == ["2 May", "4 May", "5 May", "6 May"]


@given(st.text(max_size=40), st.sampled_from(["", "?", "\uff1f", "\u061f", "?!", "? "]))
def test_the_schema_of_a_question_lets_one_question_through(text: str, end: str) -> None:
    pattern = agent("write_question").Answer.model_json_schema()["properties"]["question"]["pattern"]
    if text + end and re.search(pattern, text + end) and not any(hint in text.casefold() for hint in COUNT_HINTS):
        demand_one_question(text + end)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((QUESTION,), "repeats the question"),
        (("1", "2", "3", "4", "5"), "at most 4 items"),
    ],
)
def test_faulty_correct_options_are_sent_back(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("write_correct_options", options(*texts))


def test_fewer_distractors_than_wanted_are_taken() -> None:
    assert len(taken("design_distractors", options("4 May", confusion="place"))["options"]) == 1


@pytest.mark.parametrize(
    ("texts", "confusion", "message"),
    [
        (("2 May",), "time", "repeats a correct or taken option"),
        (("3 May", "4 May", "5 May"), "time", "there are 3 options: give the best 2"),
        (("3 May",), "colour", r"options\.0\.confusion"),
    ],
)
def test_faulty_distractors_are_sent_back(texts: tuple[str, ...], confusion: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("design_distractors", options(*texts, confusion=confusion))


def test_a_distractor_that_was_used_before_is_sent_back() -> None:
    ask = replace(ONE_OF_EACH["design_distractors"], taken=("9 May",))
    with pytest.raises(BadReply, match="repeats a correct or taken option"):
        accept(agent("design_distractors"), ask, reading(), json.dumps(options("9 May", confusion="time")))


def test_the_schema_of_distractors_allows_as_many_as_are_wanted() -> None:
    schema = agent("design_distractors").schema(agent("design_distractors"), ONE_OF_EACH["design_distractors"])
    assert schema["properties"]["options"]["maxItems"] == 2
    assert schema["properties"]["options"].get("minItems", 0) == 0  # the document may have no such fact


def test_a_person_may_decide_without_giving_a_reason() -> None:
    assert taken("review_option", {"decision": "keep"}) == {"decision": "keep", "reason": "", "text": ""}


@pytest.mark.parametrize("body", [{"decision": "edit", "text": " "}, {"decision": "keep", "text": "Other words"}])
def test_an_edit_and_nothing_else_brings_a_new_wording(body: dict[str, str]) -> None:
    with pytest.raises(BadReply, match="an edit needs the new wording"):
        taken("review_option", body)
