"""What the tests of plans share: what is said, and what is owed then."""

from typing import Any

from tests.pipelines.crisis.making import corpus
from tests.pipelines.crisis.test_contract import begin

from benchwright.domain.answer import Answer
from benchwright.domain.call import Image
from benchwright.domain.ids import canonical
from benchwright.domain.image import image_value
from benchwright.domain.item import Ending, Seed
from benchwright.pipelines.base import Due, state_of
from benchwright.pipelines.crisis.pipeline import Crisis

PHOTO = image_value(Image("ab" * 32, "image/png", 3))
BARE = {"scene": "x", "text": "Smoke over a hill.", "incidents": ["on fire"]}
CLASS = {"reason": "so", "best": 2}
YES, NO = {"reason": "so", "verdict": "yes"}, {"reason": "so", "verdict": "no"}
GOOD = {
    "immediate": "What should be done right away?",
    "week": "A week later, what helps?",
    "month": "A month later, what helps?",
}


def scene_of(made: Crisis, record: dict[str, Any]) -> Seed:
    (seed,) = begin(made, "scenes", corpus(record))
    return seed


def said(step: str, body: dict[str, Any], by: str = "red#1", about: str = "") -> Answer:
    return Answer(step, about, by, canonical(body))


def owed(made: Crisis, seed: Seed, *answers: Answer) -> Any:
    """What is owed after these answers: names of roles and whom they go to, or the end."""
    found = made.plan(state_of(made, seed, answers))
    return found if isinstance(found, Ending) else [(due.agent.name, due.to) for due in found]


def due_of(made: Crisis, seed: Seed, *answers: Answer) -> Due:
    found = made.plan(state_of(made, seed, answers))
    assert not isinstance(found, Ending)
    return found[0]


def ending(made: Crisis, seed: Seed, *answers: Answer) -> Ending:
    found = made.plan(state_of(made, seed, answers))
    assert isinstance(found, Ending)
    return found
