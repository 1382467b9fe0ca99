"""Anthropic's Message Batches. litellm translates requests and replies; of batches it can only ask how they stand."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote

from pydantic import Field, ValidationError

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Request
from benchwright.domain.campaign import Model
from benchwright.errors import Transient
from benchwright.llm.batch.api import Outcome, Progress
from benchwright.llm.batch.openai import EARLIER, PAGES, read
from benchwright.llm.batch.wire import Wire
from benchwright.llm.providers.failure import refusal
from benchwright.llm.replies.chat import Lenient

BATCHES = "/v1/messages/batches"
STATUS = {  # of the kinds of error
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "overloaded_error": 529,
}

Translate = Callable[[Request], tuple[Mapping[str, Any], Mapping[str, str]]]


class Counts(Lenient):
    """What has become of the requests of a batch; all are `processing` until it ends."""

    processing: int = 0
    succeeded: int = 0
    errored: int = 0
    canceled: int = 0
    expired: int = 0


class Held(Lenient):
    """A batch as the provider tells of it."""

    id: str = Field(min_length=1)
    processing_status: str
    created_at: datetime
    expires_at: datetime | None = None
    request_counts: Counts = Counts()

    @property
    def total(self) -> int:
        """How many requests it has."""
        return sum(dict(self.request_counts).values())

    @property
    def progress(self) -> Progress:
        """What the provider says, in our words."""
        expires = self.expires_at.timestamp() if self.expires_at else None
        ended = self.processing_status == "ended"
        done = self.total - self.request_counts.processing
        return Progress(self.id, ended, done, expires, (self.id,))


class Page(Lenient):
    """Some batches, latest first."""

    data: list[Held]
    has_more: bool = False


class Trouble(Lenient):
    """Why a request has no reply."""

    type: str = ""
    message: str = ""


class Wrapped(Lenient):
    """The same, as it comes."""

    error: Trouble = Trouble()


class Result(Lenient):
    """The end of one request: `succeeded`, `errored`, `canceled` or `expired`."""

    type: str
    message: dict[str, Any] | None = None
    error: Wrapped | None = None


class Row(Lenient):
    """What became of one request."""

    custom_id: str
    result: Result


class Anthropic:
    """Batches of one account; `translate` gives the body of a request and its headers, `completion` is its way back."""

    def __init__(
        self, wire: Wire, translate: Translate, completion: Callable[[Model, dict[str, Any]], str | None]
    ) -> None:
        """`completion` makes a message of theirs a body of OpenAI's form, or None where it is none."""
        self.wire = wire
        self.translate = translate
        self.completion = completion

    async def ready(self) -> None:
        """Raises `BadKey` where the key is not accepted."""
        await self.wire.get(Page, f"{BATCHES}?limit=1")

    async def submit(self, name: str, rows: Mapping[str, Request]) -> Progress:  # noqa: ARG002 - batches bear no name
        """Hand in a batch."""
        requests, headers = await asyncio.to_thread(self.translate_rows, rows)
        held = await self.wire.post(Held, BATCHES, json={"requests": requests}, headers=headers)
        return held.progress

    def translate_rows(self, rows: Mapping[str, Request]) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """The requests as they go out, and the headers that any of them needs."""
        requests: list[dict[str, Any]] = []
        headers: dict[str, str] = {}
        for call, request in rows.items():
            params, needed = self.translate(request)
            requests.append({"custom_id": call, "params": params})
            headers.update(needed)
        return requests, headers

    async def find(self, batch: OpenBatch) -> Progress | None:
        """The batch that holds our calls, which only its results tell: as many as ours, begun since, and ended."""
        for held in await self.latest(batch.at - EARLIER):
            if held.total != len(batch.calls):
                continue
            if not held.progress.ended:
                raise Transient(self.wire.says(f"the batch {held.id} may be ours; its results will tell"))
            if any(row.custom_id in batch.calls for row in await self.rows(held.id)):
                return held.progress
        return None

    async def latest(self, since: float) -> list[Held]:
        """The account's batches since a moment, latest first."""
        found: list[Held] = []
        after = ""
        for _ in range(PAGES):
            page = await self.wire.get(Page, f"{BATCHES}?limit=100{after}")
            found += [held for held in page.data if held.created_at.timestamp() >= since]
            if not page.has_more or not page.data or page.data[-1].created_at.timestamp() < since:
                break
            after = f"&after_id={quote(page.data[-1].id, safe='')}"
        return found

    async def look(self, batch: OpenBatch) -> Progress:
        """How far a batch has got."""
        return (await self.wire.get(Held, f"{BATCHES}/{quote(batch.remote, safe='')}")).progress

    async def results(self, progress: Progress, rows: Mapping[str, Model]) -> dict[str, Outcome]:
        """What the results say of each call; a line that is damaged or strange says nothing."""
        lines = [row for row in await self.rows(progress.remote) if row.custom_id in rows]
        return await asyncio.to_thread(
            lambda: {row.custom_id: self.outcome(rows[row.custom_id], row.result) for row in reversed(lines)}
        )

    async def rows(self, remote: str) -> list[Row]:
        """The lines of the results that can be read."""
        lines = await self.wire.lines(f"{BATCHES}/{quote(remote, safe='')}/results")
        return [row for row in map(parse_row, lines) if row]

    def outcome(self, model: Model, result: Result) -> Outcome:
        """What became of one request: a reply, or the error that the same call would have ended with."""
        if result.type == "succeeded":
            text = self.completion(model, result.message or {})
            return read(model, text) if text else Transient(f"model {model.name!r}: the batch holds a strange message")
        if result.type == "errored":
            error = (result.error or Wrapped()).error
            return refusal(model, STATUS.get(error.type, 500), {}, error.message or error.type)
        return Transient(f"model {model.name!r}: the request was {result.type} in its batch")

    async def aclose(self) -> None:
        """Close the connections."""
        await self.wire.aclose()


def parse_row(line: Any) -> Row | None:
    """A line of the results, if it is one."""
    try:
        return Row.model_validate(line)
    except ValidationError:
        return None
