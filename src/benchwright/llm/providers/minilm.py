"""The embedded default for embeddings: all-MiniLM-L6-v2 in this process, without a key and without a network."""

import asyncio
import time

from benchwright.domain.call import Reply, Request
from benchwright.domain.campaign import Model
from benchwright.domain.embed import Embed
from benchwright.errors import BadRequest
from benchwright.llm.providers.minilm_runtime import Runtime
from benchwright.llm.replies.chat import Counts
from benchwright.llm.replies.embeddings import vectors_reply


class MiniLm:
    """The embedded embedder, loaded at the first request; one call at a time, which uses all processors."""

    def __init__(self, model: Model) -> None:
        """Nothing is loaded yet."""
        self.model = model
        self.turn = asyncio.Lock()
        self.runtime: Runtime | None = None

    async def ask(self, request: Request) -> Reply:
        """The vectors; raises `ConfigError` where the model cannot be loaded."""
        if not isinstance(request, Embed):
            raise BadRequest(
                f"model {self.model.name!r} embeds texts, it answers no questions: {request.step!r} asks it"
            )
        async with self.turn:
            began = time.perf_counter()
            if self.runtime is None:
                self.runtime = await asyncio.to_thread(Runtime, self.model)
            vectors, read = await asyncio.to_thread(self.runtime.vectors, request.texts)
        return vectors_reply(request, vectors, time.perf_counter() - began, Counts(prompt_tokens=read))

    async def aclose(self) -> None:
        """Free the model."""
        self.runtime = None
