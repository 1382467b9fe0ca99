"""Intents, categories, levels and lengths: those that ship with the package, and those of others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.retrieval.made import retrieval

from benchwright.errors import ConfigError
from benchwright.pipelines.retrieval.intents import load_categories, load_intents, size_of

NAMES = {"QA": "qa", "QAdoc": "qadoc", "Twitter": "twitter", "FC": "fc", "NLI": "nli", "STS": "sts"}
LISTS = {"query_length": "query_length", "clarity": "clarity", "difficulty": "difficulty", "num_words": "text_length"}


@pytest.fixture(name="facts")
def _facts(shared_data: Callable[[str], Path]) -> Callable[[str], Any]:
    """The files of facts about DisastIR by their names."""
    return lambda name: json.loads((shared_data("disastir") / name).read_text("utf-8"))


def test_the_event_types_are_those_of_the_paper(facts: Callable[[str], Any]) -> None:
    wanted = facts("event_types.json")
    found, _ = load_categories("hazards", Path(), ())

    assert {one.name: list(one.events) for one in found} == wanted["event_types"]
    assert {one.name: one.short for one in found} == wanted["_meta"]["abbreviations"]


def test_the_value_lists_and_scales_are_those_of_the_paper(facts: Callable[[str], Any]) -> None:
    wanted = facts("intents.json")["intents"]
    found = {one.name: one.table for one in load_intents("intents", Path(), ())[0]}

    for name, ours in NAMES.items():
        lists = wanted[name]["placeholders"]
        lists = next((lists[key] for key in lists if key.startswith("paper_table")), lists)
        assert {key: set(lists[key]) for key in LISTS} == {
            key: set(getattr(found[ours], of_ours)) for key, of_ours in LISTS.items()
        }
        scale = 6 if name == "STS" else 4
        assert len(found[ours].levels) == scale
        made = len(wanted[name]["output_keys"]) - 2
        assert len(found[ours].negatives) == made


def test_there_are_48_tasks_of_301_event_types_in_8_categories() -> None:
    intents, categories = load_intents("intents", Path(), ())[0], load_categories("hazards", Path(), ())[0]

    assert (len(intents), len(categories), len(intents) * len(categories)) == (6, 8, 48)
    assert sum(len(one.events) for one in categories) == 301


def test_only_values_that_go_together_are_drawn() -> None:
    [qa] = load_intents("intents", Path(), ("qa",))[0]
    pairs = {(one["query_length"], one["difficulty"]) for one in qa.table.draws}

    assert ("less than 10 words", "PhD") not in pairs
    assert ("less than 10 words", "college") in pairs
    assert len(qa.table.draws) == (5 * 4 - 2) * 3 * 4


def test_sts_goes_from_0_to_5_and_is_graded_in_one_step() -> None:
    [sts] = load_intents("intents", Path(), ("sts",))[0]

    assert (sts.most, sts.half, sts.table.strategies) == (5, 3, ("direct",))


@pytest.mark.parametrize(
    ("words", "fits", "misfits"),
    [
        ("less than 10 words", (1, 9), (0, 10)),
        ("at most 50 words", (1, 50), (0, 51)),
        ("5 to 20 words", (5, 20), (4, 21)),
        ("at least 150 words", (150, 9000), (0, 149)),
    ],
)
def test_a_length_is_what_its_words_say(words: str, fits: tuple[int, ...], misfits: tuple[int, ...]) -> None:
    size = size_of(words)

    assert not any(size.fault("query", "word " * n) for n in fits)
    assert all("asked for" in size.fault("query", "word " * n) for n in misfits)


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 600))
def test_a_length_between_two_numbers_holds_both_ends(one: int, other: int, count: int) -> None:
    least, most = sorted((one, other))
    size = size_of(f"{least} to {most} words")

    assert bool(size.fault("text", "word " * count)) == (not least <= count <= most)


@pytest.mark.parametrize("words", ["20 to 5 words", "about 10 words", "", "ten words"])
def test_words_that_are_no_length_are_refused(words: str) -> None:
    with pytest.raises(ValueError, match="is no length"):
        size_of(words)


INTENT = """
[intents.find]
title = "Find"
query = "a question"
text = "a passage"
task = "Find it"
takes = "passage"
relevant = {relevant}
names_event = false
seed_graded = false
strategies = {strategies}
levels = ["no", "a little", "yes"]
answer = "Is it so?"
if_yes = {yes}
if_no = []
query_length = ["{length}"]
clarity = ["clear"]
difficulty = ["school"]
text_length = ["at most 50 words"]
unfit = {unfit}
[intents.find.criteria]
exactness = "how precise"
"""
USUAL = {
    "relevant": 1,
    "strategies": '["direct", "steps"]',
    "yes": '["exactness"]',
    "length": "5 to 20 words",
    "unfit": "[]",
}
CATEGORIES = """
[[categories]]
name = "Storms"
events = {events}
"""


def test_another_domain_brings_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(INTENT.format(**USUAL), "utf-8")
    (tmp_path / "topics.toml").write_text(CATEGORIES.format(events='["Gale", "Hail"]'), "utf-8")
    intents, first = load_intents("mine.toml", tmp_path, ())
    categories, second = load_categories("topics.toml", tmp_path, ("Storms",))

    assert [one.name for one in intents] == ["find"]
    assert [(str(one), one.events) for one in categories] == [("Storms", ("Gale", "Hail"))]
    assert first != second


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"relevant": 3}, "relevant is 3, and the greatest level is 2"),
        ({"yes": '["beauty"]'}, "criteria has no beauty"),
        ({"length": "short"}, "'short' is no length"),
        ({"unfit": '[{ clarity = "clear" }]'}, "unfit leaves nothing to draw"),
        ({"strategies": '["votes"]'}, "strategies"),
    ],
)
def test_a_file_of_intents_with_a_mistake_is_refused_with_its_place(
    tmp_path: Path, change: dict[str, Any], told: str
) -> None:
    (tmp_path / "mine.toml").write_text(INTENT.format(**USUAL | change), "utf-8")
    with pytest.raises(ConfigError, match=r"mine.toml.*intents.find") as error:
        load_intents("mine.toml", tmp_path, ())
    assert told in str(error.value)


def test_strategies_of_several_steps_need_criteria(tmp_path: Path) -> None:
    text = INTENT.format(**USUAL | {"yes": "[]"}).replace('exactness = "how precise"', "")
    (tmp_path / "bare.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError, match="need criteria"):
        load_intents("bare.toml", tmp_path, ())


def test_an_event_type_has_one_place(tmp_path: Path) -> None:
    (tmp_path / "topics.toml").write_text(CATEGORIES.format(events='["Gale", "Gale"]'), "utf-8")
    with pytest.raises(ConfigError, match="event Gale is named twice"):
        load_categories("topics.toml", tmp_path, ())


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [("none.toml", None, "cannot be read"), ("bad.toml", "a = ", "is not TOML"), ("of-ours", None, "cannot be read")],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str | None, told: str) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=told):
        load_intents(name, tmp_path, ())


def test_an_unknown_intent_or_category_is_named_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"intents: maths is none of qa, qadoc"):
        retrieval(intents=("maths",))
    with pytest.raises(ConfigError, match=r"categories: Music is none of Chemical, Chem"):
        retrieval(categories=("Music",))
    assert len(retrieval(intents=(), categories=("Geo", "Biological")).setup.categories) == 2


def test_a_file_that_an_editor_gave_a_mark_is_read(tmp_path: Path) -> None:
    text = '[[categories]]\nname = "Floods"\nevents = ["flash flood"]\n'
    (tmp_path / "marked.toml").write_text(text, "utf-8-sig")
    found, _ = load_categories("marked.toml", tmp_path, ())
    assert [one.name for one in found] == ["Floods"]
