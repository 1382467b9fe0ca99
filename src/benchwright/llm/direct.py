"""Any endpoint that speaks OpenAI's chat completions: vLLM, llama.cpp, Ollama, OpenAI and many more."""

import asyncio
import os
import time
from urllib.parse import urlsplit

import httpx2 as httpx

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadKey, BadRequest, Transient
from benchwright.llm import chat
from benchwright.llm.failure import failure

CONNECT = 10.0  # seconds
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
NEW_NAMES = {"api.openai.com"}  # hosts that call max_tokens max_completion_tokens


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


class Direct:
    """One endpoint and its pool of connections, as many as the model is wide."""

    def __init__(self, model: Model, key: str | None = None) -> None:
        """`key` in place of the environment's; raises `BadKey` where the named variable is not usable."""
        self.model = model
        self.host = urlsplit(model.base_url).hostname or ""
        self._key = find_key(model) if key is None else key
        limits = httpx.Limits(max_connections=model.width, max_keepalive_connections=model.width)
        self.client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
            limits=limits,
            timeout=httpx.Timeout(model.timeout, connect=min(CONNECT, model.timeout)),
            trust_env=self.host not in LOOPBACK,  # a proxy has no business on the way to this machine
        )

    async def ask(self, request: Request) -> Reply:
        """One call; raises what `failure` makes of its end."""
        began = time.perf_counter()
        answer = await self.send("POST", "/chat/completions", self.body(request))
        text = self.scrubbed(answer.text)
        if status := failed(answer, text):
            raise failure(self.model, status, answer.headers, text)
        return chat.reply(request, text, time.perf_counter() - began)

    async def models(self) -> list[str]:
        """What the endpoint says that it serves; asking costs nothing."""
        answer = await self.send("GET", "/models")
        text = self.scrubbed(answer.text)
        if status := failed(answer, text):
            raise failure(self.model, status, answer.headers, text)
        return chat.served(self.model, text)

    def body(self, request: Request) -> dict[str, object]:
        """What goes out, in the names that this host uses."""
        body = chat.body(request)
        if self.host in NEW_NAMES:
            body["max_completion_tokens"] = body.pop("max_tokens")
        return body

    async def send(self, method: str, path: str, body: dict[str, object] | None = None) -> httpx.Response:
        """The whole answer within the model's timeout; every way not to get one is a `Transient`."""
        url = self.model.base_url.rstrip("/") + path
        try:
            async with asyncio.timeout(self.model.timeout):
                return await self.client.request(method, url, json=body)
        except (TimeoutError, httpx.TimeoutException):
            raise Transient(self.says(f"no answer within {self.model.timeout:g} s")) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise BadRequest(self.says("this base_url is no http address")) from None
        except httpx.HTTPError as error:
            said = self.scrubbed(str(error)) or type(error).__name__
            raise Transient(self.says(f"the connection failed: {said}")) from None

    def says(self, what: str) -> str:
        """A message that names the model and the endpoint."""
        return f"model {self.model.name!r} at {self.model.base_url}: {what}"

    def scrubbed(self, text: str) -> str:
        """The text without the key, whoever echoed it."""
        return text.replace(self._key, "[key]") if self._key else text

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def failed(answer: httpx.Response, text: str) -> int:
    """The status of a failure; some endpoints put theirs into the body of a 200. 0 is none."""
    return chat.error_code(text) if answer.status_code == 200 else answer.status_code
