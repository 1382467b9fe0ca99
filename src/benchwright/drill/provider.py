"""A real OpenAI-compatible server on loopback, whose answer is a pure function of the request's body.

`async with Loopback() as provider` serves at `provider.url`. Without a word of what to say it answers whatever fits
the schema in the request. The drill lets it fail; tests tell it what to say.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

from benchwright.domain.filler import WORDS, digest
from benchwright.domain.ids import seeded_random


@dataclass(frozen=True, slots=True)
class Raw:
    """Exactly these bytes as the answer; `drop` closes the connection instead, after `text` where there is some."""

    status: int = 200
    text: str | bytes = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    drop: bool = False
    wait: float = 0.0  # seconds before it leaves


Answer = Callable[[dict[str, Any]], "dict[str, Any] | Raw"]


def completion(body: dict[str, Any], content: str | None, finish: str = "stop", **said: Any) -> dict[str, Any]:
    """A chat completion with this content."""
    prompt = sum(len(str(message["content"]).split()) for message in body["messages"])
    written = len((content or "").split())
    return {
        "id": "chatcmpl-" + digest(body)[:12],
        "object": "chat.completion",
        "model": body["model"],
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **said}}
        ],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written, "total_tokens": prompt + written},
    }


def fit_schema(body: dict[str, Any]) -> dict[str, Any]:
    """The default answer: an object that fits the schema in the request, chosen by the hash of the request."""
    wanted = body.get("response_format", {}).get("json_schema", {}).get("schema", {"type": "object"})
    return completion(body, json.dumps(instance(wanted, wanted, seeded_random(digest(body)))))


def instance(schema: Any, root: Any, chance: Random) -> Any:
    """A value that fits a JSON schema of the kinds that our agents use."""
    if "$ref" in schema:
        return instance(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, chance)
    if "enum" in schema or "const" in schema:
        return chance.choice(schema.get("enum") or [schema["const"]])
    if several := schema.get("anyOf") or schema.get("oneOf"):
        return instance(several[0], root, chance)
    match schema.get("type", "object"):
        case "object":
            return {name: instance(part, root, chance) for name, part in schema.get("properties", {}).items()}
        case "array":
            return several_values(schema, root, chance)
        case kind:
            return a_value(kind, schema, chance)


def several_values(schema: Any, root: Any, chance: Random) -> list[Any]:
    """A few different values, as many as are allowed."""
    least = schema.get("minItems", 1)
    count = chance.randint(least, max(least, min(schema.get("maxItems", least + 2), least + 2)))
    made: list[Any] = []
    for _ in range(20 * count):
        value = instance(schema.get("items", {"type": "string"}), root, chance)
        if len(made) < count and value not in made:
            made.append(value)
    return made


def a_value(kind: str, schema: Any, chance: Random) -> Any:
    """A number within its bounds, a truth value, nothing, or words enough that two texts differ."""
    match kind:
        case "integer" | "number":
            least = int(schema.get("minimum", 0))
            return chance.randint(least, int(schema.get("maximum", least + 9)))
        case "boolean":
            return chance.choice((True, True, False))
        case "null":
            return None
        case _:
            return " ".join(chance.sample(WORDS, 6)).capitalize() + f" {chance.randint(100, 999)}"


class Loopback:
    """The server; `seen` and `headers` hold what came with every request, in the order of arrival."""

    def __init__(self, answer: Answer = fit_schema, latency: float = 0.0) -> None:
        """`latency` in seconds is what every answer takes."""
        self.answer = answer
        self.latency = latency
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.url = ""

    async def __aenter__(self) -> Self:
        await self.start(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        open_ones = dict(self.tasks)
        for task, writer in open_ones.items():
            task.cancel()
            writer.close()  # a task that has not begun yet never would
        await asyncio.gather(*open_ones, *(one.wait_closed() for one in open_ones.values()), return_exceptions=True)
        await self.server.wait_closed()

    async def start(self, port: int) -> None:
        """Listen; `url` is the base_url."""
        self.tasks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", port)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/v1"

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A new connection."""
        task = asyncio.create_task(self.converse(reader, writer))
        self.tasks[task] = writer
        task.add_done_callback(self.tasks.pop)

    async def converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            try:
                while await self.exchange(reader, writer):
                    pass
            finally:
                writer.close()
                await writer.wait_closed()

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request; false ends the connection."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines if line)}
        sent = await reader.readexactly(int(headers.get("content-length", 0)))
        self.headers.append(headers)
        said = self.list_models() if first.startswith("GET") else await self.work(json.loads(sent), sent)
        raw = (
            said if isinstance(said, Raw) else Raw(text=json.dumps(said), headers={"content-type": "application/json"})
        )
        await asyncio.sleep(raw.wait)
        if raw.drop and not raw.text:
            return False
        await reply(writer, raw)
        return not raw.drop

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Note the request, take the time that a model would, answer."""
        self.seen.append(body)
        self.note(body, sent)
        await asyncio.sleep(self.latency)
        return self.answer(body)

    def note(self, body: dict[str, Any], sent: bytes) -> None:
        """A request has arrived: nothing more happens here, tests write it down."""

    def list_models(self) -> dict[str, Any] | Raw:
        """The models served."""
        return {"object": "list", "data": [{"id": "stub"}, {"id": "other"}]}


async def reply(writer: asyncio.StreamWriter, raw: Raw) -> None:
    """Write a whole response, or one that breaks off."""
    text = raw.text.encode("utf-8", "surrogatepass") if isinstance(raw.text, str) else raw.text
    length = len(text) + (10 if raw.drop else 0)
    lines = [f"HTTP/1.1 {raw.status} Loopback", f"content-length: {length}"]
    lines += [f"{key}: {value}" for key, value in raw.headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + text)
    await writer.drain()
