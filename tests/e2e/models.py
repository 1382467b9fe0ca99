"""The models of these tests, a server in a thread of its own: answers depend on the request alone."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.stub import Raw, Stub, completion, digest, in_thread

from benchwright.domain.ids import seeded_random
from benchwright.drill.record import trace
from benchwright.pipelines.choice.drill import reply


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What any model says to any role; each seventh reply with options cannot be used and has to be mended."""
    wanted = body["response_format"]["json_schema"]["schema"]["properties"]
    mended = body["messages"][-1]["content"].startswith("Your reply")
    if "options" in wanted and not mended and seeded_random(digest(body)).random() <= 1 / 7:
        return completion(body, '{"options": []}')
    return completion(body, reply(body))


class Models(Stub):
    """The server; `traces` has one for each request in the order of arrival, which the ledger can tell as well.

    Each request takes between half and all of the latency, so replies overtake each other.
    """

    def __init__(self, latency: float) -> None:
        super().__init__(answer)
        self.traces: list[str] = []
        self.answer_within(latency)

    def answer_within(self, latency: float) -> None:
        """Be slower or faster from the next request on."""
        self.latency = latency / 2

    def note(self, body: dict[str, Any], sent: bytes) -> None:
        """A request has arrived."""
        self.traces.append(trace(body))

    async def work(self, body: dict[str, Any], sent: bytes) -> dict[str, Any] | Raw:
        """Answer after a time that depends on the request."""
        said = await super().work(body, sent)
        await asyncio.sleep(self.latency * seeded_random(digest(body)).random())
        return said


@contextmanager
def serving(latency: float) -> Iterator[Models]:
    """Models that answer within so many seconds."""
    with in_thread(Models(latency)) as models:
        yield models
