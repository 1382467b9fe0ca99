"""Slips of form that leave one reading are mended; what could mean two things is left as it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.llm.replies.mend import mend_object

SCHEMA: dict[str, Any] = {
    "type": "object",
    "$defs": {"Verdict": {"type": "string", "enum": ["correct", "wrong", "cannot_say"]}},
    "properties": {
        "evidence": {"type": "array", "items": {"type": "integer"}},
        "verdict": {"$ref": "#/$defs/Verdict"},
        "part": {"type": "object", "properties": {"n": {"type": "integer"}, "sure": {"type": "boolean"}}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "share": {"type": "number"},
        "of": {"const": "this"},
        "any": {},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
    },
}
GOOD: dict[str, Any] = {
    "evidence": [4],
    "verdict": "correct",
    "part": {"n": 1, "sure": True},
    "note": None,
    "share": 0.5,
    "of": "this",
    "any": 7,
    "either": "x",
}
SLIPS: dict[str, dict[str, Any]] = {
    "nothing": {},
    "a key too many": {"confidence": 0.9},
    "capitals": {"verdict": "Correct"},
    "a full stop": {"verdict": " correct. "},
    "a choice in a list": {"verdict": ["correct"]},
    "a citation in brackets": {"evidence": ["[4]"]},
    "a citation in a text": {"evidence": "[4]"},
    "a citation alone": {"evidence": 4},
    "a citation with a letter": {"evidence": ["S4"]},
    "an object in a string": {"part": '{"n": 1, "sure": true}'},
    "an object in a list": {"part": [{"n": 1, "sure": True}]},
    "a number in a string": {"part": {"n": "1", "sure": True}},
    "a truth value in a string": {"part": {"n": 1, "sure": "True"}},
    "a share in a string": {"share": "0.5"},
    "a constant": {"of": "This"},
}


@pytest.mark.parametrize("slip", SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_with_one_reading_is_mended(slip: dict[str, Any]) -> None:
    assert json.loads(mend_object(json.dumps(GOOD | slip), SCHEMA)) == GOOD


def test_keys_in_other_spellings_and_an_answer_in_an_envelope_are_known() -> None:
    spelt = {key.upper(): part for key, part in GOOD.items()}
    assert json.loads(mend_object(json.dumps(spelt), SCHEMA)) == GOOD
    for inner in (GOOD, json.dumps(GOOD)):
        assert json.loads(mend_object(json.dumps({"answer": inner}), SCHEMA)) == GOOD


def test_several_citations_in_one_text_are_told_apart_but_no_range_is_guessed() -> None:
    def mended(value: Any) -> Any:
        return json.loads(mend_object(json.dumps(GOOD | {"evidence": value}), SCHEMA))["evidence"]

    assert mended("[4], [5]") == mended("4 5") == mended("[4, 5]") == [4, 5]
    assert mended("4-6") == ["4-6"]
    assert mended(["four"]) == ["four"]
    assert mended(None) is None


LEFT: dict[str, tuple[dict[str, Any], str, Any]] = {
    "another word": ({"verdict": "right"}, "verdict", "right"),
    "no choice": ({"verdict": 3}, "verdict", 3),
    "two entries": ({"verdict": ["correct", "wrong"]}, "verdict", ["correct", "wrong"]),
    "a text that is no object": ({"part": "none"}, "part", "none"),
    "a text that is another value": ({"part": "[1]"}, "part", "[1]"),
    "no truth value": ({"part": {"n": 1, "sure": "perhaps"}}, "part", {"n": 1, "sure": "perhaps"}),
    "two forms": ({"either": "4"}, "either", "4"),
    "no number": ({"share": "half"}, "share", "half"),
}


@pytest.mark.parametrize(("slip", "key", "value"), LEFT.values(), ids=LEFT.keys())
def test_what_has_no_single_reading_is_left_as_it_is(slip: dict[str, Any], key: str, value: Any) -> None:
    assert json.loads(mend_object(json.dumps(GOOD | slip), SCHEMA))[key] == value


def test_with_one_of_its_own_keys_missing_no_other_key_falls() -> None:
    short = {key: part for key, part in GOOD.items() if key != "share"} | {"part_of": 0.5}
    assert json.loads(mend_object(json.dumps(short), SCHEMA)) == short


def test_a_number_where_a_text_is_wanted_becomes_one() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert json.loads(mend_object('{"a": 7}', schema)) == {"a": "7"}
    assert json.loads(mend_object('{"a": true}', schema)) == {"a": True}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["Correct", "[4]", "{}", "[]"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*GOOD, "x"]), inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from([*GOOD, "x"]), VALUES))
def test_mending_breaks_on_nothing(value: dict[str, Any]) -> None:
    assert isinstance(json.loads(mend_object(json.dumps(value), SCHEMA)), dict)
