"""Which addresses of the web may be asked: public ones only, whatever a page, a redirect or a name server says.

A name is resolved here, each of its addresses is looked at, and the connection goes to one of these, so that no second
answer of the name server can lead it elsewhere.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit, urlunsplit

from benchwright.errors import Unfetched

Resolve = Callable[[str, int], Awaitable[list[str]]]  # host and port, to the numbers of its addresses
Address = IPv4Address | IPv6Address

PORTS = {"http": 80, "https": 443}
LONGEST = 2000  # characters
_TRANSLATED = IPv6Network("64:ff9b::/96")  # holds an IPv4 address in its last 32 bits
_UNICAST = IPv6Network("2000::/3")  # all of IPv6 that is given to the public net; old forms of private ones are outside
_EXAMPLES = IPv6Network("3fff::/20")  # for documentation (RFC 9637)
_NUMBER = re.compile(r"(?:\A|\.)(?:\d+|0x[0-9a-f]*)\Z")  # what systems take for one, such as 2130706433 and 0x7f.1
_LOCAL = (".local", ".localhost", ".internal", ".home.arpa", ".lan", ".intranet")


@dataclass(frozen=True, slots=True)
class Target:
    """An address of the web, its host and port, and the number that the host was resolved to."""

    url: str
    host: str
    port: int
    number: str

    @property
    def direct(self) -> str:
        """The address with the number in the place of the host."""
        parts = urlsplit(self.url)
        number = f"[{self.number}]" if ":" in self.number else self.number
        return urlunsplit((parts.scheme, f"{number}:{self.port}", parts.path or "/", parts.query, ""))

    @property
    def named(self) -> str:
        """Host and port, as the header says them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[urlsplit(self.url).scheme] else f"{host}:{self.port}"

    @property
    def site(self) -> str:
        """Scheme, host and port: what has one robots.txt, and one pace."""
        return f"{urlsplit(self.url).scheme}://{self.named}"


def is_public(address: Address) -> bool:
    """Whether a number belongs to the public net, also where it wraps another in it."""
    if isinstance(address, IPv6Address):
        if address in _TRANSLATED:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        wrapped = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if wrapped:
            return is_public(wrapped)
        if address not in _UNICAST or address in _EXAMPLES:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


async def resolve(host: str, port: int) -> list[str]:
    """The numbers of a host, by the system's resolver."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]).partition("%")[0] for *_, address in found]


def tidy_url(url: str) -> str:
    """An address as it is compared: small letters where case means nothing, no fragment, no usual port.

    Raises `Unfetched` for what is none of the web.
    """
    if len(url) > LONGEST or not url.isprintable():
        raise Unfetched(f"its address is longer than {LONGEST} characters, or holds signs that no address has")
    try:
        parts = urlsplit(url.strip())
        host, port = parts.hostname or "", parts.port
        name = host if ":" in host else host.encode("idna").decode("ascii")
    except ValueError as error:
        raise Unfetched(f"its address cannot be read ({error})") from error
    if parts.scheme not in PORTS or not name:
        raise Unfetched("its address does not begin with http:// or https:// and a host")
    if parts.username is not None or parts.password is not None:
        raise Unfetched("its address holds a user or a password")
    shown = f"[{name}]" if ":" in name else name.rstrip(".").lower()
    end = "" if port in {None, PORTS[parts.scheme]} else f":{port}"
    return urlunsplit((parts.scheme, f"{shown}{end}", parts.path or "/", parts.query, ""))


async def find_target(url: str, ask: Resolve, may_ask: Callable[[Address], bool]) -> Target:
    """Where a request for a tidy address goes; raises `Unfetched` where any of its numbers is not public."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    if host.endswith(_LOCAL) or host == "localhost":
        raise Unfetched(f"'{host}' is a name of a private net, which is never asked")
    if _NUMBER.search(host) and not _is_number(host):
        raise Unfetched(f"'{host}' is a number in a form that hides where it leads, which is never asked")
    try:
        numbers = [host] if _is_number(host) else await ask(host, port)
        addresses = [ip_address(number) for number in numbers]
    except (OSError, UnicodeError) as error:
        raise Unfetched(f"'{host}' cannot be resolved", again=True) from error
    except ValueError as error:
        raise Unfetched(f"'{host}' resolves to what is no address") from error
    if not addresses:
        raise Unfetched(f"'{host}' cannot be resolved", again=True)
    if private := [str(one) for one in addresses if not may_ask(one)]:
        raise Unfetched(f"'{host}' leads to {private[0]}, which is not on the public net and is never asked")
    return Target(url, host, port, str(addresses[0]))


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
