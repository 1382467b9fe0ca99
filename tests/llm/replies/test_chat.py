"""A request as the body that goes out, and failures' waiting times, without any wire."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from benchwright.domain.call import Message, Request, Usage
from benchwright.domain.campaign import Model
from benchwright.errors import Transient
from benchwright.llm.providers.failure import seconds
from benchwright.llm.replies import chat

MODEL = Model("m", "direct", "m-1", base_url="http://127.0.0.1:1/v1")
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def request(schema: dict[str, Any], **settings: Any) -> Request:
    return Request(replace(MODEL, **settings), (Message("user", ("Q",)),), schema)


def test_keywords_that_endpoints_choke_on_are_left_out_but_properties_of_those_names_stay() -> None:
    schema = {
        "title": "Answer",
        "type": "object",
        "properties": {
            "title": {"type": "string", "minLength": 3, "pattern": "x", "title": "Title", "default": ""},
            "format": {"enum": ["title", "default"]},
            "n": {"type": "integer", "minimum": 1, "maximum": 5},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}, "minItems": 1, "maxItems": 3},
        },
        "$defs": {"Part": {"type": "object", "properties": {"default": {"type": "string", "maxLength": 9}}}},
    }
    assert chat.plain(schema) == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "format": {"enum": ["title", "default"]},
            "n": {"type": "integer", "minimum": 1, "maximum": 5},
            "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}, "minItems": 1, "maxItems": 3},
        },
        "required": ["title", "format", "n", "parts"],
        "additionalProperties": False,
        "$defs": {
            "Part": {
                "type": "object",
                "properties": {"default": {"type": "string"}},
                "required": ["default"],
                "additionalProperties": False,
            }
        },
    }


CLAUDE = {
    "anthropic": {"provider": "litellm", "target": "anthropic/claude-sonnet-4-5"},
    "a bare name": {"provider": "litellm", "target": "claude-sonnet-4-5"},
    "bedrock": {"provider": "litellm", "target": "bedrock/converse/us.anthropic.claude-sonnet-4-5-v1:0"},
    "vertex": {"provider": "litellm", "target": "vertex_ai/claude-sonnet-4-5@20250929"},
    "openrouter": {"provider": "litellm", "target": "openrouter/anthropic/claude-sonnet-4.5"},
    "openrouter by its address": {"base_url": "https://openrouter.ai/api/v1", "target": "anthropic/claude-sonnet-4.5"},
}
OTHERS = {
    "another owner": {"provider": "litellm", "target": "openai/claude-like"},
    "another model": {"provider": "litellm", "target": "openrouter/google/gemini-2.5-pro"},
    "gemini": {"provider": "litellm", "target": "gemini/gemini-2.5-pro"},
    "a server of one's own": {"target": "claude-at-home"},
    "omitted": {"provider": "litellm", "target": "anthropic/claude-sonnet-4-5", "omit": ("cache_control",)},
}
TURNS = (
    Message("system", ("S",)),
    Message("user", ("<document>\nD1\n</document>", "<document>\nD2\n</document>", "rules", "example"), 2),
    Message("assistant", ("{}",)),
    Message("user", ("task",)),
)


@pytest.mark.parametrize("settings", CLAUDE.values(), ids=CLAUDE.keys())
def test_claude_is_told_to_cache_up_to_the_last_source(settings: dict[str, Any]) -> None:
    asked = replace(request({}, **settings), messages=TURNS)
    system, first, *rest = chat.messages(asked)
    assert system["content"] == "S"
    assert [part["text"] for part in first["content"]] == list(TURNS[1].parts)
    assert [part.get("cache_control") for part in first["content"]] == [None, {"type": "ephemeral"}, None, None]
    assert [turn["content"] for turn in rest] == ["{}", "task"]
    alone = replace(asked, messages=(TURNS[0], replace(TURNS[1], sources=0)))
    assert "cache_control" not in json.dumps(chat.messages(alone))
    assert asked.id == replace(asked, messages=(TURNS[0], replace(TURNS[1], sources=0), *TURNS[2:])).id


@pytest.mark.parametrize("settings", OTHERS.values(), ids=OTHERS.keys())
def test_nobody_else_is_told_so(settings: dict[str, Any]) -> None:
    asked = replace(request({}, **settings), messages=TURNS)
    assert chat.messages(asked)[1]["content"] == TURNS[1].content
    assert "cache_control" not in chat.body(asked)


@pytest.mark.parametrize(
    "counts",
    [
        {"prompt_tokens_details": {"cache_creation_tokens": 70, "cached_tokens": 20}},
        {"prompt_tokens_details": {"cache_write_tokens": 70, "cached_tokens": 20}},
        {"cache_creation_input_tokens": 70, "prompt_tokens_details": {"cached_tokens": 20}},
    ],
)
def test_what_was_put_into_the_cache_is_read_by_each_of_its_names(counts: dict[str, Any]) -> None:
    said = {"choices": [{"message": {"content": "{}"}}], "usage": {"prompt_tokens": 100, **counts}}
    assert chat.reply(request({}), json.dumps(said), 0.0).usage == Usage(100, 0, cached=20, written=70)
    said["usage"]["prompt_tokens"] = 60  # type: ignore[index]
    assert chat.reply(request({}), json.dumps(said), 0.0).usage.written == 0


def test_an_endpoint_is_strict_only_about_schemas_that_name_every_key() -> None:
    named = {"type": "object", "properties": {"a": {"type": "string"}}}
    free = {"type": "object", "properties": {"a": {"type": "object", "additionalProperties": {"type": "string"}}}}
    strict, loose = (chat.body(request(schema))["response_format"]["json_schema"] for schema in (named, free))
    assert strict["strict"] is True
    assert "strict" not in loose
    assert chat.is_closed([named, {"anyOf": [free]}]) is False


def test_an_endpoint_that_enforces_no_schema_is_told_it_in_words() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    for mode, wanted in (("json_object", {"type": "json_object"}), ("text", None)):
        body = chat.body(request(schema, reply=mode))
        assert body.get("response_format") == wanted
        assert '"properties":{"a":{"type":"string"}}' in body["messages"][-1]["content"]


def test_an_endpoint_without_schemas_can_be_made_to_call_a_function_that_takes_the_answer() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}}
    body = chat.body(replace(request(schema, reply="tool"), step="judge"))
    (tool,) = body["tools"]
    assert tool["function"]["name"] == "judge"
    assert tool["function"]["parameters"] == chat.plain(schema)
    assert body["tool_choice"] == {"type": "function", "function": {"name": "judge"}}
    assert "response_format" not in body
    assert body["messages"] == [{"role": "user", "content": "Q"}]


COUNTS: dict[str, tuple[dict[str, Any] | None, Usage]] = {
    "none": (None, Usage()),
    "cached": (
        {"prompt_tokens": 9, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}},
        Usage(9, 5, 4),
    ),
    "cached, in DeepSeek's words": (
        {"prompt_tokens": 9, "completion_tokens": 5, "prompt_cache_hit_tokens": 4},
        Usage(9, 5, 4),
    ),
    "reasoning within the completion": (
        {"prompt_tokens": 9, "completion_tokens": 5, "completion_tokens_details": {"reasoning_tokens": 3}},
        Usage(9, 5, 0, 3),
    ),
    "reasoning beside the completion": (
        {
            "prompt_tokens": 9,
            "completion_tokens": 5,
            "total_tokens": 17,
            "completion_tokens_details": {"reasoning_tokens": 3},
        },
        Usage(9, 8, 0, 3),
    ),
    "a total alone": ({"total_tokens": 17}, Usage()),
    "details that say nothing": (
        {
            "prompt_tokens": 9,
            "completion_tokens": 5,
            "prompt_tokens_details": None,
            "completion_tokens_details": {"reasoning_tokens": None},
        },
        Usage(9, 5),
    ),
}


@pytest.mark.parametrize(("counts", "usage"), COUNTS.values(), ids=COUNTS.keys())
def test_tokens_are_counted_whatever_the_provider_calls_them(counts: dict[str, Any] | None, usage: Usage) -> None:
    said = {"choices": [{"message": {"content": "{}"}}], "usage": counts}
    assert chat.reply(request({}), json.dumps(said), 0.0).usage == usage


@pytest.mark.parametrize(
    ("reason", "finish"),
    [
        ("stop", "stop"),
        ("tool_calls", "stop"),
        (None, "stop"),
        ("length", "length"),
        ("max_tokens", "length"),
        ("model_length", "length"),
        ("content_filter", "filtered"),
        ("refusal", "refused"),
    ],
)
def test_how_a_reply_ended_is_told_whatever_the_provider_calls_it(reason: str | None, finish: str) -> None:
    said = {"choices": [{"message": {"content": "{}"}, "finish_reason": reason}]}
    assert chat.reply(request({}), json.dumps(said), 0.0).finish == finish


def test_two_accounts_of_the_reasoning_are_both_kept() -> None:
    said = {"choices": [{"message": {"content": "<think>two</think>{}", "reasoning_content": "one"}}]}
    found = chat.reply(request({}), json.dumps(said), 0.0)
    assert (found.reasoning, found.text) == ("one\n\ntwo", "{}")


def test_of_an_answer_larger_than_any_reply_only_the_beginning_is_kept() -> None:
    found = chat.oversized_reply(request({}), "x" * 99_999, 0.5)
    assert (found.finish, len(found.text), found.latency) == ("oversized", chat.SHOWN, 0.5)


def test_samples_of_one_question_differ_by_their_seed_and_by_nothing_else() -> None:
    first = request({})
    one, two = chat.body(first), chat.body(replace(first, run=1))
    assert one.pop("seed") != two.pop("seed")
    assert one == two


def test_settings_that_are_not_given_do_not_go_out() -> None:
    body = chat.body(request({}, temperature=None))
    assert "temperature" not in body
    assert "top_p" not in body


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("7", 7.0),
        (" 0.25 ", 0.25),
        ("Sun, 29 Nov 2026 12:00:30 GMT", 30.0),
        ("Sun, 29 Nov 2026 11:00:00 GMT", 0.0),
        ("Sun, 29 Nov 2026 12:01:00", 60.0),
        ("soon", None),
        ("-3", None),
        ("9" * 400, None),
        ("", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after_are_read(header: str | None, wait: float | None) -> None:
    assert seconds(header, NOW) == wait


def test_a_list_of_models_that_is_none_is_a_passing_failure() -> None:
    with pytest.raises(Transient, match="no JSON"):
        chat.served_models(MODEL, "<html>")


@pytest.mark.parametrize(
    ("told", "counted"),
    [
        ({"prompt_tokens": -1, "completion_tokens": 5}, Usage()),
        ({"prompt_tokens": 7, "completion_tokens": -5}, Usage()),
        ({"prompt_tokens": 10**20, "completion_tokens": 5}, Usage()),
        ({"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 10**15}, Usage()),
        ({"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": -9}, Usage(7, 5)),
        ({"prompt_tokens": 7, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 8}}, Usage(7, 5)),
        ({"prompt_tokens": 7, "completion_tokens": 5, "prompt_cache_hit_tokens": -8}, Usage(7, 5)),
        ({"prompt_tokens": 7, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 7}}, Usage(7, 5, 7)),
    ],
)
def test_counts_that_cannot_be_are_not_believed(told: dict[str, int], counted: Usage) -> None:
    body = {"choices": [{"message": {"content": "x"}}], "usage": told}
    assert chat.reply(request({}), json.dumps(body), 0.1).usage == counted


ODD: dict[str, tuple[object, Usage]] = {
    "no object": ("none", Usage()),
    "a list": ([], Usage()),
    "a part of a token": ({"prompt_tokens": 12.5, "completion_tokens": 3}, Usage()),
    "a word": ({"prompt_tokens": "many"}, Usage()),
    "endless": ({"prompt_tokens": float("inf")}, Usage()),
    "details as a list": ({"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": []}, Usage(5, 2)),
    "odd details": ({"prompt_tokens": 5, "completion_tokens_details": {"reasoning_tokens": "some"}}, Usage(5)),
}


@pytest.mark.parametrize(("told", "counted"), ODD.values(), ids=ODD.keys())
def test_a_reply_is_not_lost_for_how_its_tokens_are_counted(told: object, counted: Usage) -> None:
    body = {"choices": [{"message": {"content": "x"}}], "usage": told}
    assert chat.reply(request({}), json.dumps(body), 0.1).usage == counted
