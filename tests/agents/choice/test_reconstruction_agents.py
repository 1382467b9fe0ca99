"""The agents of `reconstruction`: what they may see of the masked part, and what code demands of their replies."""

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.agents.asks import CARRIED, DISCUSSION, ONE_OF_EACH, SPREAD, agent, discussed

from benchwright.agents.base import accept, render, request
from benchwright.agents.choice.ask_for_conclusion import revealing_words
from benchwright.agents.choice.leaks import strip_accents
from benchwright.agents.choice.mislead import KINDS, SOURCED, Ask, usable
from benchwright.domain.campaign import Model
from benchwright.errors import BadReply

MODEL = Model("small", "local", "smollm2")
KIND = st.sampled_from(KINDS)


def taken(name: str, body: dict[str, Any], ask: Any = None) -> Any:
    """The body that is recorded of an agent's reply about the document with a masked part."""
    return json.loads(accept(agent(name), ask or ONE_OF_EACH[name], discussed(), json.dumps(body)))


def conclusions(*texts: str) -> dict[str, Any]:
    return {"conclusions": [{"rationale": "So.", "discussion": [1], "evidence": [2, 4], "text": t} for t in texts]}


def question(text: str) -> dict[str, Any]:
    return {"rationale": "Who was ill, and where.", "evidence": [2, 4], "question": text}


def option(kind: str, text: str = "Mild cases were missed", discussion: tuple[int, ...] = (2,)) -> dict[str, Any]:
    return {"kind": kind, "discussion": list(discussion), "evidence": [1], "flaw": "Not counted.", "text": text}


def schema(name: str, ask: Any = None) -> Any:
    """The schema that a model is asked to keep."""
    return request(agent(name), ask or ONE_OF_EACH[name], discussed(), MODEL, 0, 1).schema


def shown(name: str) -> set[str]:
    """The masked sentences that an agent's question shows."""
    text = "\n".join(message.content for message in render(agent(name), ONE_OF_EACH[name], discussed()))
    return {sentence for sentence in DISCUSSION if sentence in text}


def test_only_who_writes_from_the_masked_part_or_checks_against_it_sees_of_it() -> None:
    seen = {name: shown(name) for name in ONE_OF_EACH}
    assert seen["extract_conclusion"] == seen["mislead"] == set(DISCUSSION)
    assert seen["compare_conclusion"] == set(DISCUSSION[:1])  # what the conclusion cites, and no more
    assert {name for name in seen if seen[name]} == {"extract_conclusion", "mislead", "compare_conclusion"}


def test_a_conclusion_is_taken_with_both_its_sources_quoted() -> None:
    (said,) = taken("extract_conclusion", conclusions(CARRIED))["conclusions"]
    assert [span["text"] for span in said["discussion"]] == [DISCUSSION[0]]
    assert [span["sentence"] for span in said["evidence"]] == [2, 4]
    assert said["text"] == CARRIED


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((CARRIED, "Two", "Three"), "there are 3 conclusions: give the best 2"),
        (("The college closed on 2 May.",), "the document itself states 'The college closed on 2 May.'"),
        (("the COLLEGE closed on 2 may", "Of these, 21 were students"), "stands in no sentence of it"),
        (("Vaccines wear off in Tarnvale",), "is about Tarnvale, a name of the examples"),
        (("?!",), "has no words"),
    ],
)
def test_conclusions_that_are_none_go_back(texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("extract_conclusion", conclusions(*texts))


def test_one_new_conclusion_is_enough() -> None:
    both = taken("extract_conclusion", conclusions("The college closed on 2 May.", CARRIED))
    assert len(both["conclusions"]) == 2


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("extract_conclusion", conclusions(CARRIED)["conclusions"][0]),
        ("ask_for_conclusion", question(SPREAD)),
    ],
)
def test_what_follows_from_one_sentence_follows_from_too_few(name: str, body: dict[str, Any]) -> None:
    body["evidence"] = [4, 4]
    with pytest.raises(BadReply, match=r"evidence: .* at least 2 items|join it with another"):
        taken(name, {"conclusions": [body]} if name == "extract_conclusion" else body)


