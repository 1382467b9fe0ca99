import json
from string import ascii_uppercase
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.asks import LANGUAGE, QUESTION, reading

from benchwright.agents.base import Agent, accept
from benchwright.agents.choice import answer_item, check_inference, check_reconstruction
from benchwright.agents.choice.check_option import Ask, agent, letter, letter_options, letters
from benchwright.errors import BadReply

TEXTS = st.lists(st.text(min_size=1), min_size=1, max_size=60)


def ask(texts: list[str]) -> Ask:
    return Ask(QUESTION, letter_options((f"id{n}", text) for n, text in enumerate(texts)), LANGUAGE)


def reply(names: Any) -> str:
    said = {"sentences": [2, 1], "reason": "It says so.", "verdict": "wrong"}
    return json.dumps({"answer": "On 2 May.", "sentences": [4], "verdicts": dict.fromkeys(names, said)})


def test_letters_go_on_after_z() -> None:
    assert [letter(n) for n in (0, 25, 26, 27, 51, 52, 701, 702)] == ["A", "Z", "AA", "AB", "AZ", "BA", "ZZ", "AAA"]


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_no_two_options_share_a_letter(one: int, other: int) -> None:
    assert (letter(one) == letter(other)) == (one == other)
    assert set(letter(one)) <= set(ascii_uppercase)


@given(TEXTS)
def test_the_schema_asks_for_exactly_the_letters_of_the_question(texts: list[str]) -> None:
    asked = ask(texts)
    verdicts = agent.schema(agent, asked)["properties"]["verdicts"]
    assert list(verdicts["properties"]) == verdicts["required"] == list(letters(asked))
    assert verdicts["additionalProperties"] is False


@given(TEXTS)
def test_verdicts_are_recorded_under_the_ids_of_the_options(texts: list[str]) -> None:
    asked = ask(texts)
    body = json.loads(accept(agent, asked, reading(), reply(letters(asked))))
    assert set(body["verdicts"]) == {f"id{n}" for n in range(len(texts))}
    assert (body["answer"], body["sentences"]) == ("On 2 May.", [4])
    assert all(said["sentences"] == [2, 1] for said in body["verdicts"].values())


@pytest.mark.parametrize("checker", [agent, check_inference.agent, check_reconstruction.agent, answer_item.agent])
def test_a_checker_answers_before_it_judges_and_names_sentences_before_each_verdict(checker: Agent) -> None:
    form = checker.schema(checker, ask(["x", "y"]))
    judged = "answers" if checker is answer_item.agent else "verdicts"
    assert list(form["properties"]) == form["required"] == ["answer", "sentences", judged]
    if judged == "verdicts":
        assert list(form["$defs"]["Verdict"]["properties"]) == ["sentences", "reason", "verdict"]


def test_a_sentence_that_there_is_not_is_no_place_to_have_looked() -> None:
    with pytest.raises(BadReply, match="cites sentence 9, but there are sentences 1 to 5"):
        accept(agent, ask(["x"]), reading(), reply("A").replace("[2, 1]", "[9]"))


def test_an_option_that_stands_nowhere_has_no_sentence() -> None:
    body = json.loads(accept(agent, ask(["x"]), reading(), reply("A").replace("[2, 1]", "[]")))
    assert body["verdicts"]["id0"]["sentences"] == []


@given(st.integers(2, 30), st.data())
def test_a_missing_letter_is_named(count: int, data: st.DataObject) -> None:
    asked = ask(["text"] * count)
    gone = data.draw(st.sampled_from(letters(asked)))
    with pytest.raises(BadReply, match=rf"missing: \['{gone}'\], not asked: \[\]"):
        accept(agent, asked, reading(), reply(name for name in letters(asked) if name != gone))


def test_a_letter_that_was_not_asked_about_is_named() -> None:
    with pytest.raises(BadReply, match=r"exactly the keys A, B; missing: \[\], not asked: \['C'\]"):
        accept(agent, ask(["x", "y"]), reading(), reply("ABC"))


def test_a_verdict_of_another_kind_is_refused() -> None:
    text = json.dumps({"verdicts": {"A": {"reason": "hm", "verdict": "yes"}}})
    with pytest.raises(BadReply, match=r"verdicts\.A\.verdict"):
        accept(agent, ask(["x"]), reading(), text)
