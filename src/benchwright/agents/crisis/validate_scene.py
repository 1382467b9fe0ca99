"""An expert says whether what was noted of a scene is sound; RESPONSE had engineers look at a sample (section 3)."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from benchwright.agents.base import Agent


@dataclass(frozen=True, slots=True)
class Ask:
    """Whether these `notes` on the `scene` are sound."""

    scene: str
    notes: tuple[str, ...]


class Answer(BaseModel):
    """Whether they are; `withdraw` takes the same person's word back."""

    model_config = ConfigDict(extra="forbid")

    decision: Literal["keep", "reject", "withdraw"]
    reason: str = ""
    text: str = ""


agent = Agent("validate_scene", Ask, Answer)
