"""What of a campaign's parameters really goes out: to endpoints by their addresses, and as litellm translates it.

The rows of docs/endpoints.md that rest on litellm's translation are tested here against the library itself.
"""

from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest

from benchwright.domain.campaign import Model
from benchwright.llm.providers.hosted import library
from benchwright.llm.providers.sent import describe_sent

pytestmark = pytest.mark.filterwarnings("default")  # litellm's own

KEPT = {"max_tokens": 512, "temperature": 0.0, "seed": "by run"}
FORM = ["response_format"]


def said(parameters: dict[str, Any], form: list[str] = FORM, **more: Any) -> dict[str, Any]:
    return {"parameters": parameters, "form": form, "renamed": {}, "dropped": [], "added": {}} | more


def without(*names: str, **more: Any) -> dict[str, Any]:
    return {key: value for key, value in KEPT.items() if key not in names} | more


SPOKEN: dict[str, tuple[Model, dict[str, Any]]] = {
    "plain": (Model("m", "direct", "q", "http://127.0.0.1:8000/v1"), said(KEPT)),
    "openai": (
        Model("m", "direct", "gpt-4.1", "https://api.openai.com/v1"),
        said(without("max_tokens", max_completion_tokens=512), renamed={"max_tokens": "max_completion_tokens"}),
    ),
    "openai, reasoning": (
        Model("m", "direct", "gpt-5-mini", "https://api.openai.com/v1"),
        said(
            {"max_completion_tokens": 512, "seed": "by run"},
            renamed={"max_tokens": "max_completion_tokens"},
            dropped=["temperature"],
        ),
    ),
    "mistral": (
        Model("m", "direct", "mistral-large", "https://api.mistral.ai/v1"),
        said(without("seed", random_seed="by run"), renamed={"seed": "random_seed"}),
    ),
    "gemini": (
        Model("m", "direct", "gemini", "https://generativelanguage.googleapis.com/v1beta/openai"),
        said(without("seed"), dropped=["seed"]),
    ),
    "as the campaign says": (
        Model(
            "m",
            "direct",
            "q",
            "http://127.0.0.1:8000/v1",
            extra={"min_p": 0.0, "chat_template_kwargs": {"enable_thinking": False}},
            omit=("temperature",),
            rename={"max_tokens": "n_predict"},
        ),
        said(
            {"n_predict": 512, "seed": "by run", "min_p": 0.0, "chat_template_kwargs": {"enable_thinking": False}},
            renamed={"max_tokens": "n_predict"},
            dropped=["temperature"],
            added={"min_p": 0.0, "chat_template_kwargs": {"enable_thinking": False}},
        ),
    ),
    "the endpoint's own temperature": (
        Model("m", "direct", "q", "http://127.0.0.1:8000/v1", temperature=None, reply="tool"),
        said(without("temperature"), ["tool_choice", "tools"]),
    ),
    "as text": (Model("m", "direct", "q", "http://127.0.0.1:8000/v1", reply="text"), said(KEPT, [])),
    "for the cache": (
        Model("m", "direct", "anthropic/claude-sonnet-4.5", "https://openrouter.ai/api/v1"),
        said(KEPT, caches="cache_control"),
    ),
}


@pytest.mark.parametrize(("model", "found"), SPOKEN.values(), ids=SPOKEN.keys())
def test_what_goes_to_an_endpoint_is_what_the_record_says(model: Model, found: dict[str, Any]) -> None:
    assert describe_sent(replace(model, max_tokens=512)) == found


TOOL = ["tool_choice", "tools"]
CACHED: dict[str, Any] = {"caches": "cache_control"}
TRANSLATED: dict[str, tuple[str, dict[str, Any]]] = {
    "OpenAI": ("openai/gpt-4.1", said(KEPT)),
    "OpenAI, reasoning": (
        "openai/gpt-5-mini",
        said(
            {"max_completion_tokens": 512, "seed": "by run"},
            renamed={"max_tokens": "max_completion_tokens"},
            dropped=["temperature"],
        ),
    ),
    "Azure": ("azure/gpt-4.1", said(KEPT)),
    "Anthropic": ("anthropic/claude-sonnet-4-5", said(without("seed"), ["output_format"], dropped=["seed"], **CACHED)),
    "Anthropic, older": ("anthropic/claude-3-haiku-20240307", said(without("seed"), TOOL, dropped=["seed"], **CACHED)),
    "Bedrock": (
        "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0",
        said(
            without("seed", "max_tokens", maxTokens=512),
            ["outputConfig"],
            renamed={"max_tokens": "maxTokens"},
            dropped=["seed"],
            **CACHED,
        ),
    ),
    "Vertex": ("vertex_ai/claude-sonnet-4-5@20250929", said(without("seed"), TOOL, dropped=["seed"], **CACHED)),
    "Gemini": (
        "gemini/gemini-2.5-flash",
        said(
            without("max_tokens", max_output_tokens=512, response_mime_type="application/json"),
            ["response_json_schema"],
            renamed={"max_tokens": "max_output_tokens"},
            added={"response_mime_type": "application/json"},
        ),
    ),
    "Mistral": (
        "mistral/mistral-large-latest",
        said(without("seed", random_seed="by run"), renamed={"seed": "random_seed"}),
    ),
    "DeepSeek": ("deepseek/deepseek-chat", said(KEPT)),
    "DashScope": ("dashscope/qwen-max", said(KEPT)),
    "Groq": ("groq/openai/gpt-oss-120b", said(KEPT)),
    "Groq, without schemas": ("groq/llama-3.3-70b-versatile", said(KEPT, TOOL)),
    "xAI": ("xai/grok-4", said(KEPT)),
    "OpenRouter": ("openrouter/meta-llama/llama-3.3-70b-instruct", said(KEPT)),
    "OpenRouter, Claude": ("openrouter/anthropic/claude-sonnet-4.5", said(KEPT, **CACHED)),
    "Together": ("together_ai/meta-llama/Llama-3.3-70B-Instruct-Turbo", said(KEPT)),
    "vLLM": ("hosted_vllm/qwen3", said(KEPT)),
    "Ollama": (
        "ollama_chat/qwen3",
        said(without("max_tokens", num_predict=512), ["format"], renamed={"max_tokens": "num_predict"}),
    ),
    "LM Studio": ("lm_studio/qwen3", said(KEPT)),
    "LiteLLM proxy": ("litellm_proxy/any", said(KEPT)),
}


@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")
@pytest.mark.parametrize(("target", "found"), TRANSLATED.values(), ids=TRANSLATED.keys())
def test_what_litellm_makes_of_a_request_is_what_the_record_says(target: str, found: dict[str, Any]) -> None:
    model = Model("m", "litellm", target, max_tokens=512)
    assert describe_sent(model, library(model)) == found


@pytest.mark.skipif(find_spec("litellm") is None, reason="litellm is not installed")
def test_what_the_campaign_adds_goes_beside_what_litellm_translates() -> None:
    model = Model("m", "litellm", "openai/gpt-4.1", max_tokens=512, extra={"reasoning_effort": "low"}, omit=("seed",))
    found = describe_sent(model, library(model))
    assert found == said(without("seed", reasoning_effort="low"), dropped=["seed"], added={"reasoning_effort": "low"})
