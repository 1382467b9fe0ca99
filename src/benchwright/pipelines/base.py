"""What a pipeline is: two pure functions, and a third that says which item begins next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from benchwright.agents.base import Agent
from benchwright.domain.answer import HUMAN, Answer
from benchwright.domain.document import Document, Outline, View
from benchwright.domain.item import Progress, Seed, Verdict

__all__ = ["HUMAN", "Due", "Pipeline"]


@dataclass(frozen=True, slots=True)
class Due:
    """One thing that is owed: this question to this model or to people, once.

    `about` names the part of the item, `run` which of several samples.
    """

    agent: Agent
    ask: Any
    to: str
    about: str = ""
    run: int = 0

    @property
    def key(self) -> str:
        """What makes it the same ticket: an item owes each key once."""
        return f"{self.agent.name}/{self.about}/{self.to}/{self.run}"

    @property
    def by(self) -> str:
        """Who will have answered."""
        return f"{self.to}#{self.run + 1}"


class Pipeline(Protocol):
    """A way to make items. Pure: no clock, no chance that is not seeded, nothing awaited."""

    @property
    def name(self) -> str:
        """Its name in campaign files."""
        ...

    @property
    def agents(self) -> tuple[Agent, ...]:
        """Every role it may ask, people included."""
        ...

    @property
    def stem_step(self) -> str:
        """The step whose answer holds the item's `question`, compared for near-duplicates; "" for none."""
        ...

    @property
    def check_step(self) -> str:
        """The step in which its panel votes on options."""
        ...

    def shows(self, document: Document) -> View:
        """What of a document is seen, and what is masked; raises `Unreadable` where it suits no item of this kind."""
        ...

    def sources(self) -> Mapping[str, str]:
        """Hashes of the files it draws on, prompts aside."""
        ...

    def admit(self, outlines: Sequence[Outline], progress: Progress) -> Sequence[Seed]:
        """The items that begin next, at most `progress.room`; none where the campaign has begun all it wants."""
        ...

    def fold(self, seed: Seed, answers: Sequence[Answer]) -> Any:
        """What is known about an item."""
        ...

    def plan(self, state: Any) -> Sequence[Due] | Verdict:
        """What is owed next (never empty), or how the item ends."""
        ...

    def so_far(self, state: Any) -> Mapping[str, Any] | None:
        """An item as it stands, in the form that it will end in; None while there is nothing to show."""
        ...
