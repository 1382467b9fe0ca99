"""What one JSON object is found in what models really write, and what is left alone."""

import json
from contextlib import suppress
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchwright.errors import BadReply
from benchwright.llm.replies.reply import clean, json_objects, split_thought


def read(text: str) -> str:
    """What becomes of a reply's content."""
    return json_objects(split_thought(clean(text))[1])[0]


USABLE: dict[str, tuple[str, Any]] = {
    "plain": ('{"a": 1}', {"a": 1}),
    "think then fence": ('<think>maybe {"a": 0}</think>\n```json\n{"a": 1}\n```', {"a": 1}),
    "swallowed opening of the thought": ('maybe {"a": 0}\n</think>\n{"a": 1}', {"a": 1}),
    "bracketed thought": ('[THINK]{"a": 0}[/THINK]{"a": 1}', {"a": 1}),
    "channels": ('<|channel|>analysis<|message|>{"a": 0}<|end|><|channel|>final<|message|>{"a": 1}', {"a": 1}),
    "channels with a constraint": (
        '<|channel|>analysis<|message|>{"a": 0}<|start|>assistant<|channel|>final <|constrain|>json<|message|>{"a": 1}',
        {"a": 1},
    ),
    "channels without their marks": ('analysisWe need {"a": 0}.assistantfinal{"a": 1}', {"a": 1}),
    "two thoughts": ('<think>x</think> so <thinking>{"a": 0}</thinking>{"a": 1}', {"a": 1}),
    "a thought about the mark": ('<think>close with </think>? {"a": 0}</think>{"a": 1}', {"a": 1}),
    "a draft first, its thought unopened": ('{"a": 0} or rather\n</think>\n{"a": 1}', {"a": 1}),
    "a draft that contradicts itself": ('{"a": 0, "a": 2}\n</think>\n{"a": 1}', {"a": 1}),
    "more sketches than anyone looks at": ('{"a": ...} ' * 99 + '</think>{"a": 1}', {"a": 1}),
    "a closing mark astray after the answer": ('{"a": 1}\n</think>', {"a": 1}),
    "a thought after the answer": ('{"a": 1}\n<think>was that right? {"a": 0}</think>', {"a": 1}),
    "json then prose": ('{"a": 1}\nI hope {"this": "helps"}!', {"a": 1}),
    "prose then json": ('Sure, for {name} here it is: {"a": 1}', {"a": 1}),
    "an object in a string": (json.dumps(json.dumps({"a": "x"})), {"a": "x"}),
    "comments": ('{ // first\n"a": 1, /* second, */ // third\n}', {"a": 1}),
    "an address": ('{"a": "http://x//y", }', {"a": "http://x//y"}),
    "a sketch, then the object": ('The form is {"a": ...}. So: {"a": 1}', {"a": 1}),
    "an object alone in a list": ('[{"a": 1}]', {"a": 1}),
    "single quotes": ("{'a': 'say \"yes\"', 'b': ['it\\'s']}", {"a": 'say "yes"', "b": ["it's"]}),
    "trailing commas": ('{"a": [1, 2,], "b": {"c": 3, }, }', {"a": [1, 2], "b": {"c": 3}}),
    "Python's words": ("{'a': True, 'b': None, 'c': False}", {"a": True, "b": None, "c": False}),
    "an escaped apostrophe": ('{"a": "it\\\'s"}', {"a": "it's"}),
    "a raw line break": ('{"a": "one\ntwo"}', {"a": "one\ntwo"}),
    "a thought inside the answer": ('{"a": "write <think>x</think>"}', {"a": "write <think>x</think>"}),
    "one inside a fenced answer": ('```json\n{"a": "<think>x</think>"}\n```', {"a": "<think>x</think>"}),
    "an end of one inside, after prose": ('Sure: {"a": "x</think>"}', {"a": "x</think>"}),
    "a lone surrogate": ('{"a": "x\ud800y"}', {"a": "x\ufffdy"}),
    "an escaped lone surrogate": ('{"a": "x\\ud800y"}', {"a": "x\ufffdy"}),
    "an escaped pair": ('{"a": "\\ud83d\\ude00"}', {"a": "\U0001f600"}),
    "NUL": ('{"a": "x\0y", "b\\u0000": "\\u0000"}', {"a": "xy", "b": ""}),
    "the same key twice alike": ('{"a": 1, "a": 1}', {"a": 1}),
}

