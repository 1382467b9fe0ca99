"""The only kind of fact about an item: what an agent, or a person, said about it. Appended, never changed."""

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from benchwright.domain.ids import canonical

HUMAN = "human"  # the queue that no worker serves, and who answers there: "human:ada"


@dataclass(frozen=True, slots=True)
class Answer:
    """One agent's answer about one part of an item.

    `step` names the agent, `about` the part ("" for the whole, or its id), `by` who said it ("glm#2" is run 2 of
    model glm; "human:ada"), `body` is the typed answer as canonical JSON, `call` the ledger entry that paid for it.
    """

    step: str
    about: str
    by: str
    body: str
    call: str | None = None

    @property
    def value(self) -> dict[str, Any]:
        """The body as a mapping: parsed once, so nobody may change it."""
        return parse_body(self.body)

    @property
    def failure(self) -> str | None:
        """Why there is no usable answer: `refused`, `filtered`, `schema`, ...; None for a real answer."""
        cause: str | None = self.value.get("failure")
        return cause


@lru_cache(maxsize=4096)  # a body is read several times as it is taken in, and again by whoever shows it
def parse_body(body: str) -> dict[str, Any]:
    """A body's JSON values."""
    value: dict[str, Any] = json.loads(body)
    return value


def failure_answer(step: str, about: str, by: str, cause: str, detail: str, call: str | None = None) -> Answer:
    """The record that an agent gave no usable answer: it is an answer too, so that the plan can go round it.

    `call` is that of the question; what it was paid for in vain hangs on it.
    """
    return Answer(step, about, by, canonical({"failure": cause, "detail": detail[:500]}), call)
