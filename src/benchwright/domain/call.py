"""A call: one request to a model provider and its reply, with tokens, cost and latency."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchwright.domain.campaign import Model
from benchwright.domain.ids import content_id


def tokens(text: str) -> int:
    """About how many tokens a text is, without a tokenizer: one for three bytes, rather too many than too few."""
    return len(text.encode("utf-8", "replace")) // 3 + 1


@dataclass(frozen=True, slots=True)
class Message:
    """One turn; `role` is `system`, `user` or `assistant`.

    The parts are kept apart so that the ledger stores a document once, not once a call.
    """

    role: str
    parts: tuple[str, ...]

    @property
    def content(self) -> str:
        """What the model sees."""
        return "\n\n".join(self.parts)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them.

    `cached` of the prompt were served from its prefix cache; `thinking` of the completion were reasoning.
    """

    prompt: int = 0
    completion: int = 0
    cached: int = 0
    thinking: int = 0


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


@dataclass(frozen=True)  # without slots: the id, a hash over whole documents, is worked out once
class Request:
    """One question to one model.

    `accept` turns the text of a JSON object into the canonical body of a typed answer or raises `BadReply`; it is
    no part of the request's identity. `run` tells several samples of the same question apart.
    """

    model: Model
    messages: tuple[Message, ...]
    schema: Mapping[str, Any]
    run: int = 0
    seed: int = 0
    step: str = ""  # the role that asks: for accounts, no part of the identity
    batch: bool = False  # may go by the provider's batch API; no part of the identity
    accept: Callable[[str], str] = field(default=str, compare=False, repr=False)

    @cached_property
    def id(self) -> str:
        """The key of the ledger: what is asked of whom, how, and for the how-manieth time; no host, no campaign."""
        model = self.model
        return content_id(
            "call",
            {
                "model": [model.provider, model.target, model.base_url],
                "parameters": [model.temperature, model.top_p, model.max_tokens, model.reply, self.seed],
                "messages": [[message.role, message.content] for message in self.messages],
                "schema": self.schema,
                "run": self.run,
            },
        )
