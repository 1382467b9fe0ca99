"""The loopback provider with a batch API: OpenAI's files and batches, and Anthropic's message batches.

A batch ends when it has been looked at `looks` times; its rows are answered by the same function as any call.
"""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.stub import Answer, Raw, Stub, fit_schema

from benchwright.drill.provider import reply

NOWHERE = Raw(404, '{"error": {"message": "there is nothing here"}}')


@dataclass
class Taken:
    """A batch that the provider has taken: its rows as (custom id, body), and how often it was looked at."""

    id: str
    rows: list[tuple[str, dict[str, Any]]]
    metadata: dict[str, str] = field(default_factory=dict)
    at: float = field(default_factory=time.time)
    looked: int = 0


class BatchStub(Stub):
    """`taken` holds the batches; `faults` what a path answers instead, once each; `status` is how batches end.

    `deaf` creations are taken although their connection breaks; `mangle` spoils the lines of results; `left` rows of
    each batch are not answered.
    """

    def __init__(self, answer: Answer = fit_schema, looks: int = 2) -> None:
        super().__init__(answer)
        self.looks = looks
        self.files: dict[str, bytes] = {}
        self.taken: dict[str, Taken] = {}
        self.faults: dict[str, list[Raw]] = {}
        self.deaf = 0
        self.left = 0
        self.status = "completed"
        self.errors: list[dict[str, Any]] = []
        self.mangle: Callable[[list[str]], list[str]] = lambda lines: lines
        self.paths: list[str] = []

    @property
    def sent(self) -> list[str]:
        """The custom id of every row that ever came."""
        return [row for batch in self.taken.values() for row, _ in batch.rows]

    @property
    def root(self) -> str:
        """The address without its version."""
        return self.url.removesuffix("/v1")

    async def exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request; false ends the connection."""
        first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {key.lower(): value.strip() for key, _, value in (line.partition(":") for line in lines if line)}
        sent = await reader.readexactly(int(headers.get("content-length", 0)))
        self.headers.append(headers)
        method, path, _ = first.split()
        self.paths.append(f"{method} {path}")
        said = await self.route(method, path.removeprefix("/v1"), sent)
        raw = said if isinstance(said, Raw) else Raw(text=json.dumps(said))
        if raw.drop:
            return False
        await reply(writer, raw)
        return True

    async def route(self, method: str, path: str, sent: bytes) -> dict[str, Any] | Raw:
        """What a path answers."""
        where = path.partition("?")[0]
        for start, faults in self.faults.items():
            if f"{method} {where}".startswith(start) and faults:
                return faults.pop(0)
        if where == "/chat/completions":
            return await self.work(json.loads(sent), sent)
        if where == "/models":
            return self.list_models()
        if method == "POST":
            created = {"/files": self.upload, "/batches": self.create, "/messages/batches": self.create_messages}
            return created[where](sent) if where in created else NOWHERE
        return self.read(path, where.strip("/").split("/"))

    def read(self, path: str, where: list[str]) -> dict[str, Any] | Raw:
        """What can be read at a path."""
        shown = self.message_batch if where[0] == "messages" else self.held
        match where[1:] if where[0] == "messages" else where:
            case ["batches"]:
                return self.page(path, shown)
            case ["batches", name] if name in self.taken:
                self.taken[name].looked += 1
                return shown(self.taken[name])
            case ["files", name, "content"]:
                return Raw(text=self.files[name])
            case ["batches", name, "results"]:
                return Raw(text="\n".join(self.mangle(self.message_lines(self.taken[name]))))
            case _:
                return NOWHERE

    def upload(self, sent: bytes) -> dict[str, Any]:
        boundary = sent.partition(b"\r\n")[0]
        part = next(part for part in sent.split(boundary) if b"filename=" in part)
        name = f"file-{len(self.files)}"
        self.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        return {"id": name, "object": "file"}

    def take(self, rows: list[tuple[str, dict[str, Any]]], metadata: dict[str, str]) -> Taken | None:
        """Take a batch; None where its creator is not told."""
        batch = Taken(f"batch_{len(self.taken)}", rows, metadata)
        self.taken[batch.id] = batch
        if self.deaf:
            self.deaf -= 1
            return None
        return batch

    def create(self, sent: bytes) -> dict[str, Any] | Raw:
        body = json.loads(sent)
        lines = [json.loads(line) for line in self.files[body["input_file_id"]].split(b"\n")]
        batch = self.take([(line["custom_id"], line["body"]) for line in lines], body.get("metadata", {}))
        return self.held(batch) if batch else Raw(drop=True)

    def create_messages(self, sent: bytes) -> dict[str, Any] | Raw:
        batch = self.take([(row["custom_id"], row["params"]) for row in json.loads(sent)["requests"]], {})
        return self.message_batch(batch) if batch else Raw(drop=True)

    def page(self, path: str, shown: Callable[[Taken], dict[str, Any]]) -> dict[str, Any]:
        """The batches, latest first, two to a page."""
        latest = list(reversed(self.taken.values()))
        with suppress(ValueError):
            after = path.partition("after")[2].partition("=")[2]
            latest = latest[1 + [batch.id for batch in latest].index(after) :]
        return {"data": [shown(batch) for batch in latest[:2]], "has_more": len(latest) > 2}

    def ended(self, batch: Taken) -> bool:
        return batch.looked >= self.looks

    def held(self, batch: Taken) -> dict[str, Any]:
        """A batch as OpenAI tells of it."""
        counts = {"total": len(batch.rows), "completed": min(batch.looked, len(batch.rows)), "failed": 0}
        told: dict[str, Any] = {
            "id": batch.id,
            "object": "batch",
            "status": self.status if self.ended(batch) else "in_progress",
            "created_at": int(batch.at),
            "expires_at": int(batch.at) + 86_400,
            "metadata": batch.metadata,
            "request_counts": counts,
            "errors": {"data": self.errors} if self.errors else None,
        }
        if not self.ended(batch) or self.status == "failed":
            return told
        good, bad = self.lines(batch)
        self.files |= {f"out-{batch.id}": "\n".join(good).encode(), f"err-{batch.id}": "\n".join(bad).encode()}
        return told | {"output_file_id": f"out-{batch.id}", "error_file_id": f"err-{batch.id}" if bad else None}

    def lines(self, batch: Taken) -> tuple[list[str], list[str]]:
        """The output file and the error file."""
        good, bad = [], []
        for name, body in batch.rows[self.left :]:
            said = self.answer(body)
            if isinstance(said, Raw):
                answer: dict[str, Any] = {"status_code": said.status, "body": json.loads(said.text)}
                bad.append(json.dumps({"custom_id": name, "response": answer, "error": None}))
            else:
                good.append(json.dumps({"custom_id": name, "response": {"status_code": 200, "body": said}}))
        for name, _ in batch.rows[: self.left] if self.status == "expired" else ():
            error = {"code": "batch_expired", "message": "This request could not be executed in time."}
            bad.append(json.dumps({"custom_id": name, "response": None, "error": error}))
        return self.mangle(good), bad

    def message_batch(self, batch: Taken) -> dict[str, Any]:
        """A batch as Anthropic tells of it."""
        ended, total = self.ended(batch), len(batch.rows)
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "created_at": datetime.fromtimestamp(batch.at, UTC).isoformat(),
            "expires_at": datetime.fromtimestamp(batch.at + 86_400, UTC).isoformat(),
            "request_counts": {"processing": 0 if ended else total, "succeeded": total if ended else 0},
        }

    def message_lines(self, batch: Taken) -> list[str]:
        """The results as Anthropic tells them: a reply is what `answer` says, or its error."""
        return [json.dumps({"custom_id": name, "result": self.answer(body)}) for name, body in batch.rows[self.left :]]


def message(text: str, stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    """A result of Anthropic's with such a message."""
    said = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "usage": {"input_tokens": 40, "output_tokens": 7},
    }
    return {"type": "succeeded", "message": said | more}
