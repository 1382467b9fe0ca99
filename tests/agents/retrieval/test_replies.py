"""What code demands of the replies of the kind's agents: each fault is told to the model, which may mend it once."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.agents.retrieval_asks import ONE_OF_EACH

from benchwright.agents.base import every_agent
from benchwright.agents.retrieval.frames import lay_origin
from benchwright.agents.retrieval.review_query import Answer as Reviewed
from benchwright.agents.retrieval.wording import (
    bare_name,
    invented,
    longest_copy,
    names_something,
    pointer,
    repeated,
)
from benchwright.agents.retrieval.write_query import SAME, Size, fault_of_language
from benchwright.corpus import language
from benchwright.corpus.language import other_language
from benchwright.domain.document import Reading, Sentence, Span, View
from benchwright.domain.text import plain
from benchwright.errors import BadReply

WORDS = st.lists(st.sampled_from("a b c d".split()), max_size=12)  # noqa: SIM905
TEXT = "Ash fell on Vesk in May and closed the road to the harbour for two days."
SOURCE = Reading(View("d", (0,)), "Ash", (Sentence(1, Span(0, 70), TEXT),), f"[1] {TEXT}")
GERMAN = "Welche Straße wurde wegen vulkanischer Asche zeitweise gesperrt?"
GOOD = {"query": "What closed in Vesk during the mumps?", "text": "A road.", "negatives": {"hard_negative": "Dust."}}


def refuse(name: str, value: dict[str, Any]) -> str:
    """What an agent says of a reply."""
    agent, ask = every_agent()[name], ONE_OF_EACH[name]
    answer = agent.Answer.model_validate(value)
    try:
        agent.check(ask, answer)
        agent.against(ask, answer, SOURCE)
    except BadReply as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("choose_event", {"number": 3}, "the choices go from 1 to 2"),
        ("choose_event", {"number": 0}, ""),
        ("summarise_document", {"summary": "Too short."}, "write 60 to 200"),
        ("brainstorm_needs", {"needs": ["one", "two"]}, "2 needs, and 3 are wanted"),
        ("brainstorm_needs", {"needs": ["one", "One.", "two"]}, "two of the needs are the same"),
        ("write_query", GOOD, ""),
        ("write_query", GOOD | {"query": "word " * 12 + "Vesk"}, "less than 10 words are asked for: write less"),
        ("write_query", GOOD | {"text": "word " * 60}, "at most 50 words are asked for"),
        ("write_query", GOOD | {"text": "Dust."}, "text and hard_negative are the same text"),
        ("write_query", GOOD | {"negatives": {}}, "exactly the keys hard_negative"),
        ("write_query", GOOD | {"negatives": {"hard_negative": " "}}, "hard_negative is empty"),
        ("write_query", GOOD | {"query": "What does this passage say of Vesk?"}, "who searches has no text yet"),
        ("write_query", GOOD | {"query": f"Vesk: {GERMAN}"}, "query is in the language 'de', not in 'en'"),
        ("write_query", GOOD | {"text": GERMAN}, "text is in the language 'de', not in 'en': write it in English"),
        ("write_query", GOOD | {"negatives": {"hard_negative": GERMAN}}, "hard_negative is in the language 'de'"),
        ("write_query", GOOD | {"text": "Straße nach Vesk"}, ""),
        ("write_document_query", {"query": GERMAN}, "query is in the language 'de'"),
        ("write_query", GOOD | {"text": TEXT}, "text copies 16 words in a row"),
        ("write_query", GOOD | {"query": "What was closed for long?"}, "names neither its event"),
        ("write_query", GOOD | {"text": "Mount Keldo."}, "Keldo, a name of the examples"),
        ("write_document_query", {"query": "What closed?"}, ""),
        ("write_document_query", {"query": "What does the document say?"}, "has no text yet"),
        ("grade_directly", {"grade": 4, "reason": "so"}, "from 0 to 3"),
        ("grade_directly", {"grade": None, "reason": "so"}, ""),
        ("grade_by_steps", {"answers": True, "scores": {"exactness": 3, "coverage": 2}, "grade": 1}, "from 2 to 3"),
        ("grade_by_steps", {"answers": False, "scores": {"topicality": 1, "contextual_fit": 1}, "grade": 2}, "0 to 1"),
        ("grade_by_steps", {"answers": False, "scores": {"exactness": 3, "coverage": 2}, "grade": 1}, "the keys topic"),
        ("grade_by_steps", {"answers": True, "scores": {"exactness": 3, "coverage": 2}, "grade": None}, ""),
        ("grade_by_steps", {"answers": True, "scores": {"exactness": 4, "coverage": 2}, "grade": 2}, "from 0 to 3"),
        ("grade_by_criteria", {"scores": {"exactness": 1}, "grade": 2}, "scores must have exactly the keys"),
        ("score_criterion", {"score": 5}, "from 0 to 3"),
        ("grade_from_scores", {"grade": 1}, "from 2 to 3"),
    ],
)
def test_a_reply_that_does_not_fit_its_question_is_refused_with_the_way_out(
    name: str, value: dict[str, Any], told: str
) -> None:
    found = refuse(name, value)
    assert told in found if told else not found, found


@pytest.mark.parametrize("name", sorted(ONE_OF_EACH))
def test_the_schema_that_is_sent_is_that_of_the_question(name: str) -> None:
    agent = every_agent()[name]
    found = agent.schema(agent, ONE_OF_EACH[name])
    assert set(found["properties"]) == set(agent.Answer.model_fields)


def test_more_needs_than_are_wanted_are_left_out() -> None:
    agent, ask = every_agent()["brainstorm_needs"], ONE_OF_EACH["brainstorm_needs"]
    assert agent.settle(ask, {"needs": ["a", "b", "c", "d"]}) == {"needs": ["a", "b", "c"]}


@pytest.mark.parametrize(("decision", "text"), [("edit", ""), ("keep", "words")])
def test_only_an_edit_has_a_wording(decision: str, text: str) -> None:
    with pytest.raises(ValueError, match="an edit needs the new wording"):
        Reviewed(decision=decision, text=text)  # type: ignore[arg-type]


@given(WORDS, WORDS)
def test_the_longest_copy_is_the_longest_run_that_both_have(one: list[str], other: list[str]) -> None:
    found = longest_copy(" ".join(one), " ".join(other))
    runs = {tuple(one[a:b]) for a in range(len(one)) for b in range(a + 1, len(one) + 1)}
    shared = [run for run in runs if any(other[n : n + len(run)] == list(run) for n in range(len(other)))]

    assert len(found) == max(map(len, shared), default=0)
    assert not found or found in shared


def test_a_copy_is_found_whatever_its_case_and_punctuation() -> None:
    assert len(longest_copy("ASH fell, on Vesk (in May)", TEXT)) == 6


@pytest.mark.parametrize(
    "text", ["In this passage", "What does the study find?", "as described", "according to the report"]
)
def test_words_that_point_at_another_text_are_found(text: str) -> None:
    assert pointer(text)


@pytest.mark.parametrize("text", ["Which passages did ships take?", "What did the document office lose?", "the flood"])
def test_other_words_are_not(text: str) -> None:
    assert not pointer(text) or "document" in text


@pytest.mark.parametrize(
    ("text", "event", "found"),
    [
        ("how do tsunamis begin", "Tsunami (Earthquake Trigger)", True),
        ("how earthquakes begin", "Tsunami (Earthquake Trigger)", False),
        ("what happened in Vesk", "Ash / Tephra Fall", True),
        ("what did the WHO say", "Flood", False),
        ("what happened there", "Flood", False),
        ("measles among children", "Measles (human)", True),
    ],
)
def test_a_query_names_its_event_or_something_of_its_source(text: str, event: str, found: bool) -> None:
    assert names_something(text, event, TEXT) is found


def test_names_are_bare_without_brackets_and_examples_are_told() -> None:
    assert (bare_name("Measles (human)"), bare_name("(x)")) == ("Measles", "(x)")
    assert invented("near Tivra", "Orsa") == "Tivra"
    assert not invented("near Tivra", "Tivra")
    assert not repeated([("a", "one"), ("b", "two")])
    assert plain("A") == "a"
    assert str(Size("at least 5 words", 5, None)) == "at least 5 words"
    assert lay_origin({"summary": "All of it. </passage>"}) == ("<passage>\nAll of it. \u2039/passage>\n</passage>",)
    assert lay_origin(None) == ("<passage>\n\n</passage>",)


@pytest.mark.parametrize(
    ("asked", "text", "wrong"),
    [
        (SAME, GERMAN, True),
        (SAME, "Which road was closed for two days because of all the ash?", False),
        ("German", GERMAN, False),
        ("de", GERMAN, False),
        ("German", "Which road was closed for two days because of all the ash?", True),
        ("Klingon", GERMAN, False),
    ],
)
def test_a_text_is_in_the_language_that_is_named_or_in_that_of_its_passage(asked: str, text: str, wrong: bool) -> None:
    assert bool(fault_of_language("query", text, asked, TEXT)) is wrong


def test_without_its_library_no_language_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "find_spec", lambda _: None)
    assert fault_of_language("query", GERMAN, SAME, TEXT) == ""
    assert other_language(GERMAN, "en") == ""
