"""Hosted providers by litellm, which knows the names and the manners of a hundred of them."""

import asyncio
import importlib
import json
import logging
import os
import time
from typing import Any

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed
from benchwright.errors import BadKey, BenchwrightError, ConfigError, Transient
from benchwright.llm.providers.direct import find_headers, find_key
from benchwright.llm.providers.failure import failure, refusal
from benchwright.llm.providers.scrub import Scrub, of_environment
from benchwright.llm.replies import chat, embeddings

FAULTS = (ValueError, TypeError, LookupError, AttributeError, RuntimeError, OSError)  # of its own; may quote the key
TALKATIVE = ("LiteLLM", "openai")  # their logs quote whole replies, in which a provider may quote the key
INSTALL = "pip install 'benchwright[litellm]'"


def library(model: Model) -> Any:
    """litellm, silent: no price list fetched, no telemetry, no callbacks; raises `ConfigError` where it is missing."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # both read at import
    os.environ.setdefault("LITELLM_OFFLINE_MODE", "true")
    try:
        litellm: Any = importlib.import_module("litellm")
    except ImportError:
        raise ConfigError(f"model {model.name!r}: this provider needs the extra 'litellm'; run: {INSTALL}") from None
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True  # a seed that a provider does not know is no reason to fail
    for name in TALKATIVE:
        logging.getLogger(name).disabled = True
    litellm.callbacks, litellm.success_callback, litellm.failure_callback = [], [], []
    return litellm


def ready(model: Model) -> Any:
    """litellm, if it can ask this model; raises `BadKey` where the provider's own variable is missing too."""
    litellm = library(model)
    if model.api_key_env or model.base_url:
        return litellm
    missing = [name for name in litellm.validate_environment(model=model.target)["missing_keys"] if "API_KEY" in name]
    if missing:
        names = " or ".join(missing)
        raise BadKey(f"model {model.name!r}: the environment variable {names} is not set; put the key in it")
    return litellm


class Hosted:
    """One model of a hosted provider; litellm is loaded at the first request."""

    def __init__(self, model: Model) -> None:
        """Raises `BadKey` where the named variable holds no usable key."""
        self.model = model
        self.litellm: Any = None
        self._key = find_key(model)
        self.scrubbed = Scrub(self._key) if self._key else Scrub(*of_environment())

    async def ask(self, request: Request) -> Reply:
        """One call; raises what `failure` makes of its end."""
        litellm = self.litellm = self.litellm or await asyncio.to_thread(ready, self.model)
        began = time.perf_counter()
        asked = litellm.aembedding if isinstance(request, Embed) else litellm.acompletion
        try:
            async with asyncio.timeout(request.model.timeout):
                answer = await asked(**self.call_arguments(request))
        except TimeoutError:
            raise Transient(f"model {request.model.name!r}: no answer within {request.model.timeout:g} s") from None
        except (litellm.exceptions.openai.OpenAIError, *FAULTS) as error:
            raise self.translate_error(request, error) from None
        text = self.scrubbed(json.dumps(answer.model_dump()))  # its own way to JSON stumbles over a lone surrogate
        return read(request, text, time.perf_counter() - began)

    def call_arguments(self, request: Request) -> dict[str, Any]:
        """The call as litellm takes it; the queue alone tries again."""
        given = {"api_key": self._key, "api_base": self.model.base_url, "extra_headers": find_headers(self.model)}
        manner = {"timeout": request.model.timeout, "max_retries": 0, "num_retries": 0}
        body = embeddings.body(request) if isinstance(request, Embed) else chat.body(request)
        return body | {key: value for key, value in given.items() if value} | manner

    def translate_error(self, request: Request, error: Any) -> BenchwrightError:
        """Our error for litellm's: without a status it is a request that it cannot make, or a fault of its own."""
        own = not isinstance(error, self.litellm.exceptions.openai.OpenAIError)
        status = getattr(error, "status_code", None) or (500 if own else 400)
        response = getattr(error, "response", None)
        headers = dict(getattr(response, "headers", None) or {})
        code = getattr(error, "code", None)
        said = f"{error} ({code or type(error).__name__})" if code or own else error
        judge = failure if isinstance(request, Embed) else refusal
        return judge(request.model, status, headers, self.scrubbed(said))

    async def aclose(self) -> None:
        """Close the connections that litellm keeps."""
        if self.litellm is not None:
            await self.litellm.close_litellm_async_clients()
            self.litellm.in_memory_llm_clients_cache.flush_cache()  # it would hand out the closed ones


def read(request: Request, text: str, latency: float) -> Reply:
    """The reply in what litellm gives back, which has OpenAI's form."""
    if isinstance(request, Embed):
        return embeddings.reply(request, text, latency)
    kept = chat.oversized_reply if len(text) > chat.LARGEST else chat.reply
    return kept(request, text, latency)
