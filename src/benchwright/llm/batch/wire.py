"""The HTTP of a provider's batch API: a few slow requests, bodies of many megabytes."""

import asyncio
import json
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2 as httpx
from pydantic import BaseModel, ValidationError

from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest, Transient, UnknownModel
from benchwright.llm.providers.failure import failure
from benchwright.llm.providers.scrub import Scrub

Shaped = TypeVar("Shaped", bound=BaseModel)

CONNECT = 10.0  # seconds
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
SLOWEST = 600.0  # seconds for one request: a file is long


class Wire:
    """One provider at one address with one key."""

    def __init__(self, model: Model, base: str, key: str, headers: dict[str, str]) -> None:
        """`headers` go with every request; `key` is kept out of every message."""
        self.model = model
        self.base = base.rstrip("/")
        self.scrubbed = Scrub(key)
        self.client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(SLOWEST, connect=CONNECT),
            trust_env=(urlsplit(base).hostname or "") not in LOOPBACK,
        )

    async def get(self, shape: type[Shaped], path: str) -> Shaped:
        """What the provider says of something, in its shape."""
        return self.parse_body(shape, await self.send("GET", path))

    async def post(self, shape: type[Shaped], path: str, **body: Any) -> Shaped:
        """What the provider says of something new."""
        return self.parse_body(shape, await self.send("POST", path, **body))

    async def lines(self, path: str) -> list[Any]:
        """The JSON values of a file of lines; a line that is none is left out."""
        return list(filter(None, map(value, (await self.send("GET", path)).split("\n"))))

    async def send(self, method: str, path: str, **body: Any) -> str:
        """The text that comes back; raises what `failure` makes of anything else."""
        try:
            async with asyncio.timeout(SLOWEST):
                answer = await self.client.request(method, self.base + path, **body)
        except (TimeoutError, httpx.TimeoutException):
            raise Transient(self.says("no answer in time from the batch API")) from None
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):
            raise BadRequest(self.says("this is no http address")) from None
        except httpx.HTTPError as error:
            said = self.scrubbed(str(error)) or type(error).__name__
            raise Transient(self.says(f"the connection to the batch API failed: {said}")) from None
        text = self.scrubbed(answer.content.decode("utf-8", "replace"))
        if answer.status_code in {404, 405}:
            raise UnknownModel(self.says(f"{path.partition('?')[0]} is not known; has the key's account changed?"))
        if answer.status_code not in {200, 201}:
            raise failure(self.model, answer.status_code, answer.headers, text)
        return text

    def parse_body(self, shape: type[Shaped], text: str) -> Shaped:
        """A body in its shape; raises `Transient` for any other."""
        try:
            return shape.model_validate(value(text))
        except ValidationError:
            raise Transient(self.says(f"the batch API's answer is not understood: {text[:120]!r}")) from None

    def says(self, what: str) -> str:
        """A message that names the model and the provider."""
        return f"model {self.model.name!r} at {self.base}: {what}"

    async def aclose(self) -> None:
        """Close the connections."""
        await self.client.aclose()


def value(text: str) -> Any:
    """The JSON value of a text; None where there is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
