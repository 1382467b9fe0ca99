"""What tests of the command line share: nobody's terminal sets the width of what is printed."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _no_width_from_outside() -> Iterator[None]:
    """Test runners that spread over processes set one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("COLUMNS", raising=False)
        yield
