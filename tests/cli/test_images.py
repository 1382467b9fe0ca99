"""Which models must take images: those that serve a role whose frame shows some."""

from dataclasses import replace
from pathlib import Path

from benchwright.agents.choice import choose_class, write_question
from benchwright.agents.frames import IMAGES
from benchwright.app import shown_images
from benchwright.begun import pipeline_of
from benchwright.config import load
from benchwright.glance import place

CAMPAIGN = """\
pipeline = "recall"
corpus = ["documents"]
[models.a]
local = "smollm2"
family = "a"
substitute = "c"
[models.b]
local = "smollm2"
[models.c]
local = "smollm2"
family = "c"
[roles]
default = "b"
check_option = ["a"]
"""


class Pictures:
    """A pipeline of two roles, one of which looks at images."""

    def __init__(self, *agents: object) -> None:
        self.agents = agents


def test_a_role_that_shows_images_needs_models_that_take_them_and_no_other_does(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(CAMPAIGN.replace('["a"]', '"a"'), "utf-8")
    campaign = load(file)
    assert shown_images(campaign, pipeline_of(campaign, place(file))) == frozenset()
    looks = replace(choose_class.agent, name="check_option", frame=IMAGES)
    seeing = Pictures(looks, write_question.agent)
    assert shown_images(campaign, seeing) == {"a", "c"}  # type: ignore[arg-type]
