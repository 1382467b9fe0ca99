"""What is measured: the questions of a set, and what models answered, wherever they did so.

The choices of a question are named, by letters in sets of ours; a key and an answer are sets of such names.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a set with its key.

    `cluster` is what it shares with other questions, such as its document: answers to them are not independent.
    `groups` are what it belongs to by sort of group, such as {"class": "Surveillance"}; `traps` say of what family a
    wrong choice is.
    """

    id: str
    choices: tuple[str, ...]
    key: frozenset[str]
    cluster: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    traps: Mapping[str, str] = field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Response:
    """What one model answered to one question in one of its runs.

    `chosen` None is no answer, for the reason in `failure`: the model is not wrong, it is not measured. An abstention
    is an answer in which nothing is chosen because the model said that it cannot tell.
    """

    question: str
    model: str
    chosen: frozenset[str] | None
    run: int = 1
    condition: str = ""
    abstained: bool = False
    failure: str = ""

    @property
    def taker(self) -> str:
        """Whose line of a table it belongs to: the model under its condition."""
        return f"{self.model} ({self.condition})" if self.condition else self.model
