"""Which addresses are asked without the environment's proxy: this machine, its own net, and what NO_PROXY names. Pure.

There is no standard for NO_PROXY. Read are all forms that curl, Go and Python read: names with all names below them,
with or without a dot or `*.` in front; numbers; ranges of numbers (10.0.0.0/8); each perhaps with a port; `*` for all.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

HERE = {"localhost", "host.docker.internal", "gateway.docker.internal", "host.containers.internal"}
BELOW = (".localhost", ".local")  # names that no name server of the internet knows
PORTS = {"http": 80, "https": 443}
Number = IPv4Address | IPv6Address


def is_direct(url: str, no_proxy: str) -> bool:
    """Whether an address is asked without a proxy; `no_proxy` is the value of that variable."""
    parts = urlsplit(url)
    host, number = (parts.hostname or "").rstrip("."), number_of(parts.hostname or "")
    if host in HERE or host.endswith(BELOW) or (number and (number.is_loopback or number.is_unspecified)):
        return True
    port = parts.port or PORTS.get(parts.scheme, 0)
    return any(names(entry, host, number, port) for entry in re.split(r"[\s,;]+", no_proxy.lower()) if entry)


def number_of(host: str) -> Number | None:
    """The number that a host is, also where IPv6 wraps one of IPv4; None for a name."""
    try:
        number = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return (number.ipv4_mapped or number) if isinstance(number, IPv6Address) else number


def names(entry: str, host: str, number: Number | None, port: int) -> bool:
    """Whether an entry of NO_PROXY names a host."""
    if entry == "*":
        return True
    whole, colon, own_port = entry.rpartition(":")
    if colon and own_port.isdecimal() and (whole.count(":") == 0 or whole.endswith("]")):
        return int(own_port) == port and names(whole, host, number, port)
    entry = entry.removeprefix("[").removesuffix("]")
    if number is None:
        name = entry.removeprefix("*").removeprefix(".").rstrip(".")
        return bool(name) and (host == name or host.endswith(f".{name}"))
    try:
        return number in ip_network(entry, strict=False)
    except ValueError:
        return False
