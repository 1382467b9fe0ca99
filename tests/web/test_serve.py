"""Where the desk is served, and what it answers besides requests."""

import socket

import pytest
from starlette.types import Message, Receive, Scope, Send

from benchwright.errors import UsageError
from benchwright.web.guard import Guard
from benchwright.web.serve import Address, listen


@pytest.mark.parametrize(
    ("host", "loopback", "url"),
    [
        ("127.0.0.1", True, "http://127.0.0.1:7"),
        ("localhost", True, "http://localhost:7"),
        ("::1", True, "http://[::1]:7"),
        ("192.0.2.1", False, "http://192.0.2.1:7"),
        ("desk.example", False, "http://desk.example:7"),
        ("::", False, f"http://{socket.gethostname()}:7"),
    ],
)
def test_an_address_knows_whether_others_reach_it_and_how_it_is_called(host: str, url: str, *, loopback: bool) -> None:
    address = Address(host, 7)
    assert (address.loopback, address.url(7)) == (loopback, url)
    assert "localhost" in address.names
    assert (host in address.names) is (host == "localhost" or not loopback)


def test_a_socket_listens_before_its_link_is_told() -> None:
    with listen(Address()) as listening:
        port = listening.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(UsageError, match=f"127.0.0.1:{port} cannot be served"):
            listen(Address(port=port))


async def test_what_is_no_request_gets_no_answer() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        pytest.fail("nothing may pass")

    async def receive() -> Message:
        pytest.fail("nobody listens")

    async def send(message: Message) -> None:
        pytest.fail("nobody speaks")

    await Guard(app, ())({"type": "websocket"}, receive, send)
