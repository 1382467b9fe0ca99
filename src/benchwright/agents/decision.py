"""What a person decides about something: the part that is the same for each role of people that decides."""

from typing import Self

from pydantic import BaseModel, ConfigDict, model_validator


class Decision(BaseModel):
    """A decision, which each role narrows to its own, its reason, and the new wording where it is an edit."""

    model_config = ConfigDict(extra="forbid")

    decision: str
    reason: str = ""
    text: str = ""

    @model_validator(mode="after")
    def check_wording(self) -> Self:
        """An edit has a wording, and nothing else has."""
        if (self.decision == "edit") != bool(self.text.strip()):
            raise ValueError("an edit needs the new wording, and only an edit has one")
        return self


class ReasonedDecision(Decision):
    """A decision that discards nothing without a reason."""

    @model_validator(mode="after")
    def check_reason(self) -> Self:
        """What is discarded has a reason."""
        if self.decision == "discard" and not self.reason.strip():
            raise ValueError("an item is discarded for a reason: give one")
        return self
