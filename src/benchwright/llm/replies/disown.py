"""A reply that cannot be used is paid for, but it is no answer: whoever asks the same again asks the model."""

from collections.abc import Sequence
from typing import Protocol

from benchwright.domain.call import Reply, Request
from benchwright.errors import BadReply
from benchwright.llm.gateway import Llm


class Ledger(Protocol):
    """Where calls are on record."""

    async def disown(self, calls: Sequence[str], reason: str) -> None:
        """What these calls brought is no answer; returns when that is durable."""
        ...


class Disown:
    """Takes replies out of use that ended as `BadReply` for good; what an earlier run left so is asked for anew."""

    def __init__(self, inner: Llm, record: Ledger) -> None:
        """`inner` raises `BadReply` with the `calls` that it took."""
        self.inner = inner
        self.record = record

    async def ask(self, request: Request) -> Reply:
        """The accepted reply."""
        try:
            return await self.inner.ask(request)
        except BadReply as error:
            await self.record.disown(error.calls, f"{error.cause}: {error}")
            if not error.recorded:
                raise
        return await self.ask(request)
