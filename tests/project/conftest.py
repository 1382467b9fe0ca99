"""The project's own folder, for tests about its shape."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def project() -> Path:
    return Path(__file__).resolve().parents[2]