def test_a_conclusion_that_no_masked_sentence_states_is_refused() -> None:
    body = conclusions(CARRIED)
    body["conclusions"][0]["discussion"] = []
    with pytest.raises(BadReply, match=r"discussion: .* at least 1 item"):
        taken("extract_conclusion", body)


def test_a_conclusion_cites_no_more_masked_sentences_than_its_schema_allows() -> None:
    most = schema("extract_conclusion")["$defs"]["Conclusion"]["properties"]["discussion"]["maxItems"]
    body = conclusions(CARRIED)
    body["conclusions"][0]["discussion"] = list(range(1, most + 2))
    with pytest.raises(BadReply, match=r"discussion: .* at most 6 items"):
        taken("extract_conclusion", body)


def test_the_schema_of_conclusions_knows_how_many_and_which_sentences_there_are() -> None:
    said = schema("extract_conclusion")
    part = said["$defs"]["Conclusion"]["properties"]
    assert said["properties"]["conclusions"]["maxItems"] == 2
    assert part["discussion"]["items"]["maximum"] == len(DISCUSSION)
    assert (part["evidence"]["items"]["maximum"], part["evidence"]["minItems"]) == (5, 2)


def test_a_question_that_conceals_its_answer_is_taken() -> None:
    assert taken("ask_for_conclusion", question(SPREAD))["question"] == SPREAD


