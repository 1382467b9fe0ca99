"""Who takes the batches of a model: its endpoint, or OpenAI and Anthropic under the names that litellm gives them."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import httpx2 as httpx

from benchwright.domain.call import Request
from benchwright.domain.campaign import Model
from benchwright.errors import ConfigError
from benchwright.llm.batch.anthropic import Anthropic
from benchwright.llm.batch.api import Service
from benchwright.llm.batch.openai import OpenAi
from benchwright.llm.batch.wire import Wire
from benchwright.llm.providers.direct import find_headers, find_key
from benchwright.llm.providers.hosted import library
from benchwright.llm.replies import chat

INTERNAL = {"stream", "extra_body", "json_mode"}  # what litellm keeps among a request's parameters for itself
VERSION = "2023-06-01"


def service(model: Model) -> Service:
    """The batch API of a model; raises `BadKey` where its key is missing, `ConfigError` where it has none."""
    owner = model.target.partition("/")[0] if model.provider == "litellm" else model.provider
    match owner:
        case "direct":
            return OpenAi(bearer(model, model.base_url, find_key(model)), chat.body)
        case "openai":
            base = address(model, "OPENAI_BASE_URL", "OPENAI_API_BASE") or "https://api.openai.com/v1"
            return OpenAi(
                bearer(model, base, key(model, "OPENAI_API_KEY")), lambda request: translate_request(request)[0]
            )
        case "anthropic":
            base = address(model, "ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL") or "https://api.anthropic.com"
            found = key(model, "ANTHROPIC_API_KEY")
            headers = {"x-api-key": found, "anthropic-version": VERSION}
            return Anthropic(
                Wire(model, base.rstrip("/").removesuffix("/v1"), found, headers), translate_request, completion
            )
        case _:
            raise ConfigError(f"model {model.name!r}: {owner} takes no batches; take batch = true off its roles")


def bearer(model: Model, base: str, found: str) -> Wire:
    """The way to an endpoint that takes its key as OpenAI does."""
    usual = {"Authorization": f"Bearer {found}"} if found else {}
    return Wire(model, base, found, usual | find_headers(model))


def address(model: Model, *variables: str) -> str:
    """Where the provider is, if that was said: by the model, or by the variables that litellm heeds."""
    return model.base_url or next(filter(None, map(os.environ.get, variables)), "")


def key(model: Model, variable: str) -> str:
    """The key from the variable that the model names, or else from the provider's own."""
    return find_key(replace(model, api_key_env=model.api_key_env or variable))


def translate_request(request: Request) -> tuple[Mapping[str, Any], Mapping[str, str]]:
    """The body of a request as litellm would send it to the provider, and the headers that it would add."""
    litellm = library(request.model)
    body = chat.body(request)
    owner, _, name = str(body.pop("model")).partition("/")
    turns = body.pop("messages")
    parameters = litellm.utils.get_optional_params(model=name, custom_llm_provider=owner, drop_params=True, **body)
    config = litellm.utils.ProviderConfigManager.get_provider_chat_config(name, litellm.LlmProviders(owner))
    headers: dict[str, str] = {}
    sent = config.transform_request(
        model=name, messages=turns, optional_params=parameters, litellm_params={}, headers=headers
    )
    more = sent.get("extra_body") or {}
    return {part: value for part, value in sent.items() if part not in INTERNAL} | more, headers


def completion(model: Model, message: dict[str, Any]) -> str | None:
    """A message of Anthropic's as a body of OpenAI's form, translated by litellm; None where that cannot be."""
    litellm = library(model)
    if "error" in message:
        return None
    try:
        found = litellm.AnthropicConfig().transform_parsed_response(
            completion_response=message,
            raw_response=httpx.Response(200),
            model_response=litellm.ModelResponse(),
            json_mode=True,  # the answer may be the arguments of a tool that litellm made of the schema
        )
    except (LookupError, TypeError, ValueError, AttributeError):  # whatever reading a strange message meets
        return None
    return json.dumps(found.model_dump())  # its own way to JSON stumbles over a lone surrogate
