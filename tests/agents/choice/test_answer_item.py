"""A judge sees an item as it is evaluated, and says of each option by itself whether it is right."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.asks import LANGUAGE, QUESTION, reading

from benchwright.agents.base import accept, render
from benchwright.agents.choice.answer_item import agent
from benchwright.agents.choice.check_option import Ask, letter_options, letters
from benchwright.errors import BadReply

TEXTS = st.lists(st.text(min_size=1), min_size=1, max_size=60)


def ask(texts: list[str]) -> Ask:
    return Ask(QUESTION, letter_options((f"id{n}", text) for n, text in enumerate(texts)), LANGUAGE)


def reply(names: Iterable[str], right: Any = True) -> str:
    return json.dumps(
        {
            "answer": "On 2 May.",
            "sentences": [4],
            "answers": {name: {"reason": "It says so.", "right": right} for name in names},
        }
    )


@given(TEXTS)
def test_the_schema_asks_for_exactly_the_letters_of_the_question(texts: list[str]) -> None:
    asked = ask(texts)
    answers = agent.schema(agent, asked)["properties"]["answers"]
    assert list(answers["properties"]) == answers["required"] == list(letters(asked))
    assert answers["additionalProperties"] is False


@given(TEXTS, st.booleans())
def test_answers_are_recorded_under_the_ids_of_the_options(texts: list[str], right: bool) -> None:
    asked = ask(texts)
    body = json.loads(accept(agent, asked, reading(), reply(letters(asked), right)))
    assert {name: said["right"] for name, said in body["answers"].items()} == dict.fromkeys(
        [f"id{n}" for n in range(len(texts))], right
    )


@given(st.integers(2, 30), st.data())
def test_a_missing_letter_is_named(count: int, data: st.DataObject) -> None:
    asked = ask(["text"] * count)
    gone = data.draw(st.sampled_from(letters(asked)))
    with pytest.raises(BadReply, match=rf"answers must have .*; missing: \['{gone}'\], not asked: \[\]"):
        accept(agent, asked, reading(), reply(name for name in letters(asked) if name != gone))


def test_a_letter_that_was_not_asked_about_is_named() -> None:
    with pytest.raises(BadReply, match=r"exactly the keys A, B; missing: \[\], not asked: \['C'\]"):
        accept(agent, ask(["x", "y"]), reading(), reply("ABC"))


def test_an_answer_that_is_neither_yes_nor_no_is_refused() -> None:
    with pytest.raises(BadReply, match=r"answers\.A\.right"):
        accept(agent, ask(["x"]), reading(), reply("A", "perhaps"))


def test_a_judge_sees_the_document_the_question_and_the_options_and_no_ids() -> None:
    asked = Ask(QUESTION, letter_options([("correct-1", "4 May"), ("distractor-2", "2 May")]), LANGUAGE)
    messages = render(agent, asked, reading())
    assert messages[1].content.startswith(f"<document>\n{reading().text}\n</document>")
    assert messages[-1].content.endswith(f"Question: {QUESTION}\nOptions:\nA. 4 May\nB. 2 May")
    assert not any("correct-1" in message.content or "distractor-2" in message.content for message in messages)


def test_the_worked_examples_show_several_right_none_and_one_and_more_wrong_than_right() -> None:
    answers = [list(json.loads(reply)["answers"].values()) for _, reply in agent.prompt.examples]
    counts = [sum(one["right"] for one in example) for example in answers]
    assert sorted(counts) == [0, 1, 2]
    assert sum(counts) < sum(map(len, answers)) / 2
