"""Addresses on the web, as settings name them."""

from urllib.parse import SplitResult, urlsplit


def web(url: str) -> SplitResult | None:
    """The parts of an http address at which something could be reached; None where it is none."""
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1)
    except ValueError:
        return None
    return parts if sound and url.isprintable() and " " not in url else None
