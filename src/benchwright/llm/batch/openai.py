"""OpenAI's batch API, which others offer too: a file of requests in, files of replies and of errors out."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any
from urllib.parse import quote

from pydantic import Field, ValidationError

from benchwright.domain.batch import OpenBatch
from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.errors import BadRequest, BenchwrightError, RateLimited, Transient, UnknownModel
from benchwright.llm.batch.api import Outcome, Progress
from benchwright.llm.batch.wire import Wire
from benchwright.llm.providers.failure import refusal
from benchwright.llm.replies import chat
from benchwright.llm.replies.chat import Lenient

NAME = "benchwright"  # of the metadata that hold our name of a batch
ENDED = {"completed", "failed", "expired", "cancelled"}
EARLIER = 3600.0  # seconds by which a provider's clock may be behind ours
PAGES = 100  # of batches that are looked through for ours
LATER = 300.0  # seconds until a batch that is over a limit is tried again
FULL = "token_limit_exceeded"


class Filed(Lenient):
    """A file that the provider has taken."""

    id: str


class Counts(Lenient):
    """How far a batch has got."""

    completed: int = 0
    failed: int = 0


class Trouble(Lenient):
    """Why something came to nothing."""

    code: str | int | None = None
    message: str | None = None


class Troubles(Lenient):
    """Why a batch was not begun."""

    data: tuple[Trouble, ...] = ()


class Held(Lenient):
    """A batch as the provider tells of it."""

    id: str = Field(min_length=1)
    status: str
    created_at: float = 0.0
    expires_at: float | None = None
    output_file_id: str | None = None
    error_file_id: str | None = None
    request_counts: Counts | None = None
    errors: Troubles | None = None
    metadata: dict[str, Any] | None = None


class Page(Lenient):
    """Some batches, latest first."""

    data: list[Held]
    has_more: bool = False


class Answered(Lenient):
    """The answer to one request."""

    status_code: int
    body: Any = None


class Row(Lenient):
    """What became of one request."""

    custom_id: str
    response: Answered | None = None
    error: Trouble | None = None


class OpenAi:
    """Batches at one endpoint; `body` makes of a request what its chat completions take."""

    def __init__(self, wire: Wire, body: Callable[[Request], Mapping[str, Any]]) -> None:
        self.wire = wire
        self.body = body

    async def ready(self) -> None:
        """Raises `BadRequest` where the endpoint takes no batches, `BadKey` where it does not accept the key."""
        try:
            await self.wire.get(Page, "/batches?limit=1")
        except UnknownModel as error:
            raise no_batches(self.wire, error) from None

    async def submit(self, name: str, rows: Mapping[str, Request]) -> Progress:
        """Hand in a batch; raises `BadRequest` where the endpoint takes none."""
        lines = await asyncio.to_thread(self.lines, rows)
        upload = {"file": (f"{name}.jsonl", lines, "application/jsonl")}
        try:
            file = await self.wire.post(Filed, "/files", data={"purpose": "batch"}, files=upload)
            wanted = {
                "input_file_id": file.id,
                "endpoint": "/v1/chat/completions",
                "completion_window": "24h",
                "metadata": {NAME: name},
            }
            return self.progress(await self.wire.post(Held, "/batches", json=wanted))
        except UnknownModel as error:
            raise no_batches(self.wire, error) from None

    def lines(self, rows: Mapping[str, Request]) -> bytes:
        """The file."""
        to = {"method": "POST", "url": "/v1/chat/completions"}
        each = ({"custom_id": call, **to, "body": self.body(request)} for call, request in rows.items())
        return "\n".join(map(json.dumps, each)).encode()

    async def find(self, batch: OpenBatch) -> Progress | None:
        """The batch that bears our name; None where the provider has none."""
        try:
            async for held in self.latest(batch.at - EARLIER):
                if (held.metadata or {}).get(NAME) == batch.name:
                    return self.progress(held)
        except UnknownModel as error:
            raise no_batches(self.wire, error) from None
        return None

    async def latest(self, since: float) -> AsyncIterator[Held]:
        """The provider's batches since a moment, latest first."""
        after = ""
        for _ in range(PAGES):
            page = await self.wire.get(Page, f"/batches?limit=100{after}")
            for held in page.data:
                if held.created_at and held.created_at < since:
                    return
                yield held
            if not page.has_more or not page.data:
                return
            after = f"&after={quote(page.data[-1].id, safe='')}"

    async def look(self, batch: OpenBatch) -> Progress:
        """How far a batch has got."""
        return self.progress(await self.wire.get(Held, f"/batches/{quote(batch.remote, safe='')}"))

    def progress(self, held: Held) -> Progress:
        """What the provider says, in our words."""
        counts = held.request_counts or Counts()
        files = tuple(file for file in (held.output_file_id, held.error_file_id) if file)
        ended = held.status in ENDED
        trouble = self.trouble(held) if ended and held.status != "completed" else None
        return Progress(held.id, ended, counts.completed + counts.failed, held.expires_at, files, trouble)

    def trouble(self, held: Held) -> Transient:
        """Why a batch has not answered all of its requests; one that is over a limit costs no attempt."""
        troubles = (held.errors or Troubles()).data
        reasons = "; ".join(f"{one.message or one.code}" for one in troubles[:3])
        said = self.wire.says(f"the batch {held.id} is {held.status}" + (f": {reasons}" if reasons else ""))
        return RateLimited(said, LATER) if any(one.code == FULL for one in troubles) else Transient(said)

    async def results(self, progress: Progress, rows: Mapping[str, Model]) -> dict[str, Outcome]:
        """What the files say of each call; a line that is damaged or strange says nothing."""
        found: dict[str, Outcome] = {}
        for file in progress.files:
            for line in await self.wire.lines(f"/files/{quote(file, safe='')}/content"):
                row = parse_row(line)
                if row and row.custom_id in rows:
                    found.setdefault(row.custom_id, outcome(rows[row.custom_id], row))
        return found

    async def aclose(self) -> None:
        """Close the connections."""
        await self.wire.aclose()


def no_batches(wire: Wire, error: BenchwrightError) -> BadRequest:
    """What to do about an endpoint without batches."""
    advice = "take batch = true off the roles that this model serves, or name an endpoint that has a batch API"
    return BadRequest(f"{wire.says(f'there is no batch API here: {advice}')} ({error})")


def parse_row(line: Any) -> Row | None:
    """A line of a file of results, if it is one."""
    try:
        return Row.model_validate(line)
    except ValidationError:
        return None


def outcome(model: Model, row: Row) -> Outcome:
    """What became of one request: a reply, or the error that the same call would have ended with."""
    if row.response is None:
        error = row.error or Trouble()
        return Transient(f"model {model.name!r}: no reply in the batch: {error.message or error.code or 'no reason'}")
    text = json.dumps(row.response.body)
    status = chat.error_code(text) if row.response.status_code == 200 else row.response.status_code
    return refusal(model, status, {}, text) if status else read(model, text)


def read(model: Model, text: str) -> Outcome:
    """The reply in the body of a chat completion, or why it holds none."""
    asked = Request(model, (Message("user", ()),), {})  # all that reading needs of the request
    try:
        return chat.reply(asked, text, 0.0) if len(text) <= chat.LARGEST else chat.oversized_reply(asked, text, 0.0)
    except Transient as error:
        return error
