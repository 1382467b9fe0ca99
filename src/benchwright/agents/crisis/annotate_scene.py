"""Draft what people note of a scene: the problem, what is missing, a remedy for each time frame (RESPONSE, section 3).

A draft is never used before people have corrected it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import SIGHT, WORDS
from benchwright.agents.crisis.time import TIME_FRAMES
from benchwright.agents.text import Line
from benchwright.errors import BadReply


@dataclass(frozen=True, slots=True)
class Ask:
    """What would somebody note who stands in this `scene`? A solution has at most so many `words`."""

    scene: str
    incidents: tuple[str, ...]
    places: tuple[str, ...]
    words: int
    language: str


class Remedy(BaseModel):
    """What to do, and why."""

    model_config = ConfigDict(extra="forbid")

    solution: Line
    explanation: Line


class Answer(BaseModel):
    """The eight fields of the form: problem, missing resource, three solutions, three explanations."""

    model_config = ConfigDict(extra="forbid")

    problem: Line
    missing_resource: Line
    immediate: Remedy
    week: Remedy
    month: Remedy


def check(ask: Ask, answer: Answer) -> None:
    """No solution is longer than people may write."""
    if long := list(long_solutions(ask, answer)):
        raise BadReply(f"a solution has at most {ask.words} words; too long: {', '.join(long)}")


def long_solutions(ask: Ask, answer: Answer) -> Iterator[str]:
    """The time frames whose solutions have too many words."""
    for name in TIME_FRAMES:
        remedy: Remedy = getattr(answer, name)
        if len(remedy.solution.split()) > ask.words:
            yield name


agent = Agent("annotate_scene", Ask, Answer, check, frame=WORDS)
seeing = replace(agent, frame=SIGHT)  # the same question about an image
