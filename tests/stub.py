"""A real OpenAI-compatible server on loopback, whose answer is a pure function of the request's body.

Run it as `python -m tests.stub --port 0 --log FILE --latency 0.02`: it prints its address and appends one JSON line
for each request to FILE: the SHA-256 of the body, the model, the time. In a test: `async with Stub() as stub`.
"""

import argparse
import asyncio
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

WORDS = re.findall(
    r"\w+",
    "cholera measles dengue mpox fever coast valley delta market clinic river district camp school ferry well spring "
    "autumn harvest monsoon nurses farmers children traders samples wells vaccine rumour border quarter flood drought",
)


@dataclass(frozen=True, slots=True)
class Raw:
    """Exactly these bytes as the answer; `drop` closes the connection instead, after `text` where there is some."""

    status: int = 200
    text: str | bytes = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    drop: bool = False


Answer = Callable[[dict[str, Any]], "dict[str, Any] | Raw"]


def completion(body: dict[str, Any], content: str | None, finish: str = "stop", **said: Any) -> dict[str, Any]:
    """A chat completion with this content."""
    prompt = sum(len(message["content"].split()) for message in body["messages"])
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


def digest(body: dict[str, Any]) -> str:
    """The SHA-256 of a body, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def fitting(body: dict[str, Any]) -> dict[str, Any]:
    """The default answer: an object that fits the schema in the request, chosen by the hash of the request."""
    wanted = body.get("response_format", {}).get("json_schema", {}).get("schema", {"type": "object"})
    return completion(body, json.dumps(instance(wanted, wanted, Random(digest(body)))))


def instance(schema: Any, root: Any, chance: Random) -> Any:
    """A value that fits a JSON schema of the kinds that our agents use."""
    if "$ref" in schema:
        return instance(root["$defs"][schema["$ref"].rsplit("/", 1)[-1]], root, chance)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return chance.choice(schema["enum"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return instance(schema[several][0], root, chance)
    return MAKERS[schema.get("type", "object")](schema, root, chance)


def an_object(schema: Any, root: Any, chance: Random) -> dict[str, Any]:
    return {name: instance(part, root, chance) for name, part in schema.get("properties", {}).items()}


def an_array(schema: Any, root: Any, chance: Random) -> list[Any]:
    least = schema.get("minItems", 1)
    count = chance.randint(least, max(least, min(schema.get("maxItems", least + 2), least + 2)))
    made: list[Any] = []
    for _ in range(20 * count):
        value = instance(schema.get("items", {"type": "string"}), root, chance)
        if len(made) < count and value not in made:
            made.append(value)
    return made


def an_integer(schema: Any, root: Any, chance: Random) -> int:
    least = int(schema.get("minimum", 0))
    return chance.randint(least, int(schema.get("maximum", least + 9)))


def a_text(schema: Any, root: Any, chance: Random) -> str:
    """Words enough that two texts differ."""
    return " ".join(chance.sample(WORDS, 6)).capitalize() + f" {chance.randint(100, 999)}"


MAKERS: dict[str, Callable[[Any, Any, Random], Any]] = {
    "object": an_object,
    "array": an_array,
    "integer": an_integer,
    "number": lambda schema, root, chance: float(an_integer(schema, root, chance)),
    "boolean": lambda schema, root, chance: chance.random() < 0.7,
    "string": a_text,
    "null": lambda schema, root, chance: None,
}


class Stub:
    """The server; `seen` holds every body in the order of arrival, `most` how many were in work at once."""

    def __init__(self, answer: Answer = fitting, latency: float = 0.0, log: str = "") -> None:
        self.answer = answer
        self.latency = latency
        self.log = log
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.busy = 0
        self.most = 0
        self.url = ""

    async def __aenter__(self) -> Self:
        await self.start(0)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        open_ones = list(self.tasks)
        for task in open_ones:
            task.cancel()
        await asyncio.gather(*open_ones, return_exceptions=True)
        await self.server.wait_closed()

    async def start(self, port: int) -> None:
        """Listen; `url` is the base_url."""
        self.tasks: set[asyncio.Task[None]] = set()
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", port)
        self.url = f"http://127.0.0.1:{self.server.sockets[0].getsockname()[1]}/v1"

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A new connection."""
        task = asyncio.create_task(self.converse(reader, writer))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

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
        said = self.listing() if first.startswith("GET") else await self.work(json.loads(sent), sent)
        raw = (
            said if isinstance(said, Raw) else Raw(text=json.dumps(said), headers={"content-type": "application/json"})
        )
        if raw.drop and not raw.text:
            return False
        await self.reply(writer, raw)
        return not raw.drop

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Note the request, take the time that a model would, answer."""
        self.seen.append(body)
        self.note(body, sent)
        self.busy += 1
        self.most = max(self.most, self.busy)
        try:
            await asyncio.sleep(self.latency)
            return self.answer(body)
        finally:
            self.busy -= 1

    def listing(self) -> dict[str, Any] | Raw:
        """The models served."""
        return {"object": "list", "data": [{"id": "stub"}, {"id": "other"}]}

    def note(self, body: dict[str, Any], sent: bytes) -> None:
        """One line for each request, whole even when this process is killed."""
        if not self.log:
            return
        line = {"sha256": hashlib.sha256(sent).hexdigest(), "model": body.get("model"), "time": time.time()}
        file = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.write(file, (json.dumps(line) + "\n").encode())
        os.close(file)

    async def reply(self, writer: asyncio.StreamWriter, raw: Raw) -> None:
        """Write a whole response, or one that breaks off."""
        text = raw.text.encode("utf-8", "surrogatepass") if isinstance(raw.text, str) else raw.text
        length = len(text) + (10 if raw.drop else 0)
        lines = [f"HTTP/1.1 {raw.status} Stub", f"content-length: {length}"]
        lines += [f"{key}: {value}" for key, value in raw.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + text)
        await writer.drain()


async def main(port: int, log: str, latency: float) -> None:
    """Serve until killed."""
    stub = Stub(latency=latency, log=log)
    await stub.start(port)
    print(stub.url, flush=True)  # noqa: T201 - the caller reads the address
    await stub.server.serve_forever()


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--port", type=int, default=0)
    options.add_argument("--log", default="")
    options.add_argument("--latency", type=float, default=0.0)
    given = options.parse_args()
    asyncio.run(main(given.port, given.log, given.latency))
