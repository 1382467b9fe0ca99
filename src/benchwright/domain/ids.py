"""Names made from content: the same value has the same id on any machine."""

import hashlib
import json
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import TypeVar

T = TypeVar("T")


def canonical(value: object) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no escapes but the necessary ones."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_id(kind: str, value: object) -> str:
    """32 hexadecimal digits of SHA-256 over the kind and the canonical JSON of the value."""
    return hashlib.sha256(f"{kind}\n{canonical(value)}".encode()).hexdigest()[:32]


@lru_cache(maxsize=256)  # a document is a part of every prompt about it
def text_id(text: str) -> str:
    """The id of a text that is kept once, such as a part of prompts."""
    return content_id("text", text)


def seeded_random(*parts: object) -> Random:
    """A random generator that depends on the parts alone, not on the process or the platform."""
    return Random(content_id("seed", [str(part) for part in parts]))  # noqa: S311 - reproducible, not secret


def seeded_shuffle(things: Sequence[T], *parts: object) -> tuple[T, ...]:
    """The things in an order that depends on the parts alone."""
    order = list(things)
    seeded_random(*parts).shuffle(order)
    return tuple(order)
