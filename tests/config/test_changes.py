"""What is told when a campaign file has changed."""

import json

from hypothesis import given
from hypothesis import strategies as st

from benchwright.config import describe_changes, differences
from benchwright.domain.ids import canonical

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)
TABLES = st.dictionaries(st.text(max_size=3), JSON, max_size=4)


def test_a_changed_value_is_told_under_its_path() -> None:
    assert differences({"rule": {"accept": "4/5", "quorum": 1}}, {"rule": {"accept": "3/4", "quorum": 1}}) == [
        "rule.accept: 4/5 -> 3/4"
    ]


def test_differences_of_prompts_and_schemas_are_told_to_be_benchwrights_own() -> None:
    assert describe_changes(["rule.accept: 4/5 -> 3/4"]) == "  rule.accept: 4/5 -> 3/4"
    told = describe_changes(["name: a -> b", "prompts.check_option: 1 -> 2"])
    assert told.startswith("  name: a -> b\n  prompts.check_option: 1 -> 2\n(")
    assert "Benchwright's own" in told


def test_what_came_and_went_is_told_in_the_order_of_the_keys() -> None:
    old = {"models": {"a": {"t": 0.0}, "b": {"t": None}}, "name": ""}
    new = {"models": {"a": {"t": 1.0}, "c": {"t": 2}}, "name": "x\ny"}
    assert differences(old, new) == [
        "models.a.t: 0.0 -> 1.0",
        'models.b: removed (was {"t":null})',
        'models.c: added ({"t":2})',
        'name: "" -> "x\\ny"',
    ]


def test_a_recipe_from_the_store_equals_the_live_one() -> None:
    live = {"corpus": ("a", "b"), "settings": {"distractors": 3}}
    assert differences(json.loads(canonical(live)), live) == []


def test_a_change_within_tables_and_lists_of_tables_is_told_where_it_is() -> None:
    graph = {"form": "ekg", "path": "a"}
    old = {"settings": {"refine": {"alpha": 0.3, "rounds": 3}, "knowledge": {"graphs": [graph]}}}
    new = {"settings": {"refine": {"alpha": 0.7, "rounds": 3}, "knowledge": {"graphs": [graph | {"path": "b"}, graph]}}}
    assert differences(old, new) == [
        "settings.knowledge.graphs.0.path: a -> b",
        'settings.knowledge.graphs.1: added ({"form":"ekg","path":"a"})',
        "settings.refine.alpha: 0.3 -> 0.7",
    ]


def test_a_table_that_is_switched_on_or_off_is_told_as_a_whole() -> None:
    on = {"refine": {"alpha": 0.3}, "knowledge": None, "graphs": [{"path": "a"}]}
    off = {"refine": False, "knowledge": {"most": 3}, "graphs": []}
    assert differences(on, off) == [
        'graphs: [{"path":"a"}] -> []',
        'knowledge: null -> {"most":3}',
        'refine: {"alpha":0.3} -> false',
    ]


def test_a_long_value_is_cut() -> None:
    assert len(differences({"a": "x" * 500}, {"a": 1})[0]) < 100


@given(TABLES, TABLES)
def test_no_change_is_silent_and_none_is_invented(old: dict[str, object], new: dict[str, object]) -> None:
    assert differences(old, old) == []
    assert bool(differences(old, new)) == (canonical(old) != canonical(new))
    assert all("\n" not in line for line in differences(old, new))
