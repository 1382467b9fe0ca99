"""Embeddings: one request asks for many; each is a vector of unit length, kept as little-endian 32-bit floats."""

import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import hypot, isfinite
from typing import TypeAlias

from benchwright.domain.call import Message, Request
from benchwright.domain.campaign import Model
from benchwright.domain.ids import content_id, text_id

Vector: TypeAlias = "array[float]"  # of 32-bit floats
FLOAT = 4  # bytes


@dataclass(frozen=True)
class Embed(Request):
    """The texts are the parts of its one message; schema, run, seed and `accept` mean nothing."""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is to be embedded, each as it is sent."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, str))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids of the texts, in their order."""
        return tuple(map(text_id, self.texts))

    @cached_property
    def id(self) -> str:
        """The key of the ledger: which texts, in which space."""
        return content_id("embed", [space(self.model), self.names])


def space(model: Model) -> str:
    """The name of the space of a model's vectors: those of one space can be compared, and have one dimension."""
    return content_id("space", [model.provider, model.target, model.base_url])


def embed(model: Model, texts: Sequence[str], step: str) -> Embed:
    """The call that asks this model for the embeddings of these texts; there is no reply to leave room for."""
    return Embed(replace(model, max_tokens=0), (Message("user", tuple(texts)),), {}, step=step)


def pack(numbers: Sequence[float]) -> bytes:
    """The vector of this direction with length 1, as bytes; `ValueError` where there is no direction."""
    length = hypot(*numbers)
    if not isfinite(length) or not length:
        message = f"a vector of {len(numbers)} numbers has the length {length}"
        raise ValueError(message)
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def unpack(body: bytes) -> Vector:
    """The vector that `pack` has made bytes of."""
    return array("f", struct.unpack(f"<{len(body) // FLOAT}f", body))
