"""A call: one request to a model provider and its reply, with tokens, cost and latency."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchwright.domain.campaign import Model
from benchwright.domain.ids import content_id

COUNT_MOST = 10**9  # tokens of one call; a larger count is no count


def tokens(text: str) -> int:
    """About how many tokens a text is, without a tokenizer: one for three bytes, rather too many than too few."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


@dataclass(frozen=True, slots=True)
class Image:
    """An image of a request, by the SHA-256 of its bytes, which lie in the store; `size` counts them."""

    hash: str
    media_type: str
    size: int = field(default=0, compare=False)

    @property
    def label(self) -> str:
        """What stands for it in text."""
        return f"[{self.media_type} sha256:{self.hash}]"


Part = str | Image


@dataclass(frozen=True, slots=True)
class Message:
    """One turn; `role` is `system`, `user` or `assistant`.

    The parts are kept apart so that the ledger stores a document once, not once a call. So many of the first are
    `sources`, which other questions share: a provider may be told to cache them. That is no part of the identity.
    """

    role: str
    parts: tuple[Part, ...]
    sources: int = field(default=0, compare=False)

    @property
    def content(self) -> str:
        """What the model reads; in place of an image its label."""
        return "\n\n".join(part.label if isinstance(part, Image) else part for part in self.parts)

    @property
    def images(self) -> tuple[Image, ...]:
        """What the model looks at."""
        return tuple(part for part in self.parts if isinstance(part, Image))

    @property
    def identity(self) -> Any:
        """What makes two turns the same: their text however it is cut, and the hashes of images where they stand."""
        if not self.images:
            return self.content
        return [{"image": part.hash} if isinstance(part, Image) else part for part in self.parts]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them.

    `cached` of the prompt were served from its prefix cache, `written` were put into it, where that has a price of its
    own; `thinking` of the completion were reasoning.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    thinking: int = 0
    written: int = 0

    @property
    def credible(self) -> "Usage":
        """The same, where its numbers can be; no counts where one of the first two cannot, as if none were given."""
        if not all(0 <= count <= COUNT_MOST for count in (self.prompt, self.completion)):
            return Usage()
        cached = self.cached if 0 <= self.cached <= self.prompt else 0
        written = self.written if 0 <= self.written <= self.prompt - cached else 0
        thinking = self.thinking if 0 <= self.thinking <= COUNT_MOST else 0
        return Usage(self.prompt, self.completion, cached, thinking, written)


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `cost` in US dollars, None where no price is known.

    `finish` is `stop`, `length` (cut), or, all paid for all the same, `refused` (by the model), `filtered`, and
    `oversized`: an answer larger than any reply, whose rest was not read.
    """

    text: str
    reasoning: str = ""
    finish: str = "stop"
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    latency: float = 0.0  # seconds
    call: str = ""  # the id of the request that paid for it
    recorded: bool = field(default=False, compare=False)  # whether the ledger had it already
    vectors: tuple[bytes, ...] = ()  # of a request for embeddings: one a text, as `domain/vector.py` packs them


@dataclass(frozen=True)  # without slots: the id, a hash over whole documents, is worked out once
class Request:
    """One question to one model.

    `accept` turns the text of a JSON object into the canonical body of a typed answer or raises `BadReply`; it is
    no part of the request's identity. `objections` says of a text that is accepted what its writer should mend once, ""
    where nothing is. `run` tells several samples of the same question apart.
    """

    model: Model
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    run: int = 0
    seed: int = 0
    step: str = ""  # the role that asks: for accounts, no part of the identity
    batch: bool = False  # may go by the provider's batch API; no part of the identity
    job: int = field(default=0, compare=False)  # the ticket that asks, 0 for none; no part of the identity
    finding: bool = False  # a reply that cannot be used is a finding about the model; no part of the identity
    item: int = 0  # the place of the item that it is asked for, in its database; no part of the identity
    origin: str = ""  # the id of the request that it repairs; no part of the identity
    accept: Callable[[str], str] = field(default=str, compare=False, repr=False)
    objections: Callable[[str], str] = field(default=lambda _: "", compare=False, repr=False)
    images: Mapping[str, bytes] = field(
        default_factory=dict, compare=False, repr=False
    )  # by hash, just before it leaves

    @cached_property
    def id(self) -> str:
        """The key of the ledger: what is asked of whom, how, and for the how-manieth time; no host, no campaign."""
        model = self.model
        return content_id(
            "call",
            {
                "model": [model.provider, model.target, model.base_url],
                "parameters": [model.temperature, model.top_p, model.max_tokens, model.reply, self.seed],
                **({"manner": model.manner} if model.manner else {}),
                "messages": [[message.role, message.identity] for message in self.messages],
                "schema": self.schema,
                "run": self.run,
            },
        )