def test_a_writer_may_say_that_no_question_conceals_the_conclusions_and_then_cites_nothing() -> None:
    body = taken("ask_for_conclusion", question("") | {"evidence": []})
    assert (body["question"], body["evidence"]) == ("", [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"Why is it that {CARRIED.casefold()}?", f"the question says '{CARRIED}', which is its answer"),
        ("Who carried mumps out of the colleges: students?", "leave students, carried, college out"),
        ("How did mumps reach the families of Farwick", "does not end in a question mark"),
        ("How did 21 students bring mumps to Farwick?", "the question says '21'"),
        (
            "How, according to the results, did mumps reach the families?",
            "the question says 'according to'",
        ),
        ("Which of the following explains the mumps of Farwick?", "the question says 'of the following'"),
        ("What kept whooping cough going among the infants of Tarnvale?", "Tarnvale, a name of the examples"),
    ],
)
def test_a_question_that_gives_its_answer_away_or_points_goes_back(text: str, message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("ask_for_conclusion", question(text))


def test_each_of_several_conclusions_is_concealed() -> None:
    ask = replace(
        ONE_OF_EACH["ask_for_conclusion"], conclusions=(CARRIED, "Closing schools early would protect families")
    )
    with pytest.raises(BadReply, match="leave closing, schools, early, would, protect, families out"):
        taken("ask_for_conclusion", question("Why would early closing of the school protect families?"), ask)


def test_the_words_of_the_title_give_nothing_away() -> None:
    claim, asked = "Malaria in Lubero persists among miners", "What keeps malaria going among the miners of Lubero?"
    assert revealing_words(claim, asked, "") == ("malaria", "lubero", "among", "miners")
    assert revealing_words(claim, asked, "Malaria in Lubero") == ()


def test_words_give_a_conclusion_away_with_their_accents_or_without() -> None:
    claim, bare = "Dépistage précoce évita épidémie", "Pourquoi le depistage précoce evita-t-il une epidemie?"
    assert revealing_words(claim, bare, "") == ("depistage", "precoce", "evita", "epidemie")
    assert revealing_words(claim, "Pourquoi y eut-il une epidemie?", "") == ()


@given(st.text(), st.text())
@example("AAAAA0AAAAB0AAAB\u00c0", "")  # the accent is no part of the word that is named
def test_only_words_of_the_conclusion_give_it_away_and_only_to_a_question_that_has_them(claim: str, other: str) -> None:
    assert all(word in strip_accents(claim).casefold() for word in revealing_words(claim, claim + other, ""))
    assert revealing_words(claim, other, other) == ()


def test_of_the_published_inference_questions_one_in_twenty_gives_its_answer_away(
    shared_data: Callable[[str], Path],
) -> None:
    rows = gzip.decompress(shared_data("epiqal/items_B.jsonl.gz").read_bytes()).splitlines()
    items = [json.loads(row) for row in rows]
    found = [revealing_words(right["option"], item["question"], "") for item in items for right in item["correct"]]
    assert (sum(map(bool, found)), len(found)) == (27, 500)


def test_distractors_are_recorded_as_those_of_every_pipeline() -> None:
    (said,) = taken("mislead", {"options": [option("background", discussion=(3,))]})["options"]
    assert (said["confusion"], said["rationale"], said["text"]) == (
        "background",
        "Not counted.",
        "Mild cases were missed",
    )
    assert [span["text"] for span in said["discussion"]] == [DISCUSSION[2]]
    assert [span["sentence"] for span in said["evidence"]] == [1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([option("background")] * 3, "there are 3 options: give the best 2"),
        ([option("outside_literature")], "kind must be one of background, incorrect_conclusion, causal_reversal"),
        ([option("background", discussion=())], "discussion name the sentences that limitation_or_future_work,"),
        ([option("background", CARRIED)], "repeats a correct or taken option"),
        ([option("background", "The harbour school spread mumps.")], "repeats a correct or taken option"),
        ([option("causal_reversal", "The college closed on 2 May")], "the document itself states"),
        ([option("rumour")], r"options\.0\.kind"),
        ([option("background", discussion=(4,))], "discussion cites sentence 4, but there are sentences 1 to 3"),
    ],
)
def test_distractors_that_cannot_be_used_go_back(options: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(BadReply, match=message):
        taken("mislead", {"options": options})


def test_a_kind_again_is_passed_over_while_others_are_left() -> None:
    said = taken("mislead", {"options": [option("background"), option("background", "Mumps comes and goes")]})
    assert [one["text"] for one in said["options"]] == ["Mild cases were missed"]


@given(st.lists(st.tuples(KIND, st.booleans())), st.lists(KIND, unique=True))
def test_usable_distractors_have_a_kind_each_as_long_as_others_are_left(
    written: list[tuple[str, bool]], wanted: list[str]
) -> None:
    ask = replace(ONE_OF_EACH["mislead"], kinds=tuple(wanted))
    kept = [one["kind"] for one in usable(ask, [option(kind, discussion=(1,) * cited) for kind, cited in written])]
    for number, kind in enumerate(kept):
        assert set(wanted) <= set(kept[:number]) or (kind in wanted and kind not in kept[:number])
    sound = {kind for kind, cited in written if cited or kind not in SOURCED}
    assert sound & set(wanted) <= set(kept)  # nothing that is wanted gets lost


@pytest.mark.parametrize(
    ("kinds", "allowed"), [(KINDS[3:], KINDS[3:]), (KINDS[4:], KINDS), ((), KINDS)], ids=["enough", "too few", "none"]
)
def test_the_schema_of_distractors_allows_the_kinds_that_are_wanted(
    kinds: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    ask: Ask = replace(ONE_OF_EACH["mislead"], kinds=kinds)
    said = schema("mislead", ask)
    part = said["$defs"]["Option"]["properties"]
    assert part["kind"]["enum"] == list(allowed)
    assert said["properties"]["options"]["maxItems"] == 2
    assert part["discussion"]["minItems"] == 0
    assert part["discussion"]["items"]["maximum"] == len(DISCUSSION)


def test_verdicts_on_what_must_be_concluded_are_recorded_under_the_ids_of_the_options() -> None:
    said = {
        letter: {"sentences": [2], "reason": "It follows.", "verdict": verdict}
        for letter, verdict in (("A", "wrong"), ("B", "correct"))
    }
    own = {"answer": "Students carried it.", "sentences": [2]}
    assert taken("check_reconstruction", own | {"verdicts": said})["verdicts"] == {"id1": said["A"], "id2": said["B"]}
    with pytest.raises(BadReply, match="exactly the keys A, B"):
        taken("check_reconstruction", own | {"verdicts": {"A": said["A"]}})
    assert list(schema("check_reconstruction")["properties"]["verdicts"]["properties"]) == ["A", "B"]


@pytest.mark.parametrize("verdict", ["faithful", "distorted", "no_conclusion", "cannot_say"])
def test_a_conclusion_is_checked_against_its_sentences_with_one_of_four_verdicts(verdict: str) -> None:
    body = {"reason": "They say so.", "verdict": verdict}
    assert taken("compare_conclusion", body) == body
