"""Embeddings: vectors of unit length, kept as little-endian 32-bit floats."""

import struct
from array import array
from collections.abc import Sequence
from math import hypot, isfinite
from typing import TypeAlias

Vector: TypeAlias = "array[float]"  # of 32-bit floats
FLOAT = 4  # bytes


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
