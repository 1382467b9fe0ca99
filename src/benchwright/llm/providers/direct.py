"""Any endpoint that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, OpenAI and many more."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing
from functools import lru_cache

import httpx2 as httpx

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed
from benchwright.errors import BadKey, BadRequest, BenchwrightError, Transient
from benchwright.llm.providers.failure import failure, refusal
from benchwright.llm.providers.scrub import Scrub
from benchwright.llm.providers.transport import Transport, proxy
from benchwright.llm.replies import chat, embeddings
from benchwright.llm.replies.stream import whole_completion

Judge = Callable[[Model, int, Mapping[str, str], str], BenchwrightError]
CONNECT = 10.0  # seconds
STREAMED = 32 << 20  # bytes of a streamed answer, whose events weigh a hundred times their text
LISTED = 16 << 20  # bytes of a list of models; the longest name thousands


def find_key(model: Model) -> str:
    """The key from the environment variable that the model names, or nothing; raises `BadKey` without its value."""
    if not model.api_key_env:
        return ""
    key = os.environ.get(model.api_key_env, "").strip()
    if not key:
        raise BadKey(
            f"model {model.name!r}: the environment variable {model.api_key_env} is not set; put the key in it"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadKey(
            f"model {model.name!r}: the value of {model.api_key_env} is no key: it has blanks or odd characters"
        )
    return key


def find_headers(model: Model) -> dict[str, str]:
    """The model's own headers, with the values of the variables that they name; raises `BadKey` without one."""
    found = {}
    for name, value in model.headers.items():
        variable = value.removeprefix("$") if value.startswith("$") else ""
        found[name] = os.environ.get(variable, "").strip() if variable else value
        if not found[name]:
            raise BadKey(f"model {model.name!r}: header {name}: the environment variable {variable} is not set; set it")
    return found


def secrets_of(model: Model, headers: Mapping[str, str]) -> list[str]:
    """The values of headers that come from the environment."""
    return [value for name, value in headers.items() if model.headers[name].startswith("$")]


class Direct:
    """One endpoint and its pool of connections, as many as the model is wide."""

    def __init__(self, model: Model, key: str | None = None) -> None:
        """`key` in place of the environment's; raises `BadKey` where the named variable is not usable."""
        self.model = model
        self._key = find_key(model) if key is None else key
        own = find_headers(model)
        self.scrubbed = Scrub(self._key, *secrets_of(model, own))
        usual = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        replaced = {name.lower() for name in own}
        self.headers = {name: value for name, value in usual.items() if name.lower() not in replaced} | own
        self.answered = False  # whether it ever did, whatever it said
        self.transport = Transport(model.width, proxy(model.base_url))

    async def ask(self, request: Request) -> Reply:
        """One call; raises what `failure` makes of its end."""
        if isinstance(request, Embed):
            return await self.embed(request)
        began = time.perf_counter()
        most = STREAMED if request.model.stream else chat.LARGEST
        answer, body = await self.send(request.model, "POST", "/chat/completions", chat.body(request), most)
        text = self.read(request.model, answer, body, refusal)
        if len(body) > most or len(text) > chat.LARGEST:
            return chat.oversized_reply(request, text, time.perf_counter() - began)
        return chat.reply(request, text, time.perf_counter() - began)

    async def embed(self, request: Embed) -> Reply:
        """One call for embeddings."""
        began = time.perf_counter()
        body, most = embeddings.body(request), embeddings.LARGEST
        answer, got = await self.send(request.model, "POST", "/embeddings", body, most)
        text = self.read(request.model, answer, got)
        return embeddings.reply(request, text, time.perf_counter() - began)

    async def models(self) -> list[str]:
        """What the endpoint says that it serves; asking costs nothing."""
        answer, body = await self.send(self.model, "GET", "/models", most=LISTED)
        return chat.served_models(self.model, self.read(self.model, answer, body, refusal))

    def read(self, model: Model, answer: httpx.Response, body: bytes, judge: Judge = failure) -> str:
        """The text of a success; raises what `judge` makes of anything else."""
        text = self.scrubbed(body.decode("utf-8", "replace"))
        if answer.is_success and judge is refusal:
            text = whole_completion(text)
        if answer.is_redirect:
            text = f"it points to {answer.headers.get('location', 'nowhere')}: is base_url right? {text}"
        if status := failure_status(answer, text):
            raise judge(model, status, answer.headers, text)
        return text

    async def send(
        self, model: Model, method: str, path: str, body: dict[str, object] | None = None, most: int = chat.LARGEST
    ) -> tuple[httpx.Response, bytes]:
        """The head of the answer and its body, cut off after `most` bytes; no way not to get one but `Transient`."""
        try:
            # a client around it would do nothing for us, for a quarter of a millisecond each time
            request = httpx.Request(
                method,
                address(self.model.base_url.rstrip("/") + path),
                headers=self.headers,
                json=body,
                extensions={"timeout": {"connect": CONNECT}},  # the whole call has the model's
            )
            async with asyncio.timeout(model.timeout):
                answer = await self.transport.handle_async_request(request)
                self.answered = True
                async with aclosing(answer):
                    return answer, await beginning(answer, most)
        except (TimeoutError, httpx.TimeoutException):
            raise Transient(self.says(model, f"no answer within {model.timeout:g} s")) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise BadRequest(self.says(model, "this base_url is no http address")) from None
        except httpx.HTTPError as error:
            said = self.scrubbed(str(error)) or type(error).__name__
            raise Transient(self.says(model, f"the connection failed: {said}")) from None

    def says(self, model: Model, what: str) -> str:
        """A message that names the model and the endpoint."""
        return f"model {model.name!r} at {self.model.base_url}: {what}"

    async def aclose(self) -> None:
        """Close the connections."""
        await self.transport.aclose()


@lru_cache(maxsize=64)
def address(url: str) -> httpx.URL:
    """An address taken apart; it is the same at each call."""
    return httpx.URL(url)


def failure_status(answer: httpx.Response, text: str) -> int:
    """The status of a failure; some endpoints put theirs into the body of a 200. 0 is none."""
    return chat.error_code(text) if answer.is_success else answer.status_code


async def beginning(answer: httpx.Response, most: int) -> bytes:
    """The body; of one longer than `most` bytes just so much that it shows, for some never end."""
    read = bytearray()
    async for part in answer.aiter_bytes():
        read += part
        if len(read) > most:
            break
    return bytes(read[: most + 1])
