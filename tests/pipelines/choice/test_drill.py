"""What the drill's models say is accepted by the agent that asked, whatever it asked, and depends on that alone."""

import json
import tomllib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.asks import LANGUAGE, ONE_OF_EACH, agent, read_by

from benchwright.agents.base import Masked, Passage, Quoted, accept, every_agent, request
from benchwright.agents.choice import (
    answer_item,
    ask_for_conclusion,
    check_option,
    compare_stems,
    describe_entity,
    extract_conclusion,
    infer_correct_options,
    infer_distractors,
    mislead,
    pick_entity,
    summarise_knowledge,
    write_inference,
)
from benchwright.domain.campaign import Model
from benchwright.domain.filler import WORDS, phrase
from benchwright.domain.knowledge import Entity, Fact
from benchwright.domain.snippet import Results, Snippet
from benchwright.llm.replies.chat import body
from benchwright.pipelines import PIPELINES, play
from benchwright.pipelines.choice.difficulty import mark
from benchwright.pipelines.choice.drill import MADE, common, reply

MODEL = Model("m", "direct", "stub", "http://127.0.0.1:9/v1")
PEOPLE = "review_"  # how the names of the roles begin that people serve
words = st.sampled_from(WORDS)
texts = st.lists(words, min_size=1, max_size=9).map(" ".join)
several = st.lists(texts, max_size=4, unique=True).map(tuple)
stems = st.lists(words, min_size=2, max_size=20).map(lambda named: f"Which {' '.join(named)} was it?")
quoted = st.just(Quoted((1, 4)))
masked = st.just(Masked(most=500))
letters = st.lists(texts, min_size=1, max_size=30).map(
    lambda told: check_option.letter_options((f"id{number}", text) for number, text in enumerate(told))
)
checked = st.builds(check_option.Ask, stems, letters, st.just(LANGUAGE))
entities = st.builds(Entity, texts, texts, st.just("disease"), several)
facts = st.builds(Fact, entities, texts, entities, texts, texts | st.just(""))


@st.composite
def rewrites(draw: st.DrawFn) -> describe_entity.Ask:
    """A word of a stem to be described; names that are forbidden, of which the stem may hold some."""
    stem = draw(stems)
    entity = draw(st.sampled_from(stem.removesuffix("?").split()))
    names = draw(st.lists(words | st.sampled_from(["Blue Death", "VHF", "river blindness"]), max_size=6).map(tuple))
    snippets = draw(st.lists(texts.map(lambda text: Snippet(text, "glossary.csv:2")), min_size=1, max_size=6))
    return describe_entity.Ask(stem, entity, names, Results(tuple(snippets)), draw(several), LANGUAGE)


ASKS: dict[str, st.SearchStrategy[Any]] = {name: st.just(ask) for name, ask in ONE_OF_EACH.items()} | {
    "check_option": checked,
    "check_inference": checked,
    "check_reconstruction": checked,
    "judge_item": checked,
    "write_inference": st.builds(
        write_inference.Ask,
        st.just("Closures: what was shut."),
        st.just("any part of the document"),
        st.just(Passage("seed", 4)),
        several.map(write_inference.number_statements),
        st.integers(1, 6),
        st.just(LANGUAGE),
    ),
    "infer_correct_options": st.builds(
        infer_correct_options.Ask, stems, texts, quoted, st.integers(1, 6), st.just(LANGUAGE)
    ),
    "infer_distractors": st.builds(
        infer_distractors.Ask,
        stems,
        quoted,
        several,
        several,
        st.sets(st.sampled_from(infer_distractors.FAMILIES)).map(
            lambda there: infer_distractors.open_families(infer_distractors.FAMILIES, there)
        ),
        st.integers(1, 12),
        st.just(LANGUAGE),
    ),
    "extract_conclusion": st.builds(extract_conclusion.Ask, masked, st.integers(1, 6), st.just(LANGUAGE)),
    "ask_for_conclusion": st.builds(
        ask_for_conclusion.Ask,
        st.lists(texts, min_size=1, max_size=6).map(tuple),
        quoted,
        st.just(LANGUAGE),
    ),
    "mislead": st.builds(
        mislead.Ask,
        masked,
        stems,
        several,
        several,
        st.lists(st.sampled_from(mislead.KINDS), unique=True).map(tuple),
        st.integers(1, 12),
        st.just(LANGUAGE),
    ),
    "pick_entity": st.builds(pick_entity.Ask, stems, st.lists(words, max_size=9).map(tuple), st.just(LANGUAGE)),
    "describe_entity": rewrites(),
    "compare_stems": st.builds(compare_stems.Ask, stems, stems, st.just(LANGUAGE)),
    "summarise_knowledge": st.builds(
        summarise_knowledge.Ask,
        st.lists(facts, min_size=1, max_size=9).map(summarise_knowledge.number_facts),
        texts,
    ),
}


