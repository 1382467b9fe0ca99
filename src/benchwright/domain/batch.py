"""A batch: requests that went to a provider together and are answered within a day, at a lower price."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch that its provider holds, or may hold: `remote` is the provider's id, empty until that is known.

    `name` is our own, of which the provider is told; `calls` names the model of each call; `at` and `expires` are
    seconds since the epoch.
    """

    name: str
    model: str
    at: float
    expires: float
    calls: Mapping[str, str]
    remote: str = ""


@dataclass(frozen=True, slots=True)
class Gone:
    """How far an open batch has got: `done` of `total` requests, as last heard; `sent` once the provider has it."""

    name: str
    model: str
    sent: bool
    done: int
    total: int
    at: float
