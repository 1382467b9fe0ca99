"""Describe the image of a scene in words, for all who see no image."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from benchwright.agents.base import Agent
from benchwright.agents.crisis.frames import SIGHT
from benchwright.agents.text import one_line

Caption = Annotated[str, AfterValidator(one_line), Field(json_schema_extra={"minLength": 1, "maxLength": 700})]


@dataclass(frozen=True, slots=True)
class Ask:
    """What does the image show? `incidents` and `places` are the labels that people gave it."""

    incidents: tuple[str, ...]
    places: tuple[str, ...]
    language: str


class Answer(BaseModel):
    """A factual description."""

    model_config = ConfigDict(extra="forbid")

    caption: Caption


agent = Agent("caption_scene", Ask, Answer, frame=SIGHT)