UNUSABLE = {
    "nothing": ("", "empty"),
    "blanks": (" \n\0", "empty"),
    "only a thought": ('<think>{"a": 1}', "empty"),
    "cut in the first channel": ('<|channel|>analysis<|message|>{"a": 1}', "empty"),
    "a draft, and nothing after the thought": ('Perhaps {"a": 1}?</think>', "empty"),
    "too deep to clean": ('{"a":' + "[" * 700 + "]" * 700 + "}", "no_json"),
    "prose": ("I cannot see a document.", "no_json"),
    "a number": ("42", "no_json"),
    "cut": ('{"a": [{"b": 1}, {"b": 2', "no_json"),
    "a whole object inside a broken one": ('{"a": {"b": 1} oops}', "no_json"),
    "a list of objects": ('[{"a": 1}, {"a": 2}]', "no_json"),
    "an apostrophe that ends a string": ("{'a': 'it's'}", "no_json"),
    "two strings side by side": ('{"a": ["x" "y"]}', "no_json"),
    "no number": ('{"a": NaN}', "no_json"),
    "too large a number": ('{"a": 1e999}', "no_json"),
    "a bottomless pit": ('{"a":' * 100_000, "no_json"),
    "a key that says two things": ('{"o1": true, "o1": false}', "schema"),
    "an object, then one that is not whole": ('{"a": 1} No: {"a": 2', "several"),
    "a string that holds none": ('"yes"', "no_json"),
    "a web page": ("<!doctype html><html><body style='{color: red}'>Bad gateway</body></html>", "no_json"),
}


@pytest.mark.parametrize(("text", "value"), USABLE.values(), ids=USABLE.keys())
def test_the_first_valid_object_is_taken_as_it_was_meant(text: str, value: Any) -> None:
    assert json.loads(read(text)) == value


@pytest.mark.parametrize(("text", "cause"), UNUSABLE.values(), ids=UNUSABLE.keys())
def test_what_holds_no_sound_object_is_refused_with_its_cause(text: str, cause: str) -> None:
    with pytest.raises(BadReply) as caught:
        read(text)
    assert caught.value.cause == cause


PARTED: dict[str, tuple[str, str, str]] = {
    "none": ('{"a": 1}', "", '{"a": 1}'),
    "opened and closed": ("<think> one\n</think>\ntwo", "one", "\ntwo"),
    "not opened": ("one</think>two", "one", "two"),
    "not closed": ("<think>one two", "one two", ""),
    "several": ("<think>one</think>two<think>three</think>four", "one\n\nthree", "twofour"),
    "channels": (
        "<|channel|>analysis<|message|>one<|end|><|start|>assistant<|channel|>final<|message|>two",
        "one",
        "two",
    ),
}


@pytest.mark.parametrize(("text", "thought", "said"), PARTED.values(), ids=PARTED.keys())
def test_what_was_thought_is_told_from_what_was_said(text: str, thought: str, said: str) -> None:
    assert split_thought(text) == (thought, said)


ROUND = 20_000
CIRCLES = ["</think>", "<think>", "<think>x</think>", '{"a": 1}</think>', '{"a": x}</think>', '{"a </think>', '{"a": ']


@pytest.mark.parametrize("part", CIRCLES)
def test_a_reply_that_goes_in_circles_is_read_in_no_time(part: str) -> None:
    began = process_time()
    with suppress(BadReply):
        read(part * ROUND)
    assert process_time() - began < 5  # seconds; looking at every mark would take minutes


TEXT = st.text(st.characters(exclude_categories=(), exclude_characters="\0"), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT.map(clean), inner, max_size=4),
    max_leaves=12,
)


def scrubbed(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case list():
            return [scrubbed(part) for part in value]
        case dict():
            return {key: scrubbed(part) for key, part in value.items()}
    return value


@given(
    st.dictionaries(TEXT.map(clean), VALUES, max_size=4),
    st.booleans(),
    st.sampled_from(["", "Here:\n```json\n", "<think>{'</think>"]),
)
def test_any_object_comes_back_whatever_stands_before_it(value: dict[str, Any], escaped: bool, before: str) -> None:
    text = before + json.dumps(value, ensure_ascii=escaped) + "\n```"
    assert json.loads(read(text)) == scrubbed(value)


MARKED = st.lists(st.sampled_from(["<think>", "</think>", "[THINK]", "<|end|>", "{", '"', "x", " "]), max_size=8)


@given(
    st.dictionaries(MARKED.map("".join), MARKED.map("".join), min_size=1, max_size=3),
    st.sampled_from(["{}", "```json\n{}\n```", "Here it is: {} Well?"]),
)
def test_marks_inside_the_answers_own_strings_are_its_text(value: dict[str, str], frame: str) -> None:
    assert json.loads(read(frame.replace("{}", json.dumps(value)))) == value


@given(st.text(st.sampled_from("abc \n.,"), max_size=30), st.dictionaries(TEXT.map(clean), VALUES, max_size=3))
def test_a_thought_is_kept_and_the_answer_after_it_is_read(thought: str, value: dict[str, Any]) -> None:
    text = f"<think>{thought}</think>{json.dumps(value)}"
    assert split_thought(text) == (thought.strip(), json.dumps(value))


@given(st.dictionaries(TEXT.map(clean), TEXT | st.integers(), min_size=1, max_size=4))
def test_a_python_literal_is_either_read_rightly_or_refused(value: dict[str, Any]) -> None:
    try:
        found = json.loads(read(repr(value)))
    except BadReply:
        return
    assert found == scrubbed(value)


@given(st.text(max_size=200))
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    with suppress(BadReply):
        assert isinstance(json.loads(read(text)), dict)
