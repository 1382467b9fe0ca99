"""httpx2 over aiohttp: every way to fail under httpx2's names, and nothing done behind the caller's back."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import httpx2 as httpx
import pytest
from tests.stub import Raw, Stub

from benchwright.errors import ConfigError
from benchwright.llm.providers.transport import Transport, meaning, proxy

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


@asynccontextmanager
async def serving(serve: Serve, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A port where each connection is served so, then closed, at the latest when the test is over."""
    tasks: set[asyncio.Task[None]] = set()

    async def whole(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            try:
                await serve(reader, writer)
            finally:
                writer.close()
                await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(whole(reader, writer)))

    async with await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls) as server:
        yield server.sockets[0].getsockname()[1]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def sending(*parts: bytes, wait: float = 0.0) -> Serve:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(wait)

    return serve


def client(**settings: Any) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=Transport(4), trust_env=False, **settings)


FAILURES: dict[str, tuple[Serve, type[httpx.TransportError]]] = {
    "closed at once": (sending(), httpx.RemoteProtocolError),
    "no HTTP": (sending(b"220 mail.example\r\n\r\n"), httpx.RemoteProtocolError),
    "a head without an end": (sending(b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000), httpx.RemoteProtocolError),
    "half a body": (sending(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"), httpx.RemoteProtocolError),
    "half a chunk": (
        sending(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf"),
        httpx.RemoteProtocolError,
    ),
    "silence": (sending(b"", wait=2.0), httpx.ReadTimeout),
    "silence in the body": (sending(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf", wait=2.0), httpx.ReadTimeout),
}


@pytest.mark.parametrize(("serve", "kind"), FAILURES.values(), ids=FAILURES.keys())
async def test_failures_have_the_names_of_httpx2(serve: Serve, kind: type[httpx.TransportError]) -> None:
    async with serving(serve) as port, client(timeout=0.3) as http:
        with pytest.raises(kind) as caught:
            await http.post(f"http://127.0.0.1:{port}/", json={})
    assert str(caught.value)


async def test_nobody_there_is_a_connection_that_failed() -> None:
    async with client() as http:
        with pytest.raises(httpx.ConnectError, match=r"127\.0\.0\.1"):
            await http.get("http://127.0.0.1:9/")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (aiohttp.ConnectionTimeoutError("x"), httpx.ConnectTimeout),
        (ConnectionResetError("x"), httpx.NetworkError),
        (aiohttp.ClientOSError("x"), httpx.NetworkError),
        (aiohttp.InvalidURL("x"), httpx.UnsupportedProtocol),
    ],
)
def test_rarer_failures_have_their_names_too(error: Exception, kind: type[httpx.TransportError]) -> None:
    assert meaning(error) is kind


async def test_no_redirect_is_followed_and_no_cookie_kept() -> None:
    moved = {"location": "http://127.0.0.1:9/elsewhere", "set-cookie": "who=me"}
    async with Stub(lambda _: Raw(307, "", moved)) as stub, client() as http:
        answers = [await http.post(f"{stub.url}/chat/completions", json={}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [307, 307]
    assert [headers for headers in stub.headers if "cookie" in headers] == []


async def test_a_body_is_passed_on_as_it_arrives_and_an_unread_one_closes_its_connection() -> None:
    async with (
        serving(sending(b"HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n", b"half", b"half", wait=0.05)) as port,
        client() as http,
    ):
        async with http.stream("GET", f"http://127.0.0.1:{port}/") as answer:
            parts = [part async for part in answer.aiter_raw()]
        assert parts == [b"half", b"half"]
        async with http.stream("GET", f"http://127.0.0.1:{port}/") as answer:
            assert answer.status_code == 200
        assert (await http.get(f"http://127.0.0.1:{port}/")).content == b"halfhalf"


async def test_a_compressed_body_is_unpacked() -> None:
    import gzip

    packed = gzip.compress(b"unpacked")
    head = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed)
    async with serving(sending(head + packed)) as port, client() as http:
        assert (await http.get(f"http://127.0.0.1:{port}/")).text == "unpacked"


async def test_a_cancelled_request_gives_its_connection_back() -> None:
    async with Stub(latency=0.2) as stub, httpx.AsyncClient(transport=Transport(1), trust_env=False) as http:
        body = {"model": "stub", "messages": []}
        asking = asyncio.create_task(http.post(f"{stub.url}/chat/completions", json=body))
        await asyncio.sleep(0.05)
        asking.cancel()
        await asyncio.wait([asking])
        assert (await http.post(f"{stub.url}/chat/completions", json=body)).status_code == 200


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
async def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    names = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *names)
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate, key)
    async with serving(sending(OK), tls) as port, client() as http:
        with pytest.raises(httpx.ConnectError, match=r"(?i)certificate"):
            await http.get(f"https://127.0.0.1:{port}/")


async def test_a_proxy_is_asked_in_the_endpoints_place() -> None:
    async with (
        Stub() as stub,
        httpx.AsyncClient(transport=Transport(1, stub.url.removesuffix("/v1")), trust_env=False) as http,
    ):
        answer = await http.post("http://endpoint.example/v1", json={"model": "stub", "messages": []})
    assert answer.status_code == 200
    assert stub.headers[0]["host"] == "endpoint.example"


ENVIRONMENTS: dict[str, tuple[dict[str, str], str, str | None]] = {
    "none": ({}, "https://endpoint.example/v1", None),
    "for https": (
        {"https_proxy": "http://proxy.example:3128"},
        "https://endpoint.example/v1",
        "http://proxy.example:3128",
    ),
    "for http alone": ({"http_proxy": "http://proxy.example:3128"}, "https://endpoint.example/v1", None),
    "for all": ({"all_proxy": "proxy.example:3128"}, "http://endpoint.example/v1", "http://proxy.example:3128"),
    "but not for this host": (
        {"https_proxy": "http://proxy.example:3128", "no_proxy": "endpoint.example"},
        "https://endpoint.example/v1",
        None,
    ),
    "but not for a range": (
        {"all_proxy": "http://proxy.example:3128", "NO_PROXY": "10.0.0.0/8,.example.org"},
        "http://10.3.4.5:8000/v1",
        None,
    ),
    "but not for the machine that runs this container": (
        {"http_proxy": "http://proxy.example:3128"},
        "http://host.docker.internal:11434/v1",
        None,
    ),
    "but not for this machine": ({"http_proxy": "http://proxy.example:3128"}, "http://127.0.0.1:8000/v1", None),
}


@pytest.fixture(name="proxies")
def _proxies(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    def proxies(given: dict[str, str]) -> None:
        for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
            monkeypatch.delenv(name.upper(), raising=False)
        for name, value in given.items():
            monkeypatch.setenv(name, value)

    return proxies


@pytest.mark.parametrize(("given", "url", "wanted"), ENVIRONMENTS.values(), ids=ENVIRONMENTS.keys())
def test_the_environment_names_the_proxy(
    proxies: Callable[[dict[str, str]], None], given: dict[str, str], url: str, wanted: str | None
) -> None:
    proxies(given)
    assert proxy(url) == wanted


def test_a_proxy_of_another_kind_is_said_so_without_its_password(proxies: Callable[[dict[str, str]], None]) -> None:
    proxies({"all_proxy": "socks5://me:hush@proxy.example:1080"})
    with pytest.raises(ConfigError, match="is none of http") as caught:
        proxy("https://endpoint.example/v1")
    assert "hush" not in str(caught.value)


async def test_a_transport_that_was_never_used_closes_too() -> None:
    transport = Transport(1)
    await transport.aclose()
    await transport.aclose()
