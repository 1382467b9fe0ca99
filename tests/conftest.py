"""What every test shares: the data beside the repository, and no network but loopback."""

import gc
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# What scripts/check runs with; --hypothesis-profile ci takes 100 examples of each rule instead.
settings.register_profile("quick", settings.get_profile("ci"), max_examples=30)

# A shell's background job begins with Ctrl-C ignored, one under nohup with SIGHUP, and so would all that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parents[1] / "shared" / "data"
MEASURED = {"domain", "agents", "pipelines", "engine", "store"}  # as [tool.coverage.run] in pyproject.toml has them

# Importing litellm takes as long as hundreds of tests: side by side those that do so are met by one process of several.
LITELLM = {"test_secrets.py", "test_hosted.py", "test_batch_anthropic.py", "test_sent.py"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What imports litellm comes early, but after the agents: what they read once only, coverage has to see."""
    items.sort(key=lambda item: (item.path.parent.name != "agents", item.path.name not in LITELLM))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is there before the first test stays: the collector of garbage need not look at it again and again."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Coverage looks at the tests of the measured rooms alone, but for those marked: it makes them take thrice as long.

    The marker `no_cover` of pytest-cov would do, but in the processes of pytest-xdist it only stops the counting.
    """
    measured = item.path.relative_to(TESTS).parts[0] in MEASURED and not item.get_closest_marker("untraced")
    if measured or not item.config.pluginmanager.hasplugin("_cov"):
        return (yield)
    traces = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        return (yield)
    finally:
        threading.settrace(traces[1])
        sys.settrace(traces[0])


def shared_data(name: str) -> Path:
    """The file or folder `../shared/data/NAME` beside the repository; the test is skipped where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"the research data ../shared/data/{name} is not beside this repository")
    return path


@pytest.fixture(name="shared_data")
def _shared_data() -> Callable[[str], Path]:
    return shared_data


@pytest.fixture(scope="session")
def _states(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for each test in turn, made where it is needed."""
    room = tmp_path_factory.mktemp("states")
    return (room / str(number) for number in count())


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, _states: Iterator[Path]) -> None:
    """No test touches the user's state, which running campaigns share."""
    monkeypatch.setenv("BENCHWRIGHT_STATE", str(next(_states)))


def is_loopback(host: object) -> bool:
    """Whether the name or address stays on this machine."""
    if isinstance(host, bytes):
        host = host.decode()
    if host in (None, "", "localhost"):
        return True
    try:
        return ip_address(str(host)).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that reaches out; `pytest.fail` passes through every `except Exception` of the code under test."""

    def guarded(real: Callable[..., Any]) -> Callable[..., Any]:
        def connect(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX and not is_loopback(address[0]):
                pytest.fail(f"a test tried to connect to {address[0]}: only loopback is allowed")
            return real(self, address)

        return connect

    real_lookup = socket.getaddrinfo

    def lookup(host: Any, *rest: Any, **named: Any) -> Any:
        if not is_loopback(host):
            pytest.fail(f"a test tried to look up {host}: only loopback is allowed")
        return real_lookup(host, *rest, **named)

    monkeypatch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
    monkeypatch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
    monkeypatch.setattr(socket, "getaddrinfo", lookup)