def replied(name: str, ask: Any, run: int = 0, seed: int = 0) -> str:
    """What is said to a question of that agent."""
    asked = body(request(agent(name), ask, read_by(name), MODEL, run, seed))
    content = reply(asked)
    assert reply(json.loads(json.dumps(asked))) == content
    return content


def answered(name: str, ask: Any, seed: int = 0) -> Any:
    """The same as it is recorded: it has been accepted."""
    return json.loads(accept(agent(name), ask, read_by(name), replied(name, ask, seed=seed)))


def test_every_role_that_models_serve_is_answered() -> None:
    ours = {name for name, one in every_agent().items() if ".choice." in one.Ask.__module__}
    assert set(MADE) == {name for name in ours if not name.startswith(PEOPLE)}


@pytest.mark.parametrize("name", sorted(MADE))
@settings(deadline=None)
@given(st.data(), st.integers(0, 99), st.integers(0, 9999))
def test_whatever_is_asked_the_agent_accepts_what_is_said(name: str, data: st.DataObject, run: int, seed: int) -> None:
    ask = data.draw(ASKS[name])
    assert accept(agent(name), ask, read_by(name), replied(name, ask, run, seed))


def test_a_bad_reply_shown_back_changes_nothing_about_what_is_asked() -> None:
    name = "check_inference"
    asked = body(request(agent(name), ONE_OF_EACH[name], read_by(name), MODEL, 0, 0))
    shown = ({"role": "assistant", "content": "{}"}, {"role": "user", "content": "Your reply cannot be used: it is {}"})
    again = reply(asked | {"messages": [*asked["messages"], *shown]})
    assert accept(agent(name), ONE_OF_EACH[name], read_by(name), again)


def test_about_half_of_all_items_are_answered_by_every_judge() -> None:
    wrong = [text for n in range(99) if common(text := phrase("wrong", n)) == "wrong"][:3]
    right = next(text for n in range(99) if common(text := phrase("right", n)) == "correct")
    options = check_option.letter_options([(text, text) for text in (right, *wrong)])
    easy = 0
    for number in range(100):
        ask = check_option.Ask(f"Which {phrase(number)} was it?", options, LANGUAGE)
        said = [answered(answer_item.agent.name, ask, seed)["answers"] for seed in range(3)]
        easy += all(mark([text for text, one in told.items() if one["right"]], [right]).exact for told in said)
    assert 35 <= easy <= 65


def test_the_registry_plays_a_pipeline_that_there_is_with_a_role_that_votes() -> None:
    made = play()
    kind = PIPELINES[made.pipeline]

    kind.Settings.model_validate(tomllib.loads(made.settings)[made.pipeline])
    assert [role.name for role in kind.roles if role.votes] == [made.votes]
    assert made.reply is reply


def test_an_entity_is_a_long_word_of_the_stem_until_none_is_left() -> None:
    ask, left = pick_entity.Ask("Is it the ferry or the river by now?", (), LANGUAGE), {"ferry", "river"}
    while left:
        found = answered("pick_entity", ask)["entity"]
        left.remove(found)
        ask = replace(ask, earlier=(*ask.earlier, found))
    assert answered("pick_entity", ask)["kind"] == "none"


def test_a_description_stands_where_the_entity_stood() -> None:
    ask = describe_entity.Ask("Did the ferry sink?", "ferry", (), Results((Snippet("A boat.", ""),)), (), LANGUAGE)
    said = answered("describe_entity", ask)
    assert said["question"] == f"Did the {said['phrase']} sink?"


def test_of_most_right_options_all_checkers_hold_that_they_are_right() -> None:
    name = "infer_correct_options"
    options = [answered(name, ONE_OF_EACH[name], seed)["options"] for seed in range(50)]
    held = Counter(common(option["text"]) == "correct" for told in options for option in told)
    assert {len(told) for told in options} == {2}
    assert held[True] > held[False]
