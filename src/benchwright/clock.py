"""Moments as text. What time it is, is handed in as seconds since the epoch."""

from datetime import UTC, datetime


def utc_iso(now: float) -> str:
    """A moment as UTC in ISO 8601, to the second."""
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds")
