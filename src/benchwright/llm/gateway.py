"""The one protocol of every model: a provider, or a wrapper around one."""

from typing import Protocol

from benchwright.domain.call import Reply, Request


class Llm(Protocol):
    """Anything that answers a request."""

    async def ask(self, request: Request) -> Reply:
        """Answer; raises `Transient`, `RateLimited`, `BadReply`, `Refused` or `Fatal`."""
        ...
