"""Two clocks: the date, which people and programs may set, and a steady one, which nobody can.

How long something takes, or has to wait, is measured by the steady clock. What time it is, is handed in as seconds.
"""

import time
from datetime import UTC, datetime

SINCE_START = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)  # of Linux: also counts while the machine sleeps


def steady() -> float:
    """Seconds since the machine started: the same for all its processes, whatever happens to the date."""
    return time.clock_gettime(SINCE_START)


def utc_iso(now: float) -> str:
    """A moment, in seconds since the epoch, as UTC in ISO 8601, to the second."""
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
