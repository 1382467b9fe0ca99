"""An endpoint that reads less of a prompt than was sent: some servers cut what their context cannot hold, in silence.

A tokenizer makes at least one token of each word, and one of ten bytes in scripts without blanks. A lower count is of a
prompt that was cut, or of the part that was in no cache. So one low count is a warning, and only a row of them without
a higher one is certain.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from benchwright.domain.call import Reply, Request
from benchwright.errors import BadRequest
from benchwright.llm.gateway import Llm

BYTES = 10  # of a token at most, on average
LEAST = 300  # tokens: a shorter prompt shows nothing
SHORT = 0.8  # the share of the least count below which a prompt was cut
CERTAIN = 3  # low counts of different prompts, and no higher count
WAY_OUT = (
    "let the server hold longer prompts (Ollama: OLLAMA_CONTEXT_LENGTH, or num_ctx; llama.cpp: --ctx-size), or set"
    " context in [models.{name}] to what it holds"
)


def least_tokens(request: Request) -> int:
    """The fewest tokens that any tokenizer makes of a prompt."""
    sizes = [size_of(part) for message in request.messages for part in message.parts if isinstance(part, str)]
    return max(sum(words for words, _ in sizes), sum(size for _, size in sizes) // BYTES)


@lru_cache(maxsize=1024)  # a document is a part of every prompt about it
def size_of(text: str) -> tuple[int, int]:
    """How many words a text has, and how many bytes they have."""
    words = text.split()
    return len(words), len("".join(words).encode("utf-8", "replace"))


@dataclass(slots=True)
class Reading:
    """What an endpoint counted of prompts that were longer: by request, and the most that it counted of any prompt."""

    cut: dict[str, int] = field(default_factory=dict)
    most: int = 0
    warned: bool = False


class Cutting:
    """Compares what was counted with what was sent; warns, and raises `BadRequest` where an endpoint surely cuts."""

    def __init__(self, inner: Llm, say: Callable[[str], object]) -> None:
        """`say` gets the warning."""
        self.inner = inner
        self.say = say
        self.readings: dict[str, Reading] = {}

    async def ask(self, request: Request) -> Reply:
        """The reply, if its prompt was not surely cut."""
        reply = await self.inner.ask(request)
        counted, least = reply.usage.prompt, least_tokens(request)
        if request.model.provider == "local" or reply.recorded or not counted or least < LEAST:
            return reply
        found = self.readings.setdefault(request.model.name, Reading())
        if counted >= SHORT * least:
            found.most = max(found.most, counted)
            return reply
        found.cut[request.id] = counted
        self.judge(request, found, counted, least)
        return reply

    def judge(self, request: Request, found: Reading, counted: int, least: int) -> None:
        """Warn at the first low count; stop where nothing but a cut explains them."""
        name = request.model.name
        message = (
            f"model {name!r} at {request.model.base_url or request.model.provider} counted {counted} tokens of a prompt"
            f" of at least {least}: it seems to cut prompts. {WAY_OUT.format(name=name)}"
        )
        if len(found.cut) >= CERTAIN and found.most <= min(found.cut.values()):
            advice = "The answers so far were given to cut prompts: begin anew once it is mended"
            raise BadRequest(f"{message}. {len(found.cut)} prompts in a row were cut. {advice}")
        if not found.warned:
            found.warned = True
            self.say(message)
