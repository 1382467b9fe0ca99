"""Checks before a run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """What `doctor` found about one model, or one other thing that a run needs."""

    name: str
    ok: bool
    message: str
    warning: bool = False  # whether people should look at it; a run goes on all the same
