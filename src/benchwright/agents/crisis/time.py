"""The three time frames of a scene: what is asked of each, and how questions say it (RESPONSE, arXiv 2503.11348)."""

from collections.abc import Mapping
from typing import Literal

TimeFrame = Literal["immediate", "week", "month"]
TIME_FRAMES: tuple[TimeFrame, ...] = ("immediate", "week", "month")
MEANING: Mapping[TimeFrame, str] = {
    "immediate": "right after the incident, in the first minutes and hours",
    "week": "about a week after the incident",
    "month": "about a month after the incident",
}
