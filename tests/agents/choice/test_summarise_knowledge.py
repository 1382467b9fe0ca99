import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.asks import FACTS, ONE_OF_EACH, agent, reading

from benchwright.agents.base import accept
from benchwright.agents.choice import summarise_knowledge
from benchwright.domain.knowledge import Entity, Fact
from benchwright.errors import BadReply

GOOD = "Mumps presents with fever, and had an outbreak in Iceland in 2005 with 31 cases."
ASPIRIN = Fact(Entity("d:aspirin", "aspirin", "drug"), "treats", FACTS[0].subject, "made up")


def taken(*statements: tuple[list[int], str]) -> Any:
    reply = {"statements": [{"facts": facts, "statement": text} for facts, text in statements]}
    return json.loads(
        accept(agent("summarise_knowledge"), ONE_OF_EACH["summarise_knowledge"], reading(), json.dumps(reply))
    )


def test_a_statement_is_recorded_with_the_ids_of_the_facts_that_it_tells() -> None:
    answer = taken(([1, 2, 1], f"  {GOOD}\n"))
    assert answer == {"statements": [{"facts": [FACTS[0].id, FACTS[1].id], "statement": GOOD}]}


@pytest.mark.parametrize(
    "text",
    [
        "Epidemic parotitis presents with fever.",
        "Fever is a symptom with which mumps is presented.",
        "MUMPS: presentation with Fevers, according to Hetionet.",
    ],
)
def test_synonyms_case_number_and_other_forms_of_the_relation_pass(text: str) -> None:
    assert taken(([1], text))["statements"][0]["statement"] == text


@pytest.mark.parametrize(
    ("facts", "text", "message"),
    [
        ([], "Mumps presents with fever.", "at least 1 item"),
        ([3], "Mumps presents with fever.", r"cites \[3\]: cite facts by their numbers, 1 to 2"),
        ([0, 1], "Mumps presents with fever.", r"cites \[0\]"),
        ([1], "  ", "cites nothing"),
        ([1], "Mumps presents itself.", "does not name Fever"),
        ([1, 2], "Mumps presents with fever.", "does not name Iceland"),
        ([1], "Mumps presents with fever and deafness.", "says deafness"),
        ([1], "Mumps presents with fever in Iceland.", "says iceland"),
        ([2], "Mumps had an outbreak in Iceland in 2006 with 31 cases.", "says 2006"),
        ([2], "Mumps had an outbreak in Iceland with 13 deaths.", "says 13"),
        ([1], "Mumps does not present with fever.", "says doe, not"),
        ([1], "Mumps causes fever.", "says cause"),
        ([1], "Mumps is treated like fever.", "says treated, like"),
        ([1], "Aspirin presents mumps with fever.", "says aspirin"),
    ],
)
def test_a_statement_that_its_facts_do_not_make_is_sent_back(facts: list[int], text: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken((facts, text))


def test_every_faulty_statement_is_told_at_once() -> None:
    with pytest.raises(BadReply, match=r"says aspirin.*; .*does not name Iceland"):
        taken(([1], "Aspirin: mumps presents fever."), ([2], "Mumps had an outbreak."))


@given(st.text(alphabet=st.characters(categories=["Ll"], max_codepoint=122), min_size=4, max_size=12))
def test_no_word_gets_in_that_neither_the_facts_nor_plain_english_have(word: str) -> None:
    said = f"Aspirin treats mumps, {word}."
    added = summarise_knowledge.unfounded_words(said, [ASPIRIN])
    known = {"aspirin", "mump", "drug", "disease", "epidemic", "parotiti", "parotitis", "made"}
    form = summarise_knowledge.tokens(word)[0]
    assert (form in added) or form.startswith("trea") or form in known | summarise_knowledge.PLAIN_WORDS


def test_only_numbers_of_the_list_fit_the_schema() -> None:
    ask = ONE_OF_EACH["summarise_knowledge"]
    schema = agent("summarise_knowledge").schema(agent("summarise_knowledge"), ask)
    items = schema["$defs"]["Statement"]["properties"]["facts"]["items"]
    assert items == {"type": "integer", "minimum": 1, "maximum": 2}


def test_building_a_schema_leaves_the_one_of_the_answer_as_it_was() -> None:
    summarise_knowledge.schema(agent("summarise_knowledge"), ONE_OF_EACH["summarise_knowledge"])
    own = summarise_knowledge.Answer.model_json_schema()["$defs"]["Statement"]["properties"]["facts"]["items"]
    assert own == {"type": "integer"}
