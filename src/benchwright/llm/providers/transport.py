"""httpx2 over aiohttp: the same client for a third of the processor's time with many calls side by side.

What httpx2's own pool costs grows with its connections (`bench/gateway.py` measures both). No cookie is kept, no
redirect followed, certificates are checked against the system's.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2 as httpx

from benchwright.domain.proxies import is_direct
from benchwright.errors import ConfigError

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

IDLE = 4.0  # seconds that an unused connection is kept; many servers close theirs after 5


def proxy(url: str) -> str | None:
    """The environment's proxy on the way to an address, none to what is near; raises `ConfigError` for one of SOCKS."""
    parts, found = urlsplit(url), getproxies()
    host = parts.hostname or ""
    if is_direct(url, found.get("no", "")) or proxy_bypass(parts.netloc):
        return None
    named = found.get(parts.scheme) or found.get("all")
    if not named:
        return None
    address = named if "://" in named else f"http://{named}"
    if urlsplit(address).scheme not in {"http", "https"}:
        raise ConfigError(f"the environment's proxy for {host} is none of http: name one, or add the host to NO_PROXY")
    return address


@contextmanager
def translate_errors() -> Iterator[None]:
    """Errors of aiohttp as those of httpx2."""
    import aiohttp

    try:
        yield
    except (aiohttp.ClientError, OSError) as error:
        raise meaning(error)(str(error) or type(error).__name__) from error


def meaning(error: Exception) -> type[httpx.TransportError]:
    """What httpx2 calls an error of aiohttp."""
    import aiohttp

    kinds: list[tuple[type[Exception] | tuple[type[Exception], ...], type[httpx.TransportError]]] = [
        ((aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError), httpx.UnsupportedProtocol),
        (aiohttp.ConnectionTimeoutError, httpx.ConnectTimeout),
        (aiohttp.ServerTimeoutError, httpx.ReadTimeout),
        ((aiohttp.ClientProxyConnectionError, aiohttp.ClientHttpProxyError), httpx.ProxyError),
        (aiohttp.ClientConnectorError, httpx.ConnectError),
        (
            (aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError, aiohttp.ClientResponseError),
            httpx.RemoteProtocolError,
        ),
    ]
    return next((ours for theirs, ours in kinds if isinstance(error, theirs)), httpx.NetworkError)


class Body(httpx.AsyncByteStream):
    """The body of an answer as it arrives; its connection is closed unless the body was read to its end."""

    def __init__(self, answer: "ClientResponse") -> None:
        """Nothing of the body is read yet."""
        self.answer = answer

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with translate_errors():
            async for part in self.answer.content.iter_any():
                yield part

    async def aclose(self) -> None:
        """Let go of the connection."""
        self.answer.release()


class Transport(httpx.AsyncBaseTransport):
    """At most `width` connections, kept for the next request, perhaps by way of a proxy."""

    def __init__(self, width: int, proxy: str | None = None) -> None:
        """Nothing is opened yet."""
        self.width = width
        self.proxy = proxy
        self.session: ClientSession | None = None

    def open(self, scheme: str) -> "ClientSession":
        """The pool; a process that speaks no TLS is spared reading all certificates."""
        import aiohttp

        tls = httpx.create_ssl_context() if "https" in (scheme, urlsplit(self.proxy or "").scheme) else True
        return aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=self.width, keepalive_timeout=IDLE, ssl=tls),
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            proxy=self.proxy,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send, and return when the head of the answer is here; raises httpx2's `TransportError`."""
        from aiohttp import ClientTimeout

        session = self.session = self.session or self.open(request.url.scheme)
        within = request.extensions.get("timeout", {})
        with translate_errors():
            answer = await session.request(
                request.method,
                str(request.url),
                headers=request.headers.multi_items(),
                data=request.content or None,
                allow_redirects=False,
                timeout=ClientTimeout(
                    total=None,
                    connect=within.get("pool"),
                    sock_connect=within.get("connect"),
                    sock_read=within.get("read"),
                ),
            )
        headers = [(name, value) for name, value in answer.raw_headers if name.lower() != b"set-cookie"]
        return httpx.Response(answer.status, headers=headers, stream=Body(answer))

    async def aclose(self) -> None:
        """Close all connections; may be called again."""
        if self.session is not None:
            await self.session.close()
