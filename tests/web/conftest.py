"""The campaign that waits for people, for the desk in a browser too."""

from tests.review.conftest import desk, image

__all__ = ["desk", "image"]
