"""What every request must pass and every response says: no strange host, no strange origin, no script but ours."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SAFE = {"GET", "HEAD"}
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer the origin of our own forms would be hidden from us, too
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets requests through that mean this server; `hosts` are the names, beside bare addresses, by which it is known.

    A name that is not ours may have been pointed at this machine by the page of a stranger (DNS rebinding); an
    address cannot be.
    """

    app: ASGIApp
    hosts: tuple[str, ...]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            return

        async def send_sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        fault = self.fault(scope["method"], Headers(scope=scope))
        answer: ASGIApp = PlainTextResponse(fault, 403) if fault else self.app
        await answer(scope, receive, send_sealed)

    def fault(self, method: str, headers: Headers) -> str:
        """Why a request is refused; "" where it is not."""
        host = headers.get("host", "")
        if not self.knows(host):
            return "This server does not answer to that name."
        if method in SAFE:
            return ""
        if headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return "Another page may not decide here."
        try:
            origin = urlsplit(headers.get("origin", ""))
        except ValueError:
            return "Another page may not decide here."
        if origin.scheme not in {"http", "https"} or origin.netloc.lower() != host.lower():
            return "Another page may not decide here."
        return ""

    def knows(self, host: str) -> bool:
        """Whether a Host header names this server."""
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
            if name in self.hosts:
                return True
            return bool(ip_address(name))
        except ValueError:
            return False
